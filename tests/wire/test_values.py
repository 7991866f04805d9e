"""The value codec: what crosses between host and sandbox comes out as what went in."""

from __future__ import annotations

import array
import collections
import copy
import datetime as dt
import decimal
import fractions
import math
import pathlib
import pickle
import re
import sys
import threading
import uuid
import zoneinfo
from collections import Counter, OrderedDict, defaultdict, deque
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import WorkerProtocolError
from fumehood.wire import values
from fumehood.wire.values import Decoder, Encoder, Picture, Record, RemoteObject, ValueLimits

from .crossing import Colour, Knot, OwnError, Pair, Plain, Point, Spot, cross


def tags(node: Any) -> set[str]:
    if type(node) is not list:
        return set()
    own = {node[0]} if node and type(node[0]) is str else set()
    return own.union(*map(tags, node))


# -- every row of the table

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
ZONED = dt.datetime(2020, 10, 25, 2, 30, fold=1, tzinfo=BERLIN)
KEYS = {1: 2, (1, 2): 3, None: [], frozenset({1}): {}, 2.5: 1, b"k": 2, "\ud800": 1}
NUMBERS: list[Any] = [None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 10**30]
NUMBERS += [-(10**2000), 10**20_000, 0.0, -0.0, 1.5, 5e-324, 1.7976931348623157e308, math.inf]
NUMBERS += [-math.inf, 1j, complex(math.inf, -0.0), fractions.Fraction(-(10**100), 7)]
NUMBERS += map(decimal.Decimal, "0 -0 1.50 1E+999999 -1E-999999 Infinity -Infinity 0E-7".split())
NUMBERS += [decimal.Decimal("9" * 5000), *(array.array(c, [1, 2, 3]) for c in "bBhHiIlLqQfd")]
TEXTS: list[Any] = ["", "x", "é", "\0", "\x7f", "\U0001f600", "\ud800", "a\udfffb", "x" * 5000]
TEXTS += ["é" * 5000, "\ud83d" * 3000, '["list"]', b"", b"x", b"x" * 500, bytearray(b"x" * 500)]
TEXTS += [bytearray(), pathlib.Path("/a/b"), pathlib.PurePosixPath("a/../b\udcff")]
TEXTS += [pathlib.PureWindowsPath("C:/x"), uuid.UUID(int=0), uuid.UUID(int=2**128 - 1)]
CONTAINERS: list[Any] = [[], [1], [[]], ["list", 1], ["ref", 0], list(range(100)), [1.5] * 100]
CONTAINERS += [[2**70] * 50, [True] * 50, (), (1,), ((),), tuple(range(100)), set(), {1, "a"}]
CONTAINERS += [set(range(100)), frozenset(), frozenset({(1, (2.5, "x"))}), {}, {"a": 1}, KEYS]
CONTAINERS += [{tuple(range(99)): 1}, OrderedDict(b=1, a=2), Counter("abca"), Counter(a=-1)]
CONTAINERS += [deque([1, [2]]), deque([1, 2], 5), deque(range(100)), range(3), slice(1, "a", [2])]
CONTAINERS += [range(10**30, 0, -7), slice(None), ..., NotImplemented]
TIMES: list[Any] = [dt.date.min, dt.date.max, dt.time(1, 2, 3, 4), dt.time(1, tzinfo=dt.UTC), ZONED]
TIMES += [dt.datetime.min, dt.datetime.max, dt.time(1, tzinfo=BERLIN), dt.UTC, BERLIN]
TIMES += [dt.datetime(2020, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=-3), "X"))]
TIMES += [dt.timedelta.min, dt.timedelta.max, dt.timedelta(0)]
RECORDS: list[Any] = [Record("m.T", kind, ("a",), (1,)) for kind in ("dataclass", "frozen")]
RECORDS += [Record("m.T", "namedtuple", ("a",), (1,)), Picture("image/png", b"data" * 50, 1, 2)]
RECORDS += [Record("E", "enum", ("name", "value"), ("A", 1))]
EXAMPLES = [*NUMBERS, *TEXTS, *CONTAINERS, *TIMES, *RECORDS]


def test_a_value_comes_back_as_it_was() -> None:
    for value in EXAMPLES:
        back = cross(value)
        assert type(back) is type(value)
        assert back == value
        if type(value) in (float, complex, decimal.Decimal):
            assert repr(back) == repr(value)  # the sign of zero, the digits


