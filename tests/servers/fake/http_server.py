"""A small MCP server over HTTP that forgets sessions on demand: its first argument is the port, its second one Python
code that may replace any part of it."""
import json
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sessions = {}


def text(value):
    return {"content": [{"type": "text", "text": str(value)}]}


def tools(session):
    return [{"name": "echo-" + session, "inputSchema": {"type": "object"}}]


def forget():
    for session in sessions:
        sessions[session] = False


def opening():
    pass


def call(handler, session, name, arguments):
    if name == "forget":
        forget()
    if name == "slow":
        time.sleep(arguments.get("seconds", 1))
    if name == "drop":
        return handler.connection.shutdown(socket.SHUT_RDWR)
    return text(session)


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def reply(self, status, body=None, **headers):
        body = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply(405)

    def do_DELETE(self):
        sessions[self.headers.get("Mcp-Session-Id")] = False
        self.reply(200)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        id, method, params = message.get("id"), message.get("method"), message.get("params") or {}
        if method == "initialize":
            session = "s-%d" % (len(sessions) + 1)
            sessions[session] = True
            opening()
            hello = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
            hello["serverInfo"] = {"name": "fake", "version": "1"}
            return self.reply(200, {"jsonrpc": "2.0", "id": id, "result": hello}, Mcp_Session_Id=session)
        session = self.headers.get("Mcp-Session-Id")
        if session is None:
            return self.reply(400)
        if not sessions.get(session):
            return self.reply(404)
        self.handle_message(session, id, method, params)

    def handle_message(self, session, id, method, params):
        if id is None or method is None:
            return self.reply(202)
        if method == "tools/list":
            result = {"tools": tools(session)}
        else:
            result = call(self, session, params.get("name"), params.get("arguments") or {})
        if result is not None:
            self.reply(200, {"jsonrpc": "2.0", "id": id, "result": result})


exec(sys.argv[2] if len(sys.argv) > 2 else "")
ThreadingHTTPServer.request_queue_size = 128
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
