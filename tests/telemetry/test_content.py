"""What somebody said: always JSON, always bounded, never by running anybody's code."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood.models.messages import ChatMessage, Image
from fumehood.telemetry import content


class Hostile:
    def __repr__(self) -> str:
        raise AssertionError("asked")

    __str__ = __repr__


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (2**63, 2**63),
        (2**70, str(2**70)),
        (10**10_000, "<int of 33,220 bits>"),
        (1.5, 1.5),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        ("text", "text"),
        (b"1234", "<4 bytes>"),
        ((1, [2], {3}), [1, [2], [3]]),
        ({"a": 1, 2: "b", (1, 2): 3}, {"a": 1, "2": "b", "…": 3}),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (decimal.Decimal("1.5"), "1.5"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Path("/a/b"), "/a/b"),
        (Hostile(), "<Hostile>"),
        ([Hostile()], ["<Hostile>"]),
        ("a\ud800\x00\x1b[2Jb\nc", "a���[2Jb\nc"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_are_shown_as_json(value: Any, shown: Any) -> None:
    assert json.loads(content.as_json(value)) == shown


def test_a_small_value_with_an_endless_text_is_bounded() -> None:
    many: list[Any] = ["x" * 100]
    for _ in range(100):
        many = [many] * 100
    assert len(content.as_json(many)) < 100_000
    wide: Any = {str(number): ["y" * 1000] * 1000 for number in range(1000)}
    assert len(content.as_json(wide)) < 100_000
    assert len(content.as_json("z" * 10_000_000)) < 40_000
    assert len(content.as_json({"k" * 1_000_000: 1})) < 1_000


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.text() | st.integers() | st.none(), inner)
            | st.tuples(inner, inner)
        ),
    )
)
def test_any_value_gives_json_that_can_be_written(value: Any) -> None:
    json.loads(content.as_json(value).encode())


def test_of_pictures_only_their_size_is_told() -> None:
    said = json.loads(content.messages([ChatMessage("user", "look", (Image(b"12345"),))]))
    parts = [
        {"type": "text", "content": "look"},
        {"type": "image", "mime_type": "image/png", "bytes": 5},
    ]
    assert said == [{"role": "user", "parts": parts}]
