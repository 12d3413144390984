"""A notebook as an MCP server: what it declares and answers stands in the file `build.json`."""
import json
import sys

BUILD = json.load(open("build.json"))

for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        result = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "notebook", "version": BUILD["version"]},
        }
    elif message.get("method") == "tools/list":
        result = {"tools": [{"name": name, **tool["declared"]} for name, tool in BUILD["tools"].items()]}
    elif message.get("method") == "tools/call":
        result = {"content": [{"type": "text", "text": BUILD["tools"][message["params"]["name"]]["answer"]}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
