"""Reading what a sandbox sends: each field of each message has its type, or the message is
refused."""

from __future__ import annotations

import dataclasses
import json
import typing
from typing import Any

import pytest

from fumehood.errors import WorkerProtocolError
from fumehood.wire import messages
from fumehood.wire.messages import Message
from fumehood.wire.protocol import parse_from_worker, plain_header

# One value that fits each type of a field, and values of JSON that do not.
FITTING: dict[Any, Any] = {
    int: 5,
    str: "text",
    bool: True,
    float: 1.5,
    Any: ["list", 1],
    str | None: "timeout",
    list[Any] | None: ["E", "m", "t", 1],
    list[str]: ["math"],
    list[list[Any]]: [[1, 2]],
    int | None: 3,
}
WRONG: dict[Any, list[Any]] = {
    int: ["1", 1.5, True, None, [], {}],
    str: [1, None, [], {}, True],
    bool: [1, 0, "true", None],
    float: ["1.5", None, [], True],
    Any: [],
    str | None: [1, [], True],
    list[Any] | None: ["text", 1, {}],
    list[str]: [[1], "text", None, [None]],
    list[list[Any]]: [[1], "x", None],
    int | None: ["1", [], 1.5],
}


def fields_of(kind: type[Message]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def fitting(kind: type[Message]) -> dict[str, Any]:
    return {"type": kind.type, **{name: FITTING[hint] for name, hint in fields_of(kind).items()}}


def parse(body: Any) -> Any:
    return parse_from_worker(json.dumps(body).encode())


@pytest.mark.parametrize("kind", messages.FROM_WORKER, ids=lambda kind: kind.type)
def test_a_message_comes_out_with_the_fields_it_had(kind: type[Message]) -> None:
    body = fitting(kind)
    parsed = parse_from_worker(
        plain_header(kind(**{name: value for name, value in body.items() if name != "type"}))
    )
    assert parsed.type == kind.type
    assert {name: getattr(parsed, name) for name in fields_of(kind)} == {
        name: body[name] for name in fields_of(kind)
    }


WRONG_FIELDS = [
    (kind, name, value)
    for kind in messages.FROM_WORKER
    for name, hint in fields_of(kind).items()
    for value in WRONG[hint]
]


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    WRONG_FIELDS,
    ids=lambda part: getattr(part, "type", None) or repr(part),
)
def test_a_field_of_a_wrong_type_is_refused(kind: type[Message], name: str, value: Any) -> None:
    with pytest.raises(WorkerProtocolError):
        parse({**fitting(kind), name: value})


@pytest.mark.parametrize("kind", messages.FROM_WORKER, ids=lambda kind: kind.type)
def test_a_field_that_is_missing_or_unknown_is_refused(kind: type[Message]) -> None:
    for field in dataclasses.fields(kind):
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            body = fitting(kind)
            del body[field.name]
            with pytest.raises(WorkerProtocolError):
                parse(body)
    with pytest.raises(WorkerProtocolError):
        parse({**fitting(kind), "unknown": 1})


@pytest.mark.parametrize("kind", messages.FROM_HOST, ids=lambda kind: kind.type)
def test_a_message_of_the_host_is_refused_from_a_sandbox(kind: type[Message]) -> None:
    with pytest.raises(WorkerProtocolError):
        parse({"type": kind.type, "id": 1})


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"ready"',
        b"{}",
        b'{"type": 1}',
        b'{"type": "ready"}',
        b'{"type": "ready", "protocol": 1e400}',
        b'{"type": "finished", "id": 1, "wall": NaN}',
        b'{"type": "finished", "id": 1, "wall": Infinity}',
        b'{"type": "broken", "message": "\\ud800"}',
        b'{"type": "broken", "message": "\xff"}',
        b'{"type": "broken", "message": "x"} more',
        b'\xef\xbb\xbf{"type": "ready", "protocol": 1}',
        b"[" * 100_000,
        b'{"type": "display", "bundle": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"a":' * 100_000,
        b"\0" * 100,
    ],
    ids=lambda header: repr(header[:24]),
)
def test_what_is_no_message_is_refused_with_few_words(header: bytes) -> None:
    with pytest.raises(WorkerProtocolError) as refused:
        parse_from_worker(header)
    assert len(str(refused.value)) < 400


def test_a_type_given_twice_is_read_as_one_message_or_refused() -> None:
    try:
        parsed = parse_from_worker(b'{"type": "ready", "protocol": 1, "type": "broken"}')
    except WorkerProtocolError:
        return
    assert parsed.type in ("ready", "broken")


def test_every_message_has_a_row_and_a_direction() -> None:
    kinds = {*messages.FROM_HOST, *messages.FROM_WORKER}
    made = {
        kind
        for kind in vars(messages).values()
        if isinstance(kind, type)
        and issubclass(kind, Message)
        and kind not in (Message, messages.Request)
    }
    assert made == kinds
    names = [kind.type for kind in kinds]
    assert len(set(names)) == len(names)
    for kind in kinds:
        for answer in kind.answered_by:
            other = messages.FROM_WORKER if kind in messages.FROM_HOST else messages.FROM_HOST
            assert answer in {each.type for each in other}
