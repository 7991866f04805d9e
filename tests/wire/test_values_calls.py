"""Arguments of calls: the short way for a few plain values gives what the long way gives, and
nothing else gets through it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.errors import WorkerProtocolError
from fumehood.wire.values import Decoder, Encoder

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


@pytest.mark.parametrize(
    "node",
    [
        *(
            [],
            [[]],
            ["tuple"],
            ["tuple", [], ["dict"]],
            ["tuple", ["list", 1], ["dict"]],
            ["tuple", "tuple", ["dict"]],
            ["tuple", {}, ["dict"]],
        ),
        *(
            ["tuple", ["tuple", {}], ["dict"]],
            ["tuple", ["tuple", [1]], ["dict"]],
            [["tuple"], ["tuple"], ["dict"]],
            None,
            5,
            {},
            "tuple",
        ),
    ],
    ids=repr,
)
def test_any_other_node_gives_what_the_long_way_gives(node: Any) -> None:
    outcomes = []
    for decode in (DECODER.decode, DECODER.decode_call):
        try:
            outcomes.append(decode(node))
        except WorkerProtocolError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]
