"""What the sandbox is told of a tool, for every kind of callable, and what it is not told."""

from __future__ import annotations

import collections.abc
import datetime
import enum
import functools
import inspect
import json
import operator
import typing
from typing import Annotated, Any, Literal, NewType, Optional, TypeVar, Union

import numpy
import pandas
import pytest

from fumehood.tools.describe import DOC_CHARACTERS, describe, type_text
from fumehood.worker.tools import make_stub

if typing.TYPE_CHECKING:
    from nowhere import Missing


def shown(tool: Any, name: str = "tool") -> str:
    stub: Any = make_stub(describe(name, tool).as_dict(), None, None)  # type: ignore[arg-type]
    return f"{name}{inspect.signature(stub)}"


def search(query: str, limit: int = 10) -> list[str]:
    """Searches.

    And finds.
    """
    return [query] * limit


class Secretive:
    def __repr__(self) -> str:
        return "<Secretive token=hunter2 at /srv/keys>"


class Colour(enum.Enum):
    RED = 1


# -- kinds of callables


class Greeter:
    """Greets."""

    def greet(self, who: str) -> str:
        """Says hello."""
        return f"hello {who}"

    @staticmethod
    def static(x: int) -> int:
        return x

    @classmethod
    def made(cls, x: int) -> Greeter:
        return cls()

    def __call__(self, loud: bool = False) -> str:
        return "!"

    with_key = functools.partialmethod(lambda self, text, key: text, key="hunter2")


def _logged(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        (Greeter().greet, "tool(who: str) -> str"),
        (Greeter.static, "tool(x: int) -> int"),
        (Greeter.made, "tool(x: int) -> Greeter"),
        (Greeter(), "tool(loud: bool = False) -> str"),
        (Greeter, "tool()"),
        (_logged(search), "tool(query: str, limit: int = 10) -> list[str]"),
        (functools.lru_cache(search), "tool(query: str, limit: int = 10) -> list[str]"),
        (functools.partial(search, "cats"), "tool(limit: int = 10) -> list[str]"),
        (lambda x, y=2: x, "tool(x, y=2)"),
        (len, "tool(obj, /)"),
        (max, "tool(*args, **kwargs)"),
        (dict, "tool(*args, **kwargs)"),
        (operator.add, "tool(a, b, /)"),
    ],
    ids=(
        "method static classmethod object class decorated cached partial lambda len max dict"
        " operator".split()
    ),
)
def test_any_callable_can_be_a_tool(tool: Any, text: str) -> None:
    assert shown(tool) == text


# -- nothing of the host


def test_what_a_partial_has_fixed_is_not_shown() -> None:
    def ask(question: str, key: str, limit: int = 3) -> str:
        return question

    for tool in (
        functools.partial(ask, key="hunter2"),
        _logged(functools.partial(ask, key="hunter2")),
        Greeter().with_key,
    ):
        assert "hunter2" not in json.dumps(describe("ask", tool).as_dict())
        assert "key" not in shown(tool)


def test_a_default_that_is_no_plain_literal_is_not_shown() -> None:
    def tool(
        a=Secretive(),  # noqa: B008
        b=[Secretive()],  # noqa: B006, B008
        c=Colour.RED,
        d="x" * 5000,
        e=print,
        f={"k": (1, None)},  # noqa: B006
        g=10**400,
    ): ...

    assert shown(tool) == "tool(a=..., b=..., c=..., d=..., e=..., f={'k': (1, None)}, g=...)"


def test_documentation_is_bounded_and_has_no_lone_surrogates() -> None:
    def tool(): ...

    tool.__doc__ = "\ud800" + "x" * 100_000
    doc = describe("tool", tool).doc
    assert len(doc) == DOC_CHARACTERS
    assert doc.startswith("?x") and doc.endswith("…")


# -- types as text

T = TypeVar("T")
UserId = NewType("UserId", int)


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (int, "int"),
        (None, "None"),
        (Any, "Any"),
        (list[str], "list[str]"),
        (typing.List[int], "list[int]"),  # noqa: UP006
        (Optional[str], "str | None"),  # noqa: UP045
        (Union[None, int, str], "int | str | None"),  # noqa: UP007
        (dict[str, list[int | None]], "dict[str, list[int | None]]"),
        (tuple[int, ...], "tuple[int, ...]"),
        (collections.abc.Sequence[str], "Sequence[str]"),
        (collections.abc.Callable[[int, str], bool], "Callable[[int, str], bool]"),
        (Literal["a", 1, Colour.RED], "Literal['a', 1, Colour.RED]"),
        (Annotated[int, Secretive()], "int"),
        (list[Annotated[int, Secretive()]], "list[int]"),
        (T, "T"),
        (UserId, "UserId"),
        (datetime.date, "datetime.date"),
        (numpy.ndarray, "numpy.ndarray"),
        (pandas.DataFrame, "pandas.DataFrame"),
        (Secretive, "Secretive"),
        (Secretive(), ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_types_are_shown_as_readers_write_them(hint: Any, text: str) -> None:
    assert type_text(hint) == text


def test_a_hint_that_cannot_be_resolved_is_shown_as_written_and_spoils_no_other() -> None:
    def tool(a: Missing, b: int, c: Missing[int] | None = None, d: open("x").read() = 1): ...  # type: ignore  # noqa: PTH123, SIM115

    assert shown(tool) == "tool(a: Missing, b: int, c: Missing[int] | None = None, d=1)"
