"""MCP servers: programs, or addresses, that offer tools by the Model Context Protocol. Each is
talked to by the `mcp` package.

Its client is asynchronous, and everything of one connection has to happen in one task. So each
server has a task, on an event loop in a thread of its own, that connects, waits until it is told to
end, and takes the connection down again; calls are handed to that loop.

A server is not trusted: names, schemas, words and results are data, an answer that does not come is
not waited for, and what it says on its standard error is kept for the moment when it has died and
somebody asks why.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import math
import os
import select
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fumehood import asked
from fumehood.errors import MissingExtra, ToolError
from fumehood.tools.mcp_values import as_json, as_value
from fumehood.tools.names import as_identifier, shown
from fumehood.tools.prompting import plain
from fumehood.tools.schemas import Arguments, returned
from fumehood.tools.tool import Tool
from fumehood.wire.show import one_line

MOST_TOOLS = 500
MOST_PAGES = 50
_CLOSING_SECONDS = 15.0
"""Longer than the client takes to end a program by force, if it comes to that."""
_LAST_WORDS = 4_000

# How to reach a server over the network, by the names that others use too.
TRANSPORTS = ("streamable-http", "sse")


class Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="fumehood-mcp", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def submit(self, work: Coroutine[Any, Any, Any]) -> concurrent.futures.Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, function: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # it has been closed
            self._loop.call_soon_threadsafe(function)

    def close(self) -> None:
        if not self._loop.is_closed():
            self.call(self._loop.stop)
            self._thread.join(_CLOSING_SECONDS)
            if not self._thread.is_alive():
                self._loop.close()


class Server:
    """One server. It is connected when `open` returns; `close` ends it, if it is a program,
    whatever it does."""

    def __init__(
        self,
        loop: Loop,
        parameters: Any,
        seconds: float,
        call_seconds: float,
        *,
        structured: bool = True,
    ) -> None:
        """`seconds` is how long it may take to be ready, `call_seconds` how long to answer a
        call."""
        self._loop = loop
        self._seconds = seconds
        self._call_seconds = call_seconds
        self._structured = structured
        self.label, self._connect = _way_to(parameters)
        self._last_words = _LastWords()
        self._client: Any = None
        self._listed: list[Any] = []
        self._stop: asyncio.Event | None = None
        self._started: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._life: concurrent.futures.Future[None] | None = None
        self._gone: str | None = None

    def open(self) -> None:
        """Connect, and ask what tools there are. Raises ToolError."""
        self._life = self._loop.submit(self._live())
        try:
            self._started.result(self._seconds + _CLOSING_SECONDS)
        except concurrent.futures.TimeoutError:
            raise ToolError(
                f"{self.label} does not answer, not within {self._seconds:g} seconds (timeout)"
            ) from None
        except BaseException:
            self.close()  # Ctrl-C, for one
            raise

    def tools(self) -> list[Tool]:
        """Its tools. Names that code could not use have become ones that it can."""
        made: dict[str, Tool] = {}
        for one in self._listed:
            name = as_identifier(str(one.name))
            number = 2
            while name in made:
                name, number = as_identifier(f"{one.name}_{number}"), number + 1
            made[name] = self._tool(one, name)
        return [*made.values()]

    def close(self) -> None:
        """End the connection, and the program at its other end. Harmless when repeated."""
        if self._life is None:
            return
        self._gone = self._gone or "it has been closed"
        self._loop.call(lambda: self._stop.set() if self._stop is not None else None)
        with contextlib.suppress(
            concurrent.futures.TimeoutError, concurrent.futures.CancelledError, Exception
        ):
            self._life.result(_CLOSING_SECONDS)
        self._last_words.close()

    # -- a tool

    def _tool(self, one: Any, name: str) -> Tool:
        arguments = Arguments(one.input_schema)
        hint, words, is_wrapped = (
            returned(one.output_schema) if self._structured else (Any, "", False)
        )

        def forward(*args: Any, **kwargs: Any) -> Any:
            given = {
                key: as_json(value, f"{name}() argument {key!r}")
                for key, value in arguments.bind(args, kwargs).items()
            }
            result = self._call(name, str(one.name), given)
            return as_value(result, structured=self._structured, is_wrapped=is_wrapped)

        forward.__signature__ = arguments.signature.replace(return_annotation=hint)  # type: ignore[attr-defined]
        described = plain(str(one.description or one.title or "")).strip()
        made = Tool(
            forward,
            name=name,
            description=described or f"{name}, of {self.label}; it says no more.",
            inputs=arguments.inputs,
        )
        made.output_description = words
        made.origin = f"{shown(str(one.name))} of {self.label}"
        return made

    def _call(self, name: str, original: str, arguments: dict[str, Any]) -> Any:
        if self._gone is not None:
            raise ToolError(f"{name} cannot be called: {self.label} is gone: {self._gone}")
        future = self._loop.submit(self._ask(original, arguments))
        try:
            result = future.result(self._call_seconds + 5)
        except (concurrent.futures.TimeoutError, TimeoutError):
            future.cancel()
            raise ToolError(
                f"{name} has not answered for {self._call_seconds:g} seconds ({self.label});"
                " call_timeout gives it more"
            ) from None
        except concurrent.futures.CancelledError:
            raise ToolError(f"{name} cannot be called: {self.label} has been closed") from None
        except Exception as error:
            raise ToolError(f"{name} failed: {self._why(error)}") from None
        if result.is_error:
            text = as_value(result, structured=False, is_wrapped=False)
            raise ToolError(
                _cut(text)
                if isinstance(text, str) and text.strip()
                else f"{name} failed, and {self.label} does not say why"
            )
        return result

    async def _ask(self, name: str, arguments: dict[str, Any]) -> Any:
        import anyio

        client = self._client
        if client is None:
            raise ToolError(self._gone or "it is not connected")
        with anyio.fail_after(self._call_seconds):
            return await client.call_tool(name, arguments)

    # -- the task

    async def _live(self) -> None:
        import anyio

        self._stop = asyncio.Event()
        try:
            with anyio.fail_after(self._seconds) as time_limit:
                async with self._connect(self._last_words) as client:
                    self._listed = await _list_tools(client)
                    self._client = client
                    time_limit.deadline = math.inf
                    self._started.set_result(None)
                    await self._stop.wait()
        except BaseException as error:
            why = self._why(error)
            self._gone = self._gone or why
            if not self._started.done():
                self._started.set_exception(ToolError(f"{self.label} cannot be used: {why}"))
            if not isinstance(error, Exception):
                raise
        finally:
            self._client = None
            self._gone = self._gone or "it has been closed"

    def _why(self, error: BaseException) -> str:
        """What happened, in one line, with the last line that the server wrote to its standard
        error."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, TimeoutError):
            text = f"no answer within {self._seconds:g} seconds"
        elif isinstance(error, FileNotFoundError):
            which = f"program {shown(error.filename)}" if error.filename else "such program"
            text = f"there is no {which}"
        else:
            text = one_line(str(error) or type(error).__name__, 300)
        last = self._last_words.last_line()
        return f"{text} (its last words: {last})" if last else text


