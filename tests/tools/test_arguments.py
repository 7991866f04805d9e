"""Checking a call before the tool runs: what fits, what is converted, what is refused and with
which words."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import functools
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, TypedDict, TypeVar, Union

import numpy
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood.tools.arguments import checked
from fumehood.wire.records import Record, RemoteObject

if typing.TYPE_CHECKING:
    from nowhere import Missing


def takes(hint: Any) -> Callable[[Any], Any]:
    """The check for one value of a hint, as a function that gives the value the tool would get."""

    def tool(value): ...

    tool.__annotations__ = {"value": hint}
    check = checked(tool)
    return lambda value: check((value,), {})[0][0]


def refusal(hint: Any, value: Any) -> str:
    with pytest.raises(TypeError) as caught:
        takes(hint)(value)
    return str(caught.value)


class Colour(enum.Enum):
    RED = "red"
    BLUE = 2
    PAIR = (1, 2)


class Permission(enum.Flag):
    READ = 1
    WRITE = 2


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.0

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x is negative")


@dataclasses.dataclass
class Tree:
    name: str
    children: list[Tree] = dataclasses.field(default_factory=list)


class Options(TypedDict):
    depth: int
    width: typing.NotRequired[float]


class Pair(NamedTuple):
    a: int
    b: int = 2


UserId = NewType("UserId", int)
Unbound = TypeVar("Unbound")
Bound = TypeVar("Bound", bound=str)
Chosen = TypeVar("Chosen", int, str)
REMOTE = RemoteObject(1, "function", "<function f>")
TODAY = datetime.date(2024, 1, 2)


# -- what is taken, and as what


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (int, 5),
        (int, 10**100),
        (float, float("inf")),
        (bool, True),
        (str, "x"),
        (bytes, b"x"),
        (None, None),
        (Any, REMOTE),
        (object, REMOTE),
        (Optional[int], None),  # noqa: UP045
        (Union[int, str], "x"),  # noqa: UP007
        (int | None, 5),
        (float | int, 1),
        (Literal["a", 1], 1),
        (list, [1, "x"]),
        (list[int], [1, 2]),
        (list[Any], [1, REMOTE]),
        (list[list[int]], [[1], []]),
        (tuple[int, ...], (1, 2, 3)),
        (tuple[int, str], (1, "x")),
        (tuple[()], ()),
        (typing.Tuple, (1, 2)),  # noqa: UP006
        (set[str], {"a"}),
        (frozenset[int], frozenset({1})),
        (dict[str, int], {"a": 1}),
        (dict, {1: 2}),
        (Mapping[str, Any], {"a": REMOTE}),
        (Sequence[int], (1, 2)),
        (Sequence[int], range(10**18)),
        (Sequence[str], "text"),
        (Iterable[int], {1, 2}),
        (Iterable[int], numpy.arange(3)),
        (Collection[str], {"a": 1}),
        (collections.deque[int], collections.deque([1])),
        (UserId, 5),
        (Annotated[int, "small"], 5),
        (Unbound, REMOTE),
        (Bound, "x"),
        (Chosen, 1),
        (Colour, Colour.RED),
        (Options, {"depth": 1}),
        (Options, {"depth": 1, "width": 2.5}),
        (datetime.date, TODAY),
        (Decimal, Decimal("1.5")),
        (Path, Path("x")),
        (numpy.ndarray, numpy.arange(3)),
        (pandas.DataFrame, pandas.DataFrame({"a": [1]})),
        (typing.LiteralString, "x"),
    ],
    ids=str,
)
def test_a_value_of_the_right_kind_is_taken_as_it_is(hint: Any, value: Any) -> None:
    assert takes(hint)(value) is value


@pytest.mark.parametrize(
    ("hint", "value", "becomes"),
    [
        (float, 3, 3.0),
        (complex, 3, 3 + 0j),
        (complex, 2.5, 2.5 + 0j),
        (list[float], [1, 2.5], [1.0, 2.5]),
        (dict[str, float], {"a": 1}, {"a": 1.0}),
        (tuple[float, str], (1, "x"), (1.0, "x")),
        (set[float], {1}, {1.0}),
        (float | None, 1, 1.0),
        (Colour, "red", Colour.RED),
        (Colour, "RED", Colour.RED),
        (Colour, 2, Colour.BLUE),
        (Colour, (1, 2), Colour.PAIR),
        (list[Colour], ["red", 2], [Colour.RED, Colour.BLUE]),
        (Literal[Colour.RED], "red", Colour.RED),
        (Permission, 3, Permission.READ | Permission.WRITE),
        (Point, {"x": 1, "y": 2}, Point(1, 2.0)),
        (Point, {"x": 1}, Point(1)),
        (Tree, {"name": "a", "children": [{"name": "b"}]}, Tree("a", [Tree("b")])),
        (Pair, {"a": 1}, Pair(1)),
        (Point, Record("Point", "dataclass", ("x", "y"), (1, 2)), Point(1, 2.0)),
        (Point, Record("Other", "frozen", ("x",), (1,)), Point(1)),
        (Pair, Record("Pair", "namedtuple", ("a", "b"), (1, 3)), Pair(1, 3)),
        (tuple, Record("Pair", "namedtuple", ("a", "b"), (1, 3)), (1, 3)),
        (tuple[int, int], Record("Pair", "namedtuple", ("a", "b"), (1, 3)), (1, 3)),
        (Sequence[float], Record("Pair", "namedtuple", ("a", "b"), (1, 3)), (1.0, 3.0)),
        (Colour, Record("Color", "enum", ("name", "value"), ("RED", 1)), Colour.RED),
        (Options, {"depth": 1, "width": 2}, {"depth": 1, "width": 2.0}),
        (Path, "a/b", Path("a/b")),
        (Path, PurePosixPath("a/b"), Path("a/b")),
        (int, numpy.int64(5), 5),
        (float, numpy.float32(0.5), 0.5),
        (float, numpy.float64(0.5), 0.5),
        (float, numpy.int8(1), 1.0),
        (bool, numpy.bool_(True), True),
        (str, numpy.str_("x"), "x"),
    ],
    ids=str,
)
def test_a_value_that_means_the_same_is_converted(hint: Any, value: Any, becomes: Any) -> None:
    made = takes(hint)(value)
    assert made == becomes
    assert type(made) is type(becomes)
    if isinstance(becomes, (list, tuple)):
        assert [type(item) for item in made] == [type(item) for item in becomes]
    if type(becomes) is dict:
        assert [type(item) for item in made.values()] == [type(item) for item in becomes.values()]


@pytest.mark.parametrize(
    ("hint", "value", "words"),
    [
        (int, "10", "must be int, not str ('10')"),
        (int, True, "must be int, not bool (True)"),
        (int, 1.0, "must be int, not float (1.0)"),
        (int, None, "must be int, not None"),
        (int, REMOTE, "must be int, not an object of the sandbox (function)"),
        (int, numpy.timedelta64(1, "D"), "must be int, not timedelta64"),
        (float, "1.5", "must be float, not str ('1.5')"),
        (float, True, "must be float, not bool (True)"),
        (float, 10**400, "must be float, not int (1329 bits)"),
        (float, numpy.longdouble(1), "must be float, not longdouble"),
        (bool, 1, "must be bool, not int (1)"),
        (str, b"x", "must be str, not bytes (b'x')"),
        (str, 5, "must be str, not int (5)"),
        (bytes, "x" * 100, "must be bytes, not str ('" + "x" * 37 + "'…)"),
        (None, 0, "must be None, not int (0)"),
        (int | str, 1.5, "must be int | str, not float (1.5)"),
        (Literal["a", 1], "b", "must be Literal['a', 1], not str ('b')"),
        (Literal[1], True, "must be Literal[1], not bool (True)"),
        (list, (1,), "must be list, not tuple"),
        (list[int], [1, 2, "x"], "must be list[int], but item 2 is str ('x')"),
        (
            list[dict[str, int]],
            [{}, {"a": "b"}],
            "must be list[dict[str, int]], but item 1, ['a'] is str ('b')",
        ),
        (dict[str, int], {1: 1}, "must be dict[str, int], but a key is int (1)"),
        (tuple[int, str], (1,), "must be tuple[int, str], but it has 1 item"),
        (tuple[int, str], (1, 2), "must be tuple[int, str], but item 1 is int (2)"),
        (tuple[()], (1,), "must be tuple, but it has 1 item"),
        (Sequence[int], "text", "must be Sequence[int], but item 0 is str ('t')"),
        (Sequence[str], range(3), "must be Sequence[str], not range"),
        (Sequence[int], {1}, "must be Sequence[int], not set"),
        (Iterable[int], 5, "must be Iterable[int], not int (5)"),
        (
            Callable[[int], str],
            REMOTE,
            "must be Callable[[int], str], not an object of the sandbox (function)",
        ),
        (Callable, "f", "must be Callable, not str ('f')"),
        (type, "int", "must be type, not str ('int')"),
        (UserId, "5", "must be UserId, not str ('5')"),
        (Bound, 5, "must be Bound, not int (5)"),
        (Chosen, 1.5, "must be Chosen, not float (1.5)"),
        (Annotated[int, "small"], "5", "must be int, not str ('5')"),
        (Colour, "green", "must be Colour, not str ('green')"),
        (Colour, True, "must be Colour, not bool (True)"),
        (Point, {"y": 1}, "must be Point, but 'x' is missing"),
        (Point, {"x": 1, "z": 1}, "must be Point, but 'z' is not one of x, y"),
        (Point, {"x": "1"}, "must be Point, but ['x'] is str ('1')"),
        (Point, {"x": -1}, "must be Point, not dict: ValueError: x is negative"),
        (Point, (1, 2), "must be Point, not tuple"),
        (
            Tree,
            {"name": "a", "children": [{"name": 5}]},
            "must be Tree, but ['children'], item 0, ['name'] is int (5)",
        ),
        (
            Point,
            Record("P", "dataclass", ("x", "z"), (1, 2)),
            "must be Point, but 'z' is not one of x, y",
        ),
        (Point, Record("C", "enum", ("name", "value"), ("x", 1)), "must be Point, not C"),
        (Colour, Record("C", "enum", ("name", "value"), ([], 1)), "must be Colour, not C"),
        (Iterable[int], Record("P", "dataclass", ("x",), (1,)), "must be Iterable[int], not P"),
        (
            tuple[int],
            Record("P", "namedtuple", ("x",), ("1",)),
            "must be tuple[int], but item 0 is str ('1')",
        ),
        (Options, {}, "must be Options, but 'depth' is missing"),
        (Options, {"depth": 1, 5: 1}, "must be Options, but 5 is not one of depth, width"),
        (datetime.date, "2024-01-02", "must be datetime.date, not str ('2024-01-02')"),
        (numpy.ndarray, [1], "must be numpy.ndarray, not list"),
        (pandas.DataFrame, {"a": [1]}, "must be pandas.DataFrame, not dict"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("must") else "",
)
def test_a_value_of_another_kind_is_refused_in_one_clear_line(
    hint: Any, value: Any, words: str
) -> None:
    assert refusal(hint, value) == f"tool() argument 'value' {words}"


# -- where hints come from


def test_a_default_of_none_allows_none() -> None:
    def tool(limit: int = None): ...  # type: ignore[assignment]  # noqa: RUF013

    assert checked(tool)((None,), {}) == ((None,), {})
    with pytest.raises(TypeError, match=r"must be int \| None, not str"):
        checked(tool)(("x",), {})


def test_a_hint_that_cannot_be_resolved_is_unchecked_and_spoils_no_other() -> None:
    def tool(a: Missing, b: int, c: list[Missing]): ...

    assert checked(tool)(("anything", 1, 2), {}) == (("anything", 1, 2), {})
    with pytest.raises(TypeError, match="'b' must be int"):
        checked(tool)((1, "x", 2), {})


def test_rest_and_keyword_parameters_are_checked_one_by_one() -> None:
    def tool(*numbers: int, **scores: float): ...

    assert checked(tool)((1, 2), {"a": 1}) == ((1, 2), {"a": 1.0})
    with pytest.raises(TypeError, match="'numbers' must be int, not str"):
        checked(tool)((1, "2"), {})
    with pytest.raises(TypeError, match="'b' must be float, not str"):
        checked(tool)((), {"a": 1.0, "b": "x"})


class Holder:
    def method(self, x: int): ...

    @staticmethod
    def static(x: int): ...

    @classmethod
    def klass(cls, x: int): ...

    def __call__(self, x: int): ...


class Made:
    def __init__(self, x: int) -> None: ...


def _decorated(x: int): ...


@functools.wraps(_decorated)
def _decorator(*args, **kwargs): ...


@pytest.mark.parametrize(
    "tool",
    [
        Holder().method,
        Holder.static,
        Holder.klass,
        Holder(),
        Made,
        _decorator,
        functools.lru_cache(_decorated),
        functools.partial(_decorated),
    ],
    ids="method static classmethod object class decorated cached partial".split(),
)
def test_hints_are_found_on_every_kind_of_callable(tool: Any) -> None:
    assert checked(tool)((5,), {}) == ((5,), {})
    with pytest.raises(TypeError, match="'x' must be int, not str"):
        checked(tool)(("5",), {})


@pytest.mark.parametrize("takes_anything", [False, True])
def test_what_a_partial_has_fixed_cannot_be_changed_from_the_sandbox(takes_anything: bool) -> None:
    def ask(question: str, key: str): ...

    def ask_anything(question: str, **options: str): ...

    tool = functools.partial(ask_anything if takes_anything else ask, key="hunter2")
    assert checked(tool)(("why",), {}) == (("why",), {})
    for args in (("why",), ()):
        with pytest.raises(TypeError, match=r"ask\w*\(\) got an unexpected keyword argument 'key'"):
            checked(tool)(args, {"key": "mine"})
    with pytest.raises(TypeError, match="unexpected keyword argument 'key'"):
        checked(functools.partial(max, key=len))((1, 2), {"key": None})


# -- hostile values


def test_a_value_that_holds_itself_does_not_hang_the_check() -> None:
    loop: list[Any] = []
    loop.append(loop)
    table: dict[str, Any] = {"name": "a"}
    table["children"] = [table]
    assert takes(list[list[Any]])(loop) is loop
    assert "must be list[list[int]], but item 0, item 0 is list" in refusal(list[list[int]], loop)
    assert "must be Tree, but" in refusal(Tree, table)


def test_a_part_that_is_shared_many_times_is_looked_at_once() -> None:
    """Without that, this would be 10^18 looks."""
    value: Any = [1] * 1000
    for _ in range(5):
        value = [value] * 1000
    assert takes(list[list[list[list[list[list[int]]]]]])(value) is value
    made = takes(list[list[list[list[list[list[float]]]]]])(value)
    assert made[0] is made[999]
    value[0][0][0][0][0][999] = "x"
    assert "item 999 is str ('x')" in refusal(list[list[list[list[list[list[int]]]]]], value)


def test_depth_beyond_the_stack_is_a_type_error() -> None:
    value: dict[str, Any] = {"name": "leaf"}
    for _ in range(5000):
        value = {"name": "node", "children": [value]}
    assert "nested too deeply" in refusal(Tree, value)


def test_what_was_right_once_does_not_let_another_type_through() -> None:
    def search(query: str, limit: int = 1, *, tags: list[int] | None = None): ...

    check = checked(search)
    check(("x", 1), {})
    check(("x",), {"limit": 1})
    check(("x",), {"tags": [1]})
    check(("x",), {"tags": None})
    for args, kwargs in [
        (("x", True), {}),
        (("x",), {"limit": "1"}),
        (("x",), {"tags": ["1"]}),
        (("x", int), {}),
        (("x", 1), {"limit": 1}),
    ]:
        with pytest.raises(TypeError):
            check(args, kwargs)  # type: ignore[arg-type]


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=3)
    | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.tuples(inner, inner)
    ),
    max_leaves=8,
)
_HINTS = st.recursive(
    st.sampled_from(
        [int, str, float, bool, None, Any, bytes, Colour, Point, Options, Tree, Literal["a", 1]]
    ),
    lambda inner: (
        st.builds(lambda h: list[h], inner)
        | st.builds(lambda h: dict[str, h], inner)
        | st.builds(lambda a, b: Union[a, b], inner, inner)  # noqa: UP007
        | st.builds(lambda a, b: tuple[a, b], inner, inner)
        | st.builds(lambda h: Sequence[h], inner)
    ),
    max_leaves=5,
)


@given(_HINTS, _VALUES)
@settings(max_examples=150, deadline=None)
def test_any_value_is_either_taken_or_refused_in_a_bounded_line(hint: Any, value: Any) -> None:
    refused, once = "", None
    try:
        once = takes(hint)(value)
    except TypeError as error:
        refused = str(error)
    if refused:
        assert refused.startswith("tool() argument 'value' must be ")
        assert "\n" not in refused and len(refused) < 1500
    else:
        assert takes(hint)(once) == once
