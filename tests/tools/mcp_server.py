"""An MCP server, good and bad. As a program it speaks over its standard streams; with `http` it
listens on a port that it prints.

python mcp_server.py [behaviour]
"""

from __future__ import annotations

import asyncio
import base64
import struct
import sys
import zlib
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ImageContent, TextContent
from pydantic import BaseModel, Field

server = MCPServer("tests", log_level="ERROR")


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    rows = zlib.compress((b"\0" + b"\xff\0\0" * width) * height)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


class Weather(BaseModel):
    city: str = Field(description="Where")
    degrees: float = Field(description="How warm")


class Place(BaseModel):
    lat: float
    lon: float = 0.0


@server.tool()
def add(a: int, b: int = 10) -> int:
    """Adds two numbers."""
    return a + b


@server.tool(name="get-weather")
def weather(
    city: Annotated[str, Field(description="The city.")],
    unit: Literal["C", "F"] = "C",
    days: list[int] | None = None,
) -> Weather:
    """The weather
    of a city."""
    return Weather(city=f"{city} {unit} {days}", degrees=21.5)


@server.tool()
def where(place: Place) -> str:
    """Says where."""
    return f"{place.lat},{place.lon}"


@server.tool()
def words(text: str, times: int = 1) -> list[str]:
    """Repeats."""
    return [text] * times


@server.tool(structured_output=False)
def say(text: str) -> str:
    """Says it."""
    return text


@server.tool(structured_output=False)
def picture(mime: str = "image/png") -> Any:
    """A picture."""
    return [ImageContent(type="image", data=base64.b64encode(png(3, 2)).decode(), mime_type=mime)]


@server.tool(structured_output=False)
def both() -> Any:
    """Words and a picture."""
    return [
        TextContent(type="text", text="see:"),
        ImageContent(
            type="image", data=base64.b64encode(png(1, 1)).decode(), mime_type="image/png"
        ),
    ]


@server.tool()
def fail(reason: str) -> str:
    """Fails."""
    raise ToolError(reason)


@server.tool()
def nothing() -> None:
    """Gives nothing."""


@server.tool(name="print")
def print_it(text: str) -> str:
    """Has the name of a builtin."""
    return f"printed {text}"


@server.tool(name="final_answer")
def answer(text: str) -> str:
    """Would like to be asked for the answer."""
    return "mine"


if "http" in sys.argv:
    import socket

    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    async def main() -> None:
        serving = uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="error"))
        task = asyncio.ensure_future(serving.serve(sockets=[listener]))
        # It ends by itself when whoever started it has gone.
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        serving.should_exit = serving.force_exit = True
        await task

    asyncio.run(main())
else:
    server.run()
