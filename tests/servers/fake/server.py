"""A small MCP server that misbehaves on demand: its first argument is Python code that may replace any part of it."""
import json
import os
import signal
import subprocess
import sys
import threading
import time

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "fake", "version": "1"}}
seen = []


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(message):
    raw(json.dumps(message).encode() + b"\n")


def ok(id, result):
    send({"jsonrpc": "2.0", "id": id, "result": result})


def err(id, code, message, data=None):
    send({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message, "data": data}})


def text(value):
    return {"content": [{"type": "text", "text": str(value)}]}


def read():
    line = sys.stdin.readline()
    if not line:
        return None
    seen.append(json.loads(line))
    return seen[-1]


def init(id, params):
    ok(id, HELLO)


def tools(id, params):
    ok(id, {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]})


def call(id, name, arguments):
    if name == "pid":
        return ok(id, text(os.getpid()))
    if name == "env":
        return ok(id, text(json.dumps(dict(os.environ), sort_keys=True)))
    if name == "seen":
        return ok(id, text(json.dumps(seen)))
    ok(id, text(arguments.get("message", "")))


def handle(message):
    id, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    if method == "initialize":
        init(id, params)
    elif method == "tools/list":
        tools(id, params)
    elif method == "tools/call":
        call(id, params.get("name"), params.get("arguments") or {})
    elif method and id is not None:
        err(id, -32601, "Method not found: " + method)


def serve():
    while (message := read()) is not None:
        handle(message)


plain = call
exec(sys.argv[1] if len(sys.argv) > 1 else "")
serve()