async def _list_tools(client: Any) -> list[Any]:
    found: list[Any] = []
    cursor = None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if cursor is None or len(found) >= MOST_TOOLS:
            break
    return found[:MOST_TOOLS]


# -- ways to a server

Connect = Callable[["_LastWords"], Any]


def _way_to(parameters: Any) -> tuple[str, Connect]:
    """What a server is called in messages, and how to connect to it: gives an asynchronous context
    manager of a client."""
    try:
        import mcp
    except ImportError:
        raise MissingExtra("tools of MCP servers need mcp: pip install 'fumehood[mcp]'") from None
    # What a server says wrongly the client logs with a traceback, which Python prints where nobody
    # has said what to do with logs.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    if isinstance(parameters, str) and parameters.startswith(("http://", "https://")):
        parameters = {"url": parameters}
    if isinstance(parameters, Mapping):
        given = dict(parameters)
        if "url" in given:
            return _way_over_http(given)
        if "command" in given:
            known = {
                key: given[key]
                for key in ("command", "args", "env", "cwd")
                if given.get(key) is not None
            }
            try:
                parameters = mcp.StdioServerParameters(**known)
            except ValueError:
                raise ToolError(
                    "an MCP server that is a program needs a command, a text, and args, a list of"
                    " texts, such as "
                    f"{{'command': 'python', 'args': ['server.py']}}, "
                    # not shown: a key may be among them
                    f"not {type(known['command']).__name__} and {type(known.get('args')).__name__}"
                ) from None
    if not isinstance(parameters, mcp.StdioServerParameters):
        example = "{'command': 'python', 'args': ['server.py']} or {'url': 'http://…/mcp'}"
        # Of a dictionary the names alone: among the values may be a key.
        what = (
            f"a dictionary of {[*parameters]!r:.60}"
            if isinstance(parameters, Mapping)
            else asked.shown(parameters)
        )
        raise ToolError(
            f"an MCP server is described by StdioServerParameters or a dictionary, {example}, not"
            f" {what}"
        )
    program = parameters

    def connect(last_words: _LastWords) -> Any:
        return mcp.Client(mcp.stdio_client(program, errlog=last_words.file))

    words = " ".join(
        [os.path.basename(program.command), *program.args]  # noqa: PTH119
    )  # a command is not always a path
    return f"the MCP server {shown(one_line(words, 50))}", connect


