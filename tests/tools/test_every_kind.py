"""Tools of every kind, called from code in executors of every kind."""

from __future__ import annotations

import asyncio
import functools
import threading
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


def test_what_it_raises_is_raised_in_the_code(searcher: LocalPythonExecutor) -> None:
    code = "try:\n    search('fail')\nexcept LookupError as error:\n    r = error.args\nr"
    assert searcher(code).output == ("nothing found", 7)


def test_many_calls_at_once_each_get_their_own_answer(searcher: LocalPythonExecutor) -> None:
    code = "import asyncio\nawait asyncio.gather(*[search.aio(str(i), i) for i in range(1, 11)])"
    assert searcher(code).output == [f"{i} {i} None" for i in range(1, 11)]


@pytest.mark.filterwarnings("ignore::fumehood.DangerousImport")
def test_it_is_called_from_threads(make_executor: Any, kind: str) -> None:
    executor = make_executor(["concurrent.futures"])
    executor.send_tools(as_tools([KINDS[kind]()]))
    code = (
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(4) as pool:\n  "
        "  r = [*pool.map(search, 'abcdef')]\nr"
    )
    assert executor(code).output == [f"{letter} 3 None" for letter in "abcdef"]


def test_calls_are_listed(searcher: LocalPythonExecutor) -> None:
    assert searcher.run("search('a'); search('b')").tool_calls == ("search", "search")


# -- values


def test_tables_and_arrays_go_there_and_back(make_executor: Any) -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    seen: list[Any] = []

    def double(table: Any) -> Any:
        """Doubles a table."""
        seen.append(table)
        return table * 2

    double.__annotations__["table"] = pandas.DataFrame
    executor = make_executor(["pandas", "numpy"])
    executor.send_tools(
        as_tools([double, Tool(lambda: numpy.arange(3), name="numbers", description="Numbers.")])
    )
    assert (
        executor(
            "import pandas as pd\nt = double(pd.DataFrame({'a': [1, 2]}))\nint(t['a'].sum())"
        ).output
        == 6
    )
    assert type(seen[0]) is pandas.DataFrame
    assert executor("numbers().tolist()").output == [0, 1, 2]
    assert "must be pandas.DataFrame, not list" in str(executor.run("double([1])").error)


def test_pictures_go_there_and_back(make_executor: Any) -> None:
    image = pytest.importorskip("PIL.Image")

    @tool
    def red(width: int) -> Any:
        """A red picture."""
        return image.new("RGB", (width, 2), "red")

    executor = make_executor(["PIL"])
    executor.send_tools({"red": red})
    assert executor("red(3).size").output == (3, 2)
    assert executor("red(3)").output.getpixel((0, 0)) == (255, 0, 0)


def test_a_tool_is_set_up_when_code_first_calls_it_and_once(executor: LocalPythonExecutor) -> None:
    class Loaded(Tool):
        """Loaded."""

        name = "loaded"
        loads = 0

        def setup(self) -> None:
            self.loads += 1
            threading.Event().wait(0.01)

        def forward(self) -> int:
            return self.loads

    made = Loaded()
    executor.send_tools({"loaded": made})
    assert made.loads == 0
    assert (
        executor("import asyncio\nawait asyncio.gather(*[loaded.aio() for _ in range(8)])").output
        == [1] * 8
    )
