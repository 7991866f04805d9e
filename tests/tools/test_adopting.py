"""Tools of every kind as Tools."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

import pytest

from fumehood.errors import ToolError
from fumehood.executors.local import LocalPythonExecutor
from fumehood.tools.adopting import as_tools
from fumehood.tools.answer import FinalAnswerTool
from fumehood.tools.describe import is_async
from fumehood.tools.prompting import signature_text
from fumehood.tools.tool import Tool, tool


def add(a: int, b: int = 2) -> int:
    """Add."""
    return a + b


@tool
def twice(x: int) -> int:
    """Twice."""
    return 2 * x


class Counter:
    name = "counter"
    description = "Counts."

    def __call__(self, by: int = 1) -> int:
        return by

    def method(self, x: int) -> int:
        """A method."""
        return x + 1


def head(thing: Tool) -> str:
    return signature_text(thing).splitlines()[0]


def test_a_partial_is_called_what_its_function_is_and_hides_what_it_has_fixed() -> None:
    made = as_tools([functools.partial(add, b=5)])["add"]
    assert (head(made), made(1)) == ("def add(a: int) -> int:", 6)
    with pytest.raises(TypeError, match="unexpected keyword"):
        made(1, b=3)


def test_a_thing_with_inputs_and_no_name_is_taken_under_a_given_one() -> None:
    class Bare:
        inputs = {"a": {"type": "integer", "description": "A."}}  # noqa: RUF012

        def __call__(self, **kwargs: Any) -> Any:
            return kwargs

    assert (
        as_tools({"bare": Bare()})["bare"](a=3) == as_tools({"bare": Bare()})["bare"](3) == {"a": 3}
    )
    with pytest.raises(ToolError, match="has no name"):
        as_tools([Bare()])
    with pytest.raises(ToolError, match=r"without Tool\(\)"):
        Tool(Bare(), name="bare")


def test_two_tools_of_one_name_are_refused_with_what_each_is() -> None:
    def other(x: int) -> int:
        """Other."""
        return x

    other.__name__ = "twice"
    with pytest.raises(
        ToolError,
        match=(
            r"two tools are called 'twice': the function .*\.twice and the function .*other; give"
            r" one another name"
        ),
    ):
        as_tools([twice, other])


@pytest.mark.parametrize(
    ("things", "words"),
    [
        (twice, "tools must be a list or a dictionary of tools, not Tool; for one, write \\[it\\]"),
        ("web_search", "not str"),
        (None, "not NoneType"),
        (3, "not int"),
        (
            ["web_search"],
            "a tool must be a function, an object that can be called or a Tool, not str",
        ),
        ([None], "not NoneType"),
        ([[add]], "not list"),
        ([FinalAnswerTool], "FinalAnswerTool is a class of tools; make one: FinalAnswerTool\\(\\)"),
        ([lambda x: x], "a lambda has no name"),
        ({"not a name": add}, "cannot be called 'not a name'"),
        ({"print": add}, "a builtin of Python"),
        ({3: add}, "a name is text, not int"),
    ],
)
def test_what_is_no_tool_is_said_in_one_line(things: Any, words: str) -> None:
    with pytest.raises(ToolError, match=words) as caught:
        as_tools(things)
    assert "\n" not in str(caught.value)


# -- agents


class Agent:
    name = "researcher"
    description = "Finds things out."

    def run(self, task: str, additional_args: dict[str, Any] | None = None) -> str:
        return f"{task}: {additional_args}"


def test_an_agent_is_called_with_a_task() -> None:
    made = as_tools([Agent()])["researcher"]
    assert made("look") == "look: None"
    assert made(task="look", additional_args={"x": 1}) == "look: {'x': 1}"
    assert head(made) == "def researcher(task: str, additional_args: dict[str, Any] | None = None):"
    assert "Finds things out." in signature_text(made)


# -- other libraries


def test_tools_of_smolagents_are_taken_as_they_are() -> None:
    smolagents = pytest.importorskip("smolagents")

    tool = smolagents.tool

    @tool
    def weather(city: str, days: int | None = None) -> str:
        """The weather.

        Args:
            city: The city.
            days: How many days.
        """
        return f"{city} {days}"

    class Own(smolagents.Tool):  # type: ignore[misc, name-defined]
        name = "own"
        description = "Own."
        inputs = {  # noqa: RUF012
            "image": {"type": "image", "description": "A picture."},
            "n": {"type": "integer", "description": "N.", "nullable": True},
        }
        output_type = "object"

        def setup(self) -> None:
            self.is_initialized = True
            self.ready = "ready"

        def forward(self, image, n=None):  # type: ignore[no-untyped-def]
            return {"image": image, "n": n, "ready": self.ready}

    tools = as_tools([weather, Own(), smolagents.FinalAnswerTool()])
    assert [*tools] == ["weather", "own", "final_answer"]
    assert (tools["weather"]("Oslo"), tools["weather"]("Oslo", days=2)) == ("Oslo None", "Oslo 2")
    assert head(tools["weather"]) == "def weather(city: str, days: int | None = None) -> str:"
    assert tools["weather"].inputs["city"] == {"type": "string", "description": "The city."}
    assert tools["own"](b"x", 3) == {"image": b"x", "n": 3, "ready": "ready"}
    assert tools["own"].inputs["image"]["type"] == "image"
    assert tools["own"].output_type == "object"
    with pytest.raises(TypeError, match="must be int"):
        tools["own"](b"x", "many")
    with pytest.raises(ToolError, match="make one: Own"):
        as_tools([Own])


@pytest.mark.extended
def test_tools_of_langchain_are_taken_as_they_are() -> None:
    langchain = pytest.importorskip("langchain_core.tools")

    @langchain.tool("web-search")
    def search(query: str, limit: int = 3, tags: list[str] | None = None) -> str:
        """Searches."""
        return f"{query} {limit} {tags}"

    async def later(x: int) -> int:
        """Later."""
        return x + 1

    async_only = langchain.StructuredTool.from_function(coroutine=later)
    single = langchain.Tool(name="upper", func=lambda text: text.upper(), description="Upper case.")
    tools = as_tools([search, async_only, single])
    assert [*tools] == ["web_search", "later", "upper"]
    assert tools["web_search"]("a", tags=["t"]) == "a 3 ['t']"
    assert (
        head(tools["web_search"])
        == "def web_search(query: str, limit: int = 3, tags: list[str] | None = None):"
    )
    assert is_async(tools["later"])
    assert asyncio.run(tools["later"](1)) == 2
    assert tools["upper"]("abc") == "ABC"
    assert head(tools["upper"]) == "def upper(tool_input: str):"
    with pytest.raises(TypeError, match="must be int"):
        tools["web_search"]("a", "many")


def test_an_executor_takes_tools_of_langchain_as_an_agent_does() -> None:
    langchain = pytest.importorskip("langchain_core.tools")

    @langchain.tool
    def weather(city: str) -> str:
        """The weather of a city."""
        return f"sun in {city}"

    with LocalPythonExecutor(isolation="inline") as executor:
        executor.send_tools({"weather": weather})
        assert executor("weather('Oslo')").output == "sun in Oslo"
        with pytest.raises(ToolError, match="must be a function"):
            executor.send_tools({"number": 3})