def _way_over_http(given: dict[str, Any]) -> tuple[str, Connect]:
    url, transport, headers = (
        given["url"],
        given.get("transport") or given.get("type") or TRANSPORTS[0],
        given.get("headers"),
    )
    transport = {"http": TRANSPORTS[0], "streamable_http": TRANSPORTS[0]}.get(transport, transport)
    if transport not in TRANSPORTS:
        raise ToolError(
            f"an MCP server is reached by {' or '.join(TRANSPORTS)}, not by"
            f" {asked.shown(transport)}"
        )
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        raise ToolError(
            "the address of an MCP server begins with http:// or https://, not like"
            f" {asked.shown(url)}"
        )
    if headers is not None and not isinstance(headers, Mapping):
        raise ToolError(
            "headers for an MCP server are a dictionary, such as {'Authorization': 'Bearer …'},"
            f" not {type(headers).__name__}"
        )

    @contextlib.asynccontextmanager
    async def connect(last_words: _LastWords) -> Any:
        import httpx2
        import mcp
        from mcp.client.sse import sse_client
        from mcp.client.streamable_http import streamable_http_client

        if transport == "sse":
            async with mcp.Client(sse_client(url, headers=dict(headers or {}))) as client:
                yield client
            return
        # Not as long as the client's own default: how long an answer may take is said for each
        # call.
        timeout = httpx2.Timeout(30, read=None)
        async with (
            httpx2.AsyncClient(headers=dict(headers or {}), timeout=timeout) as http,
            mcp.Client(streamable_http_client(url, http_client=http)) as client,
        ):
            yield client

    scheme, _, rest = url.partition("?")[0].partition("://")
    bare = f"{scheme}://{rest.rpartition('@')[2]}"  # without a key that is part of it
    return f"the MCP server at {one_line(bare, 80)}", connect


class _LastWords:
    """The end of what a program writes to its standard error. It is read all the time, or the
    program would wait for ever to write."""

    def __init__(self) -> None:
        self._kept = b""
        self._lock = threading.Lock()
        reads, writes = os.pipe()
        os.set_blocking(reads, False)
        self._pipe = os.fdopen(reads, "rb", buffering=0)
        self.file = os.fdopen(writes, "w")
        threading.Thread(target=self._read, name="fumehood-mcp-stderr", daemon=True).start()

    def _read(self) -> None:
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        while self._take():
            poll.poll()
        with self._lock:
            self._pipe.close()

    def _take(self) -> bool:
        """Read and keep all that is in the pipe. False at the end."""
        with self._lock:
            data = None if self._pipe.closed else self._pipe.read(1 << 16)
            self._kept = (self._kept + (data or b""))[-_LAST_WORDS:]
            return data != b""

    def last_line(self) -> str:
        self._take()
        words = self._kept.decode("utf-8", "replace").splitlines()
        lines = [line for line in words if line.strip()]
        return one_line(lines[-1].strip(), 200) if lines else ""

    def close(self) -> None:
        self.file.close()


def _cut(text: str) -> str:
    text = plain(text).strip()
    return text if len(text) <= 4_000 else f"{text[:4_000]}…"


def open_servers(
    parameters: Any, seconds: float, call_seconds: float, *, structured: bool
) -> tuple[Loop, list[Server]]:
    """Connect to one server or to several at once. If one of them cannot be had, none is left
    running. Raises ToolError."""
    loop = Loop()
    servers: list[Server] = []
    each = parameters if isinstance(parameters, (list, tuple)) else [parameters]
    try:
        servers += [Server(loop, one, seconds, call_seconds, structured=structured) for one in each]
        for server in servers:
            server.open()
    except BaseException:
        close_servers(loop, servers)
        raise
    return loop, servers


def close_servers(loop: Loop, servers: list[Server]) -> None:
    for server in servers:
        server.close()
    loop.close()
