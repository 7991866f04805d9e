"""Values to and from MCP servers."""

from __future__ import annotations

import base64
import datetime
import enum
from decimal import Decimal
from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from fumehood import Picture
from fumehood.tools.mcp_values import as_json, as_value
from fumehood.wire.records import RemoteObject


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (2**80, 2**80),
        (1.5, 1.5),
        ("x", "x"),
        ([1, (2, {3})], [1, [2, [3]]]),
        ({"a": {1: 2, None: 3}}, {"a": {"1": 2, "None": 3}}),
        (datetime.date(2024, 1, 2), "2024-01-02"),
        (datetime.datetime(2024, 1, 2, 3), "2024-01-02T03:00:00"),
        (Decimal("1.5"), 1.5),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (PurePosixPath("a/b"), "a/b"),
        (Colour.RED, "red"),
    ],
)
def test_what_json_can_carry(value: Any, json: Any) -> None:
    assert as_json(value, "f() argument 'x'") == json


def _nested() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (float("nan"), "f() argument 'x' holds nan, which JSON has no word for"),
        (b"bytes", "f() argument 'x' holds a bytes, which JSON cannot carry"),
        (object(), "holds an object"),
        ({(1, 2): 3}, "has a key that is a tuple; keys are text in JSON"),
        (_nested(), "is nested too deeply"),
        (RemoteObject(1, "Thing", "<Thing>", None), "holds a RemoteObject"),
    ],
)
def test_what_it_cannot_is_said_in_one_line(value: Any, words: str) -> None:
    with pytest.raises(TypeError) as caught:
        as_json([value], "f() argument 'x'")
    assert words in str(caught.value)


# -- back


def text(words: str) -> SimpleNamespace:
    return SimpleNamespace(type="text", text=words)


def image(data: bytes | str, mime: str = "image/png") -> SimpleNamespace:
    return SimpleNamespace(
        type="image",
        data=data if isinstance(data, str) else base64.b64encode(data).decode(),
        mime_type=mime,
    )


def result(*content: Any, data: Any = None) -> SimpleNamespace:
    return SimpleNamespace(content=[*content], structured_content=data)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (result(), None),
        (result(text("a")), "a"),
        (result(text("a"), text("b")), "a\nb"),
        (result(text("\x1b[31mred\x00")), "[31mred"),
        (result(image(b"GIF89a", "image/gif")), Picture("image/gif", b"GIF89a")),
        (result(text("see"), image(b"x", "image/jpeg")), ["see", Picture("image/jpeg", b"x")]),
        (result(image(b"x", "image/tiff")), b"x"),
        (result(image("not base64!")), "(image/png that is damaged)"),
        (result(SimpleNamespace(type="audio", data="AAAA", mime_type="audio/wav")), b"\0\0\0"),
        (
            result(
                SimpleNamespace(type="resource", resource=SimpleNamespace(text="r", mime_type=None))
            ),
            "r",
        ),
        (
            result(
                SimpleNamespace(
                    type="resource", resource=SimpleNamespace(blob="AAAA", mime_type="x/y")
                )
            ),
            b"\0\0\0",
        ),
        (
            result(SimpleNamespace(type="resource_link", uri="u", name="n", description=None)),
            {"uri": "u", "name": "n", "description": None},
        ),
        (result(text("{}"), data={"a": 1}), {"a": 1}),
        (result(text("3"), data={"result": 3}), 3),
        (result(data={"result": 3, "more": 4}), {"result": 3, "more": 4}),
        (result(image(b"x", "image/jpeg"), data={"result": 3}), Picture("image/jpeg", b"x")),
    ],
)
def test_answers_become_plain_values(answer: Any, value: Any) -> None:
    assert as_value(answer, structured=True, is_wrapped=True) == value
