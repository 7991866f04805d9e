"""Tools by their words on the command line: a name of ours, module:name, or mcp: and how to reach a
server."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fumehood.cli.terminal import BAD_INPUT, fail
from fumehood.errors import ToolError

Ask = Callable[[str], str]


def _web_search(ask: Ask) -> Any:
    from fumehood.tools.search import DuckDuckGoSearchTool

    return DuckDuckGoSearchTool()


def _visit_webpage(ask: Ask) -> Any:
    from fumehood.tools.web import VisitWebpageTool

    return VisitWebpageTool()


def _user_input(ask: Ask) -> Any:
    from fumehood.tools.people import UserInputTool

    return UserInputTool(ask)


BUILT_IN: dict[str, Callable[[Ask], Any]] = {
    "web_search": _web_search,
    "visit_webpage": _visit_webpage,
    "user_input": _user_input,
}


def tools_of(texts: Iterable[str], ask: Ask, servers: contextlib.ExitStack) -> list[Any]:
    """The tools. MCP servers that are started for them end with `servers`.

    What is wrong with the words ends the command; what is wrong with a tool is raised, as
    FumehoodError.
    """
    return [tool for text in texts for tool in _tools(text, ask, servers)]


def _tools(text: str, ask: Ask, servers: contextlib.ExitStack) -> list[Any]:
    if text in BUILT_IN:
        return [BUILT_IN[text](ask)]
    if text.startswith("mcp:"):
        return _from_mcp(text.removeprefix("mcp:").strip(), servers)
    module, colon, name = text.partition(":")
    if not colon or not name or not module:
        fail(
            f"--tool {text}: must be {', '.join(BUILT_IN)}, package.module:name, mcp:COMMAND or mcp:http://…",
            BAD_INPUT,
        )
    return _imported(text, module, name)


def _from_mcp(server: str, servers: contextlib.ExitStack) -> list[Any]:
    from fumehood.tools.collection import ToolCollection

    parameters: dict[str, Any]
    if server.startswith(("http://", "https://")):
        parameters = {"url": server, "transport": "streamable-http"}
    else:
        try:
            words = shlex.split(server)
        except ValueError as error:
            fail(f"--tool mcp:{server}: {error}", BAD_INPUT)
        if not words:
            fail(
                "--tool mcp: the command of a server, or its address, belongs behind the colon",
                BAD_INPUT,
            )
        parameters = {"command": words[0], "args": words[1:]}
    return list(servers.enter_context(ToolCollection.from_mcp(parameters)).tools)


def _imported(text: str, module: str, name: str) -> list[Any]:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)  # as with python -m: tools are often a file beside where one works
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # a module may do anything when it is imported
        raise ToolError(f"--tool {text}: {type(error).__name__}: {error}") from error
    if isinstance(found, list | tuple):
        return list(found)
    return [found() if inspect.isclass(found) else found]
