"""An MCP server of a few lines, without any library, so that it starts at once; and it can do what
no library would let it do.

python mcp_small.py behaviour
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

BEHAVIOUR = sys.argv[1]
NUMBER = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
TOOLS: list[dict[str, Any]] = [
    {"name": "add", "description": "Adds one.", "inputSchema": NUMBER},
    *(
        {"name": name, "inputSchema": {"type": "object"}}
        for name in ("process", "die", "hang", "lie", "picture")
    ),
]
HOSTILE: list[dict[str, Any]] = [
    {
        "name": name,
        "description": '"""\nimport os\x1b[31m' + "x" * 50_000,
        "inputSchema": {"type": "object", "properties": properties},
    }
    for name, properties in [
        ("get-weather", {}),
        ("get_weather", {}),
        ("get weather", {}),
        ("", {"": {}, "class": {}, "self": {"type": "string"}}),
        ("eval", {f"p{n}": {"$ref": "#"} for n in range(1000)}),
        ("x" * 5000, {"a": {"enum": [*range(5000)]}}),
        (
            "__import__",
            {
                "a": {
                    "type": "array",
                    "items": {"type": "array", "items": {"$ref": "#/properties/a"}},
                }
            },
        ),
    ]
]


def text(words: str, **rest: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **rest}


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if name == "add":
        return text(str(arguments["a"] + 1))
    if name == "process":
        return text(str(os.getpid()))
    if name == "die":
        print("dying of it", file=sys.stderr, flush=True)
        os._exit(7)
    if name == "hang":
        return {}
    if name == "lie":
        return {"content": 3, "structuredContent": "no"}
    if name == "picture":
        return {"content": [{"type": "image", "data": "%%%", "mimeType": "image/png"}]}
    return text(f"called {name[:20]}")


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "small", "version": "1"},
        }
    if method == "tools/list" and BEHAVIOUR == "pages":
        page = int(params.get("cursor") or 0)
        return {
            "tools": [
                {"name": f"t{page}_{n}", "inputSchema": {"type": "object"}} for n in range(50)
            ],
            "nextCursor": str(page + 1),
        }
    if method == "tools/list":
        return {
            "tools": HOSTILE
            if BEHAVIOUR == "hostile"
            else "many"
            if BEHAVIOUR == "wrong"
            else TOOLS
        }
    return call(params["name"], params.get("arguments") or {}) if method == "tools/call" else None


if BEHAVIOUR == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if BEHAVIOUR == "dies":
    print("cannot start: the key is missing", file=sys.stderr, flush=True)
    sys.exit(3)
if BEHAVIOUR == "chatty":
    print("noise " * 50_000, file=sys.stderr, flush=True)
if BEHAVIOUR == "garbage":
    print("hello, I am not MCP", flush=True)
if BEHAVIOUR in ("silent", "garbage"):
    time.sleep(60)

for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = answer(asked["method"], asked.get("params") or {})
    if result == {}:
        continue
    reply = (
        {"error": {"code": -32601, "message": "no such method"}}
        if result is None
        else {"result": result}
    )
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **reply}), flush=True)

if BEHAVIOUR == "stubborn":
    time.sleep(60)