def test_every_tag_has_an_example_and_is_documented() -> None:
    pytest.importorskip("pandas")
    from . import test_values_arrays as arrays
    from . import test_values_tables as tables

    image = pytest.importorskip("PIL.Image").new("L", (1, 1))
    made: list[Any] = [*arrays.ARRAYS.values(), *arrays.SCALARS.values(), *tables.SCALARS.values()]
    made += [*tables.COLUMNS.values(), *tables.INDEXES.values(), tables.table(), image, Plain]
    made += [ValueError(), OwnError()]
    node = Encoder(lambda value: (1, "", "")).encode([*EXAMPLES, *made, made])[0]
    assert {*values.DECODERS} - tags(node) == {"object", "pickle"}
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
    rows = "".join(row.split("|")[1] for row in page.splitlines() if row.startswith("| `"))
    assert [tag for tag in values.DECODERS if f"`{tag}`" not in rows] == []


def test_a_not_a_number_comes_back_as_one() -> None:
    assert math.isnan(cross(math.nan))
    assert math.isnan(cross(complex(math.nan, 1)).real)
    assert math.isnan(cross([math.nan] * 100)[99])
    assert cross(decimal.Decimal("-sNaN123")).compare_total(decimal.Decimal("-sNaN123")) == 0
    assert len(cross({math.nan: 1, float("nan"): 2})) == 2


def test_the_fold_and_zone_of_a_moment_survive() -> None:
    back = cross(dt.datetime(2020, 10, 25, 2, 30, fold=1, tzinfo=BERLIN))
    assert (back.fold, back.tzinfo, back.utcoffset()) == (1, BERLIN, dt.timedelta(hours=1))
    assert cross(dt.UTC) is dt.UTC


def test_a_zone_this_machine_does_not_have_keeps_its_offset() -> None:
    back = Decoder().decode(["datetime", 2020, 1, 1, 0, 0, 0, 0, 0, ["tuple", "Moon/Tycho", 3600]])
    assert back.utcoffset() == dt.timedelta(hours=1) and back.tzname() == "Moon/Tycho"


def test_a_zone_of_an_unknown_kind_is_not_asked_anything() -> None:
    class Zone(dt.tzinfo):
        def utcoffset(self, when: Any) -> Any:
            raise AssertionError

    assert (
        type(
            cross(
                dt.datetime(2020, 1, 1, tzinfo=Zone()), Encoder(lambda value: (1, "datetime", ""))
            )
        )
        is RemoteObject
    )


def test_a_memoryview_becomes_bytes_and_a_defaultdict_a_dict() -> None:
    assert cross(memoryview(b"abcdef")[::2]) == b"ace"
    back = cross(defaultdict(list, a=[1]))
    assert type(back) is dict and back == {"a": [1]}


def test_what_stands_for_itself_needs_no_buffers() -> None:
    for value in (None, True, 5, 2.5, "text", -(2**63)):
        node, buffers = Encoder().encode(value)
        assert node is value and buffers == []


def test_many_numbers_travel_as_one_buffer() -> None:
    node, buffers = Encoder().encode(list(range(10_000)))
    assert node == ["packed", "list", "q", 0] and len(buffers[0]) == 80_000
    node, buffers = Encoder().encode([0.5] * 10_000)
    assert node == ["packed", "list", "d", 0] and len(buffers[0]) == 80_000


def test_a_bool_among_many_ints_stays_a_bool() -> None:
    assert cross([1] * 100 + [True])[-1] is True
    assert type(cross([1.0] * 100 + [1])[-1]) is int


def test_many_small_pieces_do_not_become_many_buffers() -> None:
    node, buffers = Encoder(limits=ValueLimits(buffers=10)).encode(
        [bytes([n]) * 200 for n in range(100)]
    )
    assert len(buffers) == 10
    assert Decoder().decode(node, buffers) == [bytes([n]) * 200 for n in range(100)]


def test_a_node_holds_nothing_that_a_strict_parser_refuses() -> None:
    def check(node: Any) -> None:
        if type(node) is list:
            for part in node:
                check(part)
        elif type(node) is str:
            node.encode()
        elif type(node) is int:
            assert -(2**63) <= node < 2**63
        elif type(node) is float:
            assert math.isfinite(node)
        else:
            assert node is None or type(node) is bool

    for value in EXAMPLES:
        check(Encoder().encode([value, {Spot(1): value}, Point(value)])[0])


