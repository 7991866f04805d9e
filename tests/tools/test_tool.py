"""Tool and @tool: what they make of functions and classes, and what they refuse."""

# a class of tools has its inputs as everybody writes them

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest

from fumehood.errors import ToolError
from fumehood.tools.tool import Tool, tool


def refusal(make: Callable[[], Any]) -> str:
    with pytest.raises(ToolError) as caught:
        make()
    text = str(caught.value)
    assert "\n" not in text and len(text) < 400
    return text


# -- from a function


@tool
def price(
    ticker: str,
    day: int | None = None,
    *,
    kinds: list[str] = (),
    unit: Literal["EUR", "USD"] = "EUR",
) -> float:  # type: ignore[assignment]
    """The price of a share.

    As it was at the end of the day.

    Args:
        ticker: Its symbol.
        day: The day,
            counted from today.

    Returns:
        The price.
    """
    return len(ticker) + (day or 0)


def test_name_description_inputs_and_output_come_from_the_function() -> None:
    assert price.name == "price"
    assert price.description == "The price of a share.\n\nAs it was at the end of the day."
    assert price.inputs == {
        "ticker": {"type": "string", "description": "Its symbol."},
        "day": {"type": "integer", "description": "The day, counted from today.", "nullable": True},
        "kinds": {"type": "array", "description": ""},
        "unit": {"type": "string", "description": ""},
    }
    assert (price.output_type, price.output_description) == ("number", "The price.")


class Counter:
    """Counts things."""

    name = "counter"

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, by: int = 1) -> int:
        self.count += by
        return self.count

    def reset(self) -> None:
        """Begin anew."""
        self.count = 0


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


# -- from a class


class Doubling(Tool):
    name = "double"
    description = "Doubles a text."
    inputs = {  # noqa: RUF012
        "text": {"type": "string", "description": "What to double."},
        "times": {"type": "integer", "description": "", "nullable": True},
    }
    output_type = "string"

    def forward(self, text, times=None):  # type: ignore[no-untyped-def, override]
        return text * (times or 2)


# -- setup


class Loaded(Tool):
    """Needs something to be loaded."""

    name = "loaded"

    def __init__(self) -> None:
        super().__init__()
        self.loads = 0
        self.fails = 0

    def setup(self) -> None:
        self.loads += 1
        if self.fails:
            self.fails -= 1
            raise OSError("not now")

    def forward(self, x: int) -> int:
        return x + self.loads


def test_setup_that_fails_is_tried_again_at_the_next_call() -> None:
    made = Loaded()
    made.fails = 1
    with pytest.raises(OSError, match="not now"):
        made(1)
    assert (made(1), made.loads) == (3, 2)


def test_setup_happens_once_however_many_threads_are_first() -> None:
    begin = threading.Barrier(8)
    made = Loaded()
    results: list[int] = []

    def call() -> None:
        begin.wait()
        results.append(made(1))

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (made.loads, results) == (1, [2] * 8)


# -- what is refused


def undescribed(x: int) -> int:
    return x


def generates(x: int) -> Iterator[int]:
    """Generates."""
    yield x


class _Methods:
    def method(self, x: int) -> int:
        """A method."""
        return x


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Tool(), "needs a function"),
        (lambda: Tool(3), "must be a function, or an object that can be called, not 3"),  # type: ignore[arg-type]
        (lambda: Tool(price), "is a tool already"),
        (lambda: tool(undescribed), "tool 'undescribed' has no description"),
        (lambda: Tool(add, description="   ", name="add").description and Tool(undescribed, description=" "), "has no description"),
        (lambda: tool(lambda x: x), "a lambda has no name"),
        (lambda: Tool(_Methods.method), "is a method without its object"),
        (lambda: Tool(generates), "a generator cannot be sent"),
        (lambda: Tool(add, name="a b"), "cannot be called 'a b': it is not an identifier"),
        (lambda: Tool(add, name="class"), "it is a keyword"),
        (lambda: Tool(add, name="print"), "a builtin of Python"),
        (lambda: Tool(add, name="x" * 1000), "1000 characters"),
        (lambda: Tool(add, name=3), "a name is text, not int"),  # type: ignore[arg-type]
        (lambda: Tool(add, runs="moon"), "runs must be 'host' or 'sandbox', not 'moon'"),  # type: ignore[arg-type]
        (lambda: Tool(add, inputs={"a": {"type": "integer"}}), "forward takes 'b', which inputs does not have"),
        (lambda: Tool(add, inputs=["a", "b"]), "inputs must be a dictionary"),  # type: ignore[arg-type]
        (lambda: Tool(add, output_type="text"), "output_type names the type 'text'; types are string"),
        (lambda: Tool(add, output_type=str), "output_type names the type 'str'; types are string"),  # type: ignore[arg-type]
        (lambda: Doubling(add), "has a forward of its own"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_function_is_said_in_one_line(
    make: Callable[[], Any], words: str
) -> None:
    assert words in refusal(make)


def _class(**attributes: Any) -> Callable[[], Any]:
    own = {
        "name": "own",
        "description": "Own.",
        "inputs": {"x": {"type": "integer", "description": "The x."}},
        "output_type": "integer",
        "forward": lambda self, x: x,
    }
    return lambda: type(
        "Own",
        (Tool,),
        {key: value for key, value in (own | attributes).items() if value is not None},
    )


async def _async_setup(self: Any) -> None: ...


def _hinted(self: Any, x: str) -> str:
    return x


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_class(name="not valid"), "cannot be called 'not valid'"),
        (_class(name="list"), "a builtin of Python"),
        (_class(description=None), "tool 'own' has no description"),
        (_class(description=""), "has no description"),
        (_class(inputs={"y": {"type": "integer", "description": ""}}), "inputs has 'y', which forward does not take"),
        (_class(inputs={}), "forward takes 'x', which inputs does not have"),
        (_class(inputs={"x": "integer"}), "inputs['x'] must say type and description"),
        (_class(inputs={"x": {"description": "no type"}}), "inputs['x'] must say type and description"),
        (_class(inputs={"x": {"type": "int", "description": ""}}), "inputs['x'] names the type 'int'; types are string, integer"),
        (_class(inputs={"x": {"type": ["integer", "text"]}}), "names the type 'text'"),
        (_class(inputs={"x": {"type": "integer", "description": 3}}), "the description of inputs['x'] must be text"),
        (_class(inputs={"not a name": {"type": "integer"}}), "cannot be the name of an argument"),
        (_class(inputs={"x": {"type": "integer"}}, forward=_hinted), "inputs['x'] is 'integer', but forward says 'string'"),
        (_class(output_type="int"), "output_type names the type 'int'"),
        (_class(runs="nowhere"), "runs must be"),
        (_class(setup=_async_setup), "setup() cannot be asynchronous"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_class_is_said_where_it_is_defined(
    make: Callable[[], Any], words: str
) -> None:
    assert words in refusal(make)
