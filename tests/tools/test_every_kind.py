"""Tools of every kind, called from code in executors of every kind."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any

import pytest

from fumehood import LocalPythonExecutor
from fumehood.tools.adopting import as_tools
from fumehood.tools.tool import Tool, tool


def search(query: str, limit: int = 3, *, tags: list[str] | None = None) -> str:
    """Searches.

    Args:
        query: What for.
    """
    if query == "fail":
        raise LookupError("nothing found", 7)
    return f"{query} {limit} {tags}"


async def asearch(query: str, limit: int = 3, *, tags: list[str] | None = None) -> str:
    """Searches."""
    await asyncio.sleep(0)
    return search(query, limit, tags=tags)


class Searching(Tool):
    """Searches."""

    name = "search"

    def forward(self, query: str, limit: int = 3, *, tags: list[str] | None = None) -> str:
        return search(query, limit, tags=tags)


class Searcher:
    name = "search"
    description = "Searches."

    def __call__(self, query: str, limit: int = 3, *, tags: list[str] | None = None) -> str:
        return search(query, limit, tags=tags)

    method = __call__


def _smolagents() -> Any:
    smolagents = pytest.importorskip("smolagents")

    class Search(smolagents.Tool):  # type: ignore[misc, name-defined]
        name = "search"
        description = "Searches."
        inputs = {  # noqa: RUF012
            "query": {"type": "string", "description": "What for."},
            "limit": {"type": "integer", "description": "How many.", "nullable": True},
            "tags": {"type": "array", "description": "Tags.", "nullable": True},
        }
        output_type = "string"

        def forward(self, query: str, limit: int | None = 3, tags: list[str] | None = None) -> str:
            return search(query, limit or 3, tags=tags)

    return Search()


def _langchain() -> Any:
    return pytest.importorskip("langchain_core.tools").StructuredTool.from_function(search)


KINDS: dict[str, Callable[[], Any]] = {
    "function": lambda: search,
    "tool": lambda: tool(search),
    "async": lambda: Tool(asearch, name="search"),
    "class": Searching,
    "object": Searcher,
    "method": lambda: Tool(Searcher().method, name="search", description="Searches."),
    "partial": lambda: functools.partial(search),
    "smolagents": _smolagents,
    "langchain": _langchain,
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def searcher(executor: LocalPythonExecutor, kind: str) -> LocalPythonExecutor:
    """An executor whose code can search with a tool of each kind in turn."""
    executor.send_tools(as_tools([KINDS[kind]()]))
    return executor


def test_it_is_called_by_position_by_name_and_with_defaults(searcher: LocalPythonExecutor) -> None:
    assert searcher("search('a')").output == "a 3 None"
    assert searcher("search('a', 5)").output == "a 5 None"
    assert searcher("search(limit=5, query='a')").output == "a 5 None"
    assert searcher("search('a', tags=['x', 'y'])").output == "a 3 ['x', 'y']"
    assert searcher("search(**{'query': 'a', 'tags': None})").output == "a 3 None"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("search(3)", "search() argument 'query' must be str, not int (3)"),
        ("search('a', 'many')", "search() argument 'limit' must be int"),
        ("search('a', tags='x')", "search() argument 'tags' must be list[str]"),
        ("search()", "search() missing 1 required positional argument: 'query'"),
        (
            "search('a', lmit=3)",
            "search() got an unexpected keyword argument 'lmit'. Did you mean 'limit'?",
        ),
    ],
)
def test_a_call_that_does_not_fit_is_a_type_error_that_says_why(
    searcher: LocalPythonExecutor, call: str, words: str
) -> None:
    error = searcher.run(call).error
    assert error is not None
    assert error.type == "TypeError"
    assert words in error.message