# -- identity


SHARED = [[], {}, set(), bytearray(b"x"), OrderedDict(), Counter(), array.array("b")]
SHARED += [Point(1), Knot(), list(range(99)), "x" * 9999, OwnError()]


def test_two_places_that_share_an_object_still_share_it() -> None:
    for shared in SHARED:
        is_error = isinstance(shared, OwnError)
        other = type(shared)(*shared.args) if is_error else copy.copy(shared)
        first, second, third = cross([shared, (shared,), other])
        assert second[0] is first
        assert type(shared) is str or third is not first


def test_cycles_survive() -> None:
    loop: Any = [1]
    loop.append(({"deep": loop},))
    back = cross(loop)
    assert back[1][0]["deep"] is back
    table: dict[Any, Any] = {}
    table["self"] = table
    assert (back := cross(table))["self"] is back
    knot = Knot()
    knot.next = [knot]
    assert (back := cross({knot: knot})) and next(iter(back)).next[0] is next(iter(back))


def test_a_tuple_in_a_cycle_is_unrolled_once() -> None:
    inner: list[Any] = []
    outer = (inner,)
    inner.append(outer)
    back = cross(outer)
    assert back[0][0][0] is back[0]


def test_numbers_agree_after_a_key_that_holds_long_texts() -> None:
    for key in (Knot("x" * 5000), ValueError("x" * 5000), ("x" * 5000,), Colour.RED):
        shared = "y" * 5000
        back = cross([{key: 1}, shared, shared])
        assert back[1] == shared and back[1] is back[2]


def test_references_do_not_reach_into_another_call() -> None:
    encoder, shared = Encoder(), [1]
    assert encoder.encode([shared]) == encoder.encode([shared])


def test_nothing_is_left_behind_by_a_value_that_turned_out_to_be_unknown() -> None:
    """A table that cannot be carried was walked half-way; numbers and buffers must not count what
    was not sent."""
    shared = [b"x" * 500]
    key = Spot(shared)  # unhashable on the other side, so as a key it is sent by name only
    object.__setattr__(key, "__hash__", None)

    class Hashed(Spot):
        def __hash__(self) -> int:
            return 1

    keys = {Hashed(shared): 1}
    back = cross([keys, shared, shared], Encoder(lambda value: (7, "Hashed", "")))
    assert back[1] == [b"x" * 500] and back[1] is back[2]
    assert type(next(iter(back[0]))) is RemoteObject


# -- what the codec does not know


def test_an_unknown_object_is_named_and_handed_back_as_itself() -> None:
    here: dict[int, Any] = {}

    def name(value: object) -> tuple[int, str, str]:
        here[len(here) + 1] = value
        return len(here), "Plain", "<Plain object>"

    token, thing = object(), Plain()
    back = cross({"a": thing, thing: [thing]}, Encoder(name), Decoder(owner=token))
    found = back["a"]
    assert type(found) is RemoteObject and back[found] == [found] and len(here) == 1
    assert (found.id, found.type_name, found.text) == (1, "Plain", "<Plain object>")
    assert repr(found) == "<RemoteObject Plain: <Plain object>>"
    again = cross([found], Encoder(owner=token), Decoder(lambda ident, kind, text: here[ident]))
    assert again == [thing]


def test_an_object_of_another_sandbox_is_refused() -> None:
    for owner in (None, object()):
        with pytest.raises(ValueError, match="belongs to another sandbox"):
            Encoder(owner=owner).encode([RemoteObject(1, "T", "r", object())])
    with pytest.raises(ValueError, match="belongs to another sandbox"):
        Encoder(pickle=pickle.dumps).encode(Point(RemoteObject(1, "T", "r", object())))


def test_a_remote_object_is_a_constant_with_a_short_repr() -> None:
    remote = RemoteObject(1, "T" * 999, "\x1b" * 9999)
    assert len(repr(remote)) < 1500 and "\x1b" not in repr(remote)
    assert copy.deepcopy(remote) is remote == RemoteObject(1) != RemoteObject(1, owner=remote)
    with pytest.raises(AttributeError):
        remote.id = 2
    with pytest.raises(TypeError, match="outside the session"):
        pickle.dumps(remote)


