"""ToolCollection: tools that belong together, and that may have to be closed together."""

from __future__ import annotations

import atexit
import contextlib
import threading
import weakref
from collections.abc import Iterable, Iterator
from typing import Any, Self

from fumehood import asked
from fumehood.errors import ToolError
from fumehood.tools.tool import Tool


class ToolCollection:
    """A few tools. `tools` has them; a collection may also stand among an agent's tools as it is.

    One that comes from MCP servers holds connections: use it in a `with` block, or close it.
    """

    def __init__(self, tools: Iterable[Any]) -> None:
        from fumehood.tools.adopting import as_tool

        self.tools: list[Tool] = [as_tool(thing) for thing in tools]
        self._close: Any = None

    @classmethod
    def from_mcp(
        cls,
        server_parameters: Any,
        *,
        timeout: float = 30.0,
        call_timeout: float = 120.0,
        structured_output: bool = True,
        trust_remote_code: bool | None = None,
    ) -> Self:
        """The tools of an MCP server, or of several in a list; they are connected when this
        returns.

        A server is a program, as `mcp.StdioServerParameters` or `{"command": "python", "args":
        ["server.py"]}`, or an address, as `{"url": "http://…/mcp"}` with "headers" and "transport"
        ("streamable-http", the default, or "sse") if need be. `timeout` is how many seconds a
        server may take to be ready, `call_timeout` how many to answer a call.
        `structured_output=False` gives the text of an answer even where a server sends data.
        `trust_remote_code` says nothing here, and is taken because other libraries ask for it: a
        server's code runs in the server, and what comes from there is treated as data.

        Raises ToolError, of one line, if a server is missing, dies or does not answer; then none is
        left running.
        """
        from fumehood.tools.mcp import close_servers, open_servers

        for name, seconds in (("timeout", timeout), ("call_timeout", call_timeout)):
            asked.seconds(name, seconds, ToolError, may_be_none=False)
        loop, servers = open_servers(
            server_parameters, float(timeout), float(call_timeout), structured=structured_output
        )
        try:
            made = cls([tool for server in servers for tool in server.tools()])
        except BaseException:
            close_servers(loop, servers)
            raise
        for tool in made.tools:
            tool.__dict__["_collection"] = (
                made  # whoever has kept one of them has kept the connection
            )
        made._close = lambda: close_servers(loop, servers)
        # Also when it is forgotten, and when the program ends: a server must not outlive who
        # started it.
        weakref.finalize(made, _close_elsewhere, loop, servers).atexit = False
        _OPEN.add(made)
        return made

    def close(self) -> None:
        """End the connections, and the programs at their other ends. Harmless when repeated, and
        where there are none."""
        _OPEN.discard(self)
        if self._close is not None:
            self._close()

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return (
            "<ToolCollection:"
            f" {', '.join(tool.name for tool in self.tools[:20])}{', …' if len(self.tools) > 20 else ''}>"  # noqa: E501
        )


_OPEN: weakref.WeakSet[ToolCollection] = weakref.WeakSet()
"""Collections that hold connections."""


@atexit.register
def _close_all() -> None:
    for collection in [*_OPEN]:
        collection.close()


def _close_elsewhere(loop: Any, servers: Any) -> None:
    """Nobody has the collection any more. This runs wherever the garbage collector does, so it must
    wait for nothing."""
    from fumehood.tools.mcp import close_servers

    with contextlib.suppress(
        RuntimeError
    ):  # the program is ending, and with it the pipes that servers listen to
        threading.Thread(
            target=close_servers, args=(loop, servers), name="fumehood-mcp-close"
        ).start()
