"""The value codec over generated values: all that can be nested comes back the same, and nothing
that can be sent breaks the decoder."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import math
import os
import zoneinfo
from collections import OrderedDict, deque
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fumehood.errors import WorkerProtocolError
from fumehood.wire.codec import DECODERS
from fumehood.wire.values import Decoder, Encoder, ValueLimits

try:
    import msgspec
except ImportError:
    msgspec = None

quick = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


@dataclasses.dataclass
class Box:
    inside: Any


def parsers() -> list[Any]:
    plain = [lambda node: json.loads(json.dumps(node, allow_nan=False))]
    return (
        plain
        if msgspec is None
        else [*plain, lambda node: msgspec.json.decode(json.dumps(node, allow_nan=False))]
    )


def crossings(value: Any) -> list[Any]:
    node, buffers = Encoder(lambda value: (1, "", "")).encode(value)
    return [
        Decoder().decode(parse(node), [bytearray(buffer) for buffer in buffers])
        for parse in parsers()
    ]


def same(one: Any, other: Any, met: dict[int, int]) -> bool:
    """Equal in type, value and in which places hold the same mutable object."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, dict, set, bytearray, deque)):
        if id(one) in met:
            return met[id(one)] == id(other)
        met[id(one)] = id(other)
    if isinstance(one, (list, tuple, deque)):
        return len(one) == len(other) and all(
            same(a, b, met) for a, b in zip(one, other, strict=True)
        )
    if isinstance(one, dict):
        return len(one) == len(other) and all(
            same(a, b, met) for a, b in zip(one.items(), other.items(), strict=True)
        )
    if isinstance(one, float):
        return (
            one == other
            and math.copysign(1, one) == math.copysign(1, other)
            or one != one
            and other != other
        )
    if isinstance(one, complex):
        return same((one.real, one.imag), (other.real, other.imag), met)
    return bool(one == other)


texts = st.text(st.characters(exclude_categories=()), max_size=8) | st.integers(2040, 2060).map(
    lambda n: "é" * n
)
edges = st.builds(
    lambda power, sign, step: sign * 2**power + step,
    st.sampled_from([62, 63, 64, 4095, 4096]),
    st.sampled_from([1, -1]),
    st.integers(-1, 1),
)
numbers = st.integers() | edges
zones = st.timezone_keys(allow_prefix=False).map(zoneinfo.ZoneInfo) | st.just(dt.UTC)
moments = st.dates() | st.times() | st.timedeltas() | st.datetimes(timezones=st.none() | zones)
exact = st.decimals(allow_nan=False) | st.fractions() | st.uuids()
scalars = (
    st.none()
    | st.booleans()
    | numbers
    | st.floats()
    | st.complex_numbers()
    | texts
    | st.binary(max_size=200)
    | moments
    | exact
)
keys = st.recursive(
    scalars.filter(lambda value: value == value),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=4,
)
values = st.recursive(
    scalars | keys | st.builds(bytearray, st.binary(max_size=200)),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.tuples(inner, inner)
        | st.dictionaries(keys, inner, max_size=4)
        | st.builds(deque, st.lists(inner, max_size=3))
        | st.builds(OrderedDict, st.dictionaries(keys, inner, max_size=3))
        | st.sets(keys, max_size=4)
    ),
    max_leaves=12,
)


@quick
@given(values)
def test_any_nested_value_comes_back_the_same(value: Any) -> None:
    for back in crossings(value):
        assert same(value, back, {})


@quick
@given(
    st.lists(st.integers(), min_size=30, max_size=60)
    | st.lists(st.floats(), min_size=30, max_size=60)
)
@example([2**63] * 40)
@example([-(2**63)] * 40)
@example([math.nan, math.inf, -0.0] * 20)
def test_runs_of_numbers_come_back_the_same(value: list[Any]) -> None:
    for kind in (list, tuple):
        for back in crossings(kind(value)):
            assert same(kind(value), back, {})


@quick
@given(
    st.integers(1, 8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.booleans()), max_size=30),
)
def test_any_graph_of_lists_and_dicts_keeps_its_shape(
    size: int, links: list[tuple[int, int, bool]]
) -> None:
    nodes: list[Any] = [[] if place % 2 else {} for place in range(size)]
    for start, end, wrapped in links:
        target = (nodes[end % size],) if wrapped else nodes[end % size]
        node = nodes[start % size]
        node.append(target) if isinstance(node, list) else node.update({len(node): target})
    for back in crossings(nodes):
        assert same(nodes, back, {})


# -- hostile nodes

LIMITS = ValueLimits(depth=20, items=2000, collisions=1000)
atoms = (
    st.none()
    | st.booleans()
    | st.integers(-3, 300)
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
)
tags = st.sampled_from(sorted(DECODERS))
dtypes = st.sampled_from(
    ["<f8", "|b1", "|O", "<U3", "|V8", "<M8[ns]", "<i8,<i8", "object", "|S0", ">i2"]
)
words = st.sampled_from(
    "list set q d dataclass enum namedtuple ValueError OSError UTC Int64 str P C F".split()
)
random_nodes = st.recursive(
    atoms | words | dtypes | tags.map(lambda tag: [tag]),
    lambda inner: (
        st.builds(lambda tag, parts: [tag, *parts], tags, st.lists(inner, max_size=6))
        | st.lists(inner, max_size=4)
    ),
    max_leaves=25,
)