def test_an_unknown_object_without_a_way_to_send_it_is_an_error_that_names_its_type() -> None:
    for value in (Plain(), [Plain()], Point(Plain()), {Plain(): 1}, ValueError(Plain())):
        with pytest.raises(ValueError, match=r"a value of type \S*Plain cannot be sent"):
            Encoder().encode(value)


def test_an_instance_of_a_subclass_is_not_mistaken_for_its_base() -> None:
    kinds: list[Any] = [int, float, str, bytes, list, tuple, dict, set, frozenset, deque]
    kinds += [dt.date, dt.datetime, decimal.Decimal, OrderedDict, dt.timedelta]
    for kind in kinds:
        args = (2020, 1, 1) if kind in (dt.date, dt.datetime) else ()
        value = type("Sub", (kind,), {})(*args)
        assert type(cross(value, Encoder(lambda value: (1, "Sub", "")))) is RemoteObject


def test_what_the_host_cannot_carry_goes_as_a_pickle_and_no_decoder_opens_one_unasked() -> None:
    encoder = Encoder(pickle=pickle.dumps)
    shared = Plain()
    assert (
        cross([threading.Lock, 1j, dict.fromkeys], encoder, Decoder(unpickle=pickle.loads))[0]
        is threading.Lock
    )
    node, buffers = encoder.encode([shared, shared])
    first, second = Decoder(unpickle=pickle.loads).decode(node, buffers)
    assert type(first) is Plain and first is second
    with pytest.raises(WorkerProtocolError, match="never opens"):
        Decoder().decode(node, buffers)
    with pytest.raises(ValueError, match=r"type \S*lock cannot be sent: cannot pickle"):
        encoder.encode([threading.Lock()])


def test_an_error_of_the_caller_s_own_callback_is_passed_on() -> None:
    def gone(*args: Any) -> Any:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        Decoder(remote=gone).decode(["list", ["object", 3]])
    with pytest.raises(LookupError, match="gone"):
        Decoder(unpickle=gone).decode(["pickle", "eA=="])

    def absent(*args: Any) -> Any:
        raise ModuleNotFoundError("absent")

    with pytest.raises(ModuleNotFoundError, match="absent"):
        Decoder(unpickle=absent).decode(["slice", ["pickle", "eA=="], None, None])


def test_a_long_repr_is_cut_where_it_is_made() -> None:
    assert (
        len(cross(Plain(), Encoder(lambda value: (1, "T", "\udc80" * 10**6))).text)
        == ValueLimits().text
    )


# -- hostile objects inside the sandbox


class Trap:
    """Everything that can be asked of it fails the test."""

    def _sprung(self, *args: Any) -> Any:
        raise AssertionError("called")

    __getattribute__ = __eq__ = __hash__ = __len__ = __iter__ = __repr__ = __str__ = __bool__ = (
        __reduce_ex__
    ) = __index__ = _sprung  # type: ignore


class HostileMeta(type):
    def __hash__(cls) -> int:
        raise RuntimeError("hash")

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError("eq")

    def __getattribute__(cls, name: str) -> Any:
        raise RuntimeError("getattribute")

    def mro(cls) -> Any:
        return type.mro(cls)


class Hostile(metaclass=HostileMeta):
    pass


class LyingMeta(type):
    """Its classes say that they are int."""

    def __hash__(cls) -> int:
        return hash(int)

    def __eq__(cls, other: object) -> bool:
        return True


class Liar(metaclass=LyingMeta):
    pass


def hostile_values() -> list[Any]:
    liar = type(
        "Liar",
        (),
        {
            "__dataclass_fields__": {"x": 1},
            "_fields": ("x",),
            "__class__": property(lambda self: 1 / 0),
        },
    )()
    half = object.__new__(Point)  # a dataclass without its fields
    tall = type("Tall", (tuple,), {"_fields": ("a", "b", "c")})((1,))
    twin = type("Twin", (tuple,), {"_fields": ("a", "a")})((1, 2))
    member = object.__new__(Colour)
    return [Trap(), Hostile(), Liar(), liar, half, tall, twin, member]


@pytest.mark.parametrize("number", range(8))
def test_a_hostile_object_is_only_ever_named(number: int) -> None:
    encoder = Encoder(lambda value: (5, "x", "y"))
    hostile = hostile_values()[number]
    assert type(cross(hostile, encoder)) is RemoteObject
    assert type(cross([hostile] * 40, encoder)[39]) is RemoteObject
    assert type(cross({"k": (hostile,)}, encoder)["k"][0]) is RemoteObject
    assert type(cross(Point(hostile), encoder).x) is RemoteObject


def test_a_container_that_changes_while_it_is_read_does_no_harm() -> None:
    target: dict[Any, Any] = {}
    items: list[Any] = []

    def meddle(value: object) -> tuple[int, str, str]:
        target[len(target)] = Plain()
        items.append(Plain())
        return 1, "Plain", ""

    target[0] = Plain()
    items.append(Plain())
    assert len(cross(target, Encoder(meddle))) == 1
    before = len(items)
    assert len(cross([items], Encoder(meddle))[0]) == before < len(items)


# -- limits


def nested(depth: int, wrap: Any) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = wrap(value)
    return value


WRAPS = [
    lambda value: [value],
    lambda value: (value,),
    lambda value: {"k": value},
    lambda value: deque([value]),
    Point,
    lambda value: Pair(value, 1),
    lambda value: ValueError(value),
    lambda value: slice(value),
]


@pytest.mark.parametrize("wrap", WRAPS)
def test_two_hundred_levels_cross_and_one_more_does_not(wrap: Any) -> None:
    cross(nested(200, wrap))
    with pytest.raises(ValueError, match="deeper than 200 levels"):
        Encoder(lambda value: (1, "", "")).encode(nested(201, wrap))


def test_the_number_of_items_is_bounded() -> None:
    encoder = Encoder(limits=ValueLimits(items=1000))
    for value in (
        [None] * 1001,
        [0] * 1001,
        dict.fromkeys(range(600)),
        nested(60, lambda value: (value, value)),
    ):
        with pytest.raises(ValueError, match="more than 1,000 items"):
            encoder.encode(value)


def test_a_short_stack_is_a_value_error_too() -> None:
    def deep(levels: int) -> Any:
        return Encoder().encode(nested(190, Point)) if not levels else deep(levels - 1)

    with pytest.raises(ValueError, match="nested too deeply"):
        deep(sys.getrecursionlimit() - 200)


def test_a_subscripted_or_odd_collection_is_left_alone() -> None:
    odd = [collections.ChainMap({}), {}.keys(), iter([]), int, print, re.compile("a"), type]
    for value in odd:
        assert type(cross(value, Encoder(lambda value: (1, "", "")))) is RemoteObject


# -- calls: the short way for a few plain values gives what the long way gives

ENCODER, DECODER = Encoder(), Decoder()
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(st.lists(VALUES, max_size=20).map(tuple), st.dictionaries(st.text(), VALUES, max_size=3))
def test_calls_arrive_as_they_were_made(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    arrived = DECODER.decode_call(*ENCODER.encode_call(args, kwargs))
    assert arrived == (args, kwargs)
    assert [type(value) for value in arrived[0]] == [type(value) for value in args]


@given(st.lists(LEAVES, max_size=20).map(tuple))
def test_both_ways_say_the_same(args: tuple[Any, ...]) -> None:
    assert ENCODER.encode_call(args, {}) == ENCODER.encode((args, {}))


def test_the_same_list_twice_is_still_the_same_list() -> None:
    shared: list[int] = [1]
    (first, second), _ = DECODER.decode_call(*ENCODER.encode_call((shared, shared), {}))
    assert first is second


def test_a_subclass_of_a_plain_type_takes_the_long_way() -> None:
    class Text(str):
        __slots__ = ()

    node, _ = Encoder(remote=lambda value: (1, "Text", "")).encode_call((Text("a"),), {})
    assert node != ["tuple", ["tuple", "a"], ["dict"]]


MALFORMED_CALLS: list[Any] = [[], [[]], ["tuple"], ["tuple", [], ["dict"]], None, 5, {}, "tuple"]
MALFORMED_CALLS += [["tuple", ["list", 1], ["dict"]], ["tuple", "tuple", ["dict"]]]
MALFORMED_CALLS += [["tuple", {}, ["dict"]], ["tuple", ["tuple", {}], ["dict"]]]
MALFORMED_CALLS += [["tuple", ["tuple", [1]], ["dict"]], [["tuple"], ["tuple"], ["dict"]]]


def test_any_other_node_gives_what_the_long_way_gives() -> None:
    for node in MALFORMED_CALLS:
        outcomes = []
        for decode in (DECODER.decode, DECODER.decode_call):
            try:
                outcomes.append(decode(node))
            except WorkerProtocolError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]