def _decode(node: Any, buffers: list[Any]) -> None:
    """Only WorkerProtocolError, and what comes out is hashable, shown and sent on without
    trouble."""
    try:
        value = Decoder(limits=LIMITS).decode(node, buffers)
    except WorkerProtocolError:
        return
    assert isinstance(repr(value), str)
    Encoder(lambda value: (1, "T", "r")).encode(value)


@quick
@given(random_nodes, st.lists(st.binary(max_size=32).map(bytearray), max_size=3))
def test_a_made_up_node_is_a_value_or_a_protocol_error(node: Any, buffers: list[Any]) -> None:
    _decode(node, buffers)


def sources() -> list[Any]:
    """Values of every kind, to be encoded and then spoiled."""
    loop: list[Any] = [1]
    loop.append(loop)
    moments = [dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.timedelta(1), dt.time(1)]
    plain = [
        loop,
        {"a": (1, 2.5), (1, 2): None, frozenset({1}): b"x" * 200},
        {1, "a"},
        "x" * 3000,
        2**80,
        2**5000,
        list(range(50)),
        1j,
    ]
    made = [
        Box([1, Box(2)]),
        ValueError("a", 1),
        ExceptionGroup("g", [KeyError(1)]),
        deque([1], 3),
        range(5),
        slice(1),
        moments,
        print,
    ]
    try:
        import numpy as np
        import pandas as pd
    except ImportError:
        return [*plain, *made]
    arrays = [
        np.arange(30.0),
        np.zeros((2, 2), [("a", "?"), ("b", "U2", (2,))]),
        np.array([1, "a"], object),
        np.float32(1),
        np.array(["é"]),
    ]
    frame = pd.DataFrame(
        {
            "a": [1, 2],
            "b": ["x", None],
            "c": pd.Categorical(["u", "v"]),
            "d": pd.array([1, None], dtype="Int64"),
        }
    )
    frame["e"], frame["f"] = (
        pd.date_range("2020", periods=2, tz="Europe/Paris"),
        pd.period_range("2020", periods=2, freq="M"),
    )
    frame["g"], frame["h"] = pd.interval_range(0, 2), pd.array(["x", None], dtype="string")
    indexes = [
        frame.set_index(["a", "b"]).index,
        pd.date_range("2020", periods=3),
        pd.RangeIndex(3, name="n"),
        pd.Index([1.5]),
    ]
    scalars = [
        pd.Timestamp("2020", tz="UTC"),
        pd.Timedelta(1),
        pd.Period("2020", "M"),
        pd.Interval(0, 1),
        pd.NaT,
        pd.NA,
    ]
    return [
        *plain,
        *made,
        *arrays,
        np.ma.array([1, 2], mask=[1, 0]),
        frame,
        frame.set_index("c"),
        frame["e"],
        *indexes,
        *scalars,
    ]


ODDITIES: list[Any] = [
    *(
        None,
        True,
        -1,
        0,
        1,
        2,
        2**31,
        2**62,
        -(2**63),
        2**63,
        1e308,
        math.nan,
        "",
        "list",
        "q",
        "C",
        "|O",
        "<U9",
        "|S0",
        "\ud800",
        "AAAA",
    ),
    *(
        [],
        ["list"],
        ["ref", 0],
        ["ref", 1],
        ["tuple"],
        ["dict", ["list"], 1],
        ["int", "0x1"],
        [[]],
        {},
        ["objects", [0]],
        ["index"],
        b"x",
        1j,
    ),
]


def spoil(node: Any, random: Random) -> None:
    """Change, remove, double or move one place somewhere in a node."""
    at = node
    while True:
        place = random.randrange(len(at))
        if type(at[place]) is not list or not at[place] or random.random() < 0.25:
            break
        at = at[place]
    how = random.randrange(5)
    if how == 0 and len(at) > 1:
        del at[place]
    elif how == 1:
        at.insert(place, random.choice(ODDITIES))
    elif how == 2 and type(at[place]) is int:
        at[place] += random.choice([1, -1, 2**31, 2**62])
    elif how == 3:
        at[place] = at[random.randrange(len(at))]
    elif how == 4 and type(at[place]) is list and at[place]:
        at[place][0] = random.choice(TAGS)
    else:
        at[place] = random.choice(ODDITIES)


TAGS = sorted(DECODERS)


@pytest.mark.parametrize("place", range(len(sources())))
def test_a_spoiled_node_is_a_value_or_a_protocol_error(place: int) -> None:
    source = sources()[place]
    node, buffers = Encoder(lambda value: (1, "T", "r")).encode([source, source])
    text = json.dumps(node)
    for seed in range(SPOILINGS):
        random, spoilt = Random(seed), json.loads(text)
        for _ in range(random.randrange(1, 4)):
            spoil(spoilt, random)
        cut = random.choice([None, None, None, -1, 0])
        try:
            _decode(spoilt, [bytearray(buffer)[:cut] for buffer in buffers])
        except BaseException:
            print(f"seed {seed}: {spoilt!r}"[:5000])
            raise


SPOILINGS = int(os.environ.get("FUMEHOOD_SPOILINGS", "400"))


@quick
@given(
    st.recursive(
        atoms | st.just({}),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=2),
        max_leaves=9,
    )
)
def test_any_json_is_a_value_or_a_protocol_error(node: Any) -> None:
    _decode(node, [])
