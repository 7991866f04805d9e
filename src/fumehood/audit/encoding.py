"""Events as JSON, and back.

Most events are written by msgspec as they are, in less than two microseconds: those whose values
are plain, which is nearly all of them. Others are put together by the rows of `_PARTS`, and
whatever even that cannot write, a lone surrogate in an error message, is made readable piece by
piece.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from math import isfinite
from typing import Any, Final

import msgspec

from fumehood import events
from fumehood.audit.entries import ALL_KINDS
from fumehood.audit.values import (
    MAX_VALUE_BYTES,
    Cut,
    decode_value,
    encode_value,
    is_plain,
)
from fumehood.errors import AuditError
from fumehood.events import Event
from fumehood.results import Execution
from fumehood.wire.show import bounded_repr, clean_text

__all__ = ["Cut", "EventEncoder", "Shown", "decode_event", "decode_value", "encode_value"]

MAX_EVENT_BYTES: Final = 32_000_000
"""Bytes of one event in the log. One that takes more, though each of its values is small enough, is
written without them."""
_CONTROL: Final = re.compile(rb"\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]")
"""In UTF-8: delete, the controls of one byte more, and Unicode's own ends of lines and
paragraphs."""
_READABLE_TEXT: Final = 100_000
_READABLE_DEPTH: Final = 12


@dataclass(frozen=True, slots=True)
class Shown:
    """What a log keeps of a display in one format: its content too, if the log was asked to keep
    it. It has the length and the text of the content, so that an `Execution` from a log can be
    shown."""

    bytes: int
    sha256: str
    content: Any = None
    """Text or bytes."""

    def __len__(self) -> int:
        return self.bytes

    def __str__(self) -> str:
        return self.content if isinstance(self.content, str) else f"<{self.bytes:,} bytes>"


class EventEncoder:
    """Makes one JSON object of an event. Raises nothing for what the event holds."""

    def __init__(self, max_value_bytes: int = MAX_VALUE_BYTES, displays: bool = False) -> None:
        self.max_value_bytes = max_value_bytes
        self.displays = displays
        self._json = msgspec.json.Encoder(enc_hook=_unknown)

    def encode(self, event: Event) -> bytes:
        part = _PARTS.get(type(event))
        try:
            if part is None or part.is_plain(event, self.max_value_bytes):
                data = self._json.encode(event)
            else:
                data = self._json.encode(_as_dict(event) | part.fields(self, event))
        except Exception:  # a lone surrogate, a key that is no text, an int of many digits
            data = self._encode_readable(event, part)
        return as_one_line(
            data if len(data) <= MAX_EVENT_BYTES else self._encode_shortened(event, data)
        )

    def value(self, value: Any) -> Any:
        return encode_value(value, self.max_value_bytes)

    def display(self, bundle: Any) -> dict[str, Any]:
        """What is kept of a thing that was displayed."""
        if type(bundle) is not dict:
            return {}
        kept: dict[str, Any] = {}
        for mime, content in bundle.items():
            data = (
                content.encode("utf-8", "surrogatepass")
                if isinstance(content, str)
                else bytes(content)
            )
            shown: dict[str, Any] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            if self.displays:
                shown["content"] = (
                    clean_text(content)
                    if isinstance(content, str)
                    else {"base64": base64.b64encode(data).decode()}
                )
            kept[clean_text(str(mime))] = shown
        return kept

    def _encode_readable(self, event: Event, part: _Part | None) -> bytes:
        """The slow way, which always works: values in their own form, everything else as text and
        numbers."""
        made = _as_dict(event)
        parts = {} if part is None else part.fields(self, event)
        return self._json.encode(
            {name: parts[name] if name in parts else _readable(item) for name, item in made.items()}
        )

    def _encode_shortened(self, event: Event, data: bytes) -> bytes:
        """An event that is too large as a whole: texts cut, values described."""
        short = EventEncoder(0)
        part = _PARTS.get(type(event))
        made = _as_dict(event)
        if part is not None:
            made |= part.fields(short, event)
        shortened = {name: _readable(item, room=_READABLE_TEXT) for name, item in made.items()}
        encoded = self._json.encode(shortened)
        if len(encoded) > MAX_EVENT_BYTES:
            names = ("at", "session", "cell", "run")
            encoded = self._json.encode(
                {name: made[name] for name in names} | {"$cut": _described(event, data)}
            )
        return encoded


def as_one_line(data: bytes) -> bytes:
    """JSON that every reader sees as one line, and no terminal obeys: JSON itself only asks that
    controls below the blank be escaped. The others end lines for some readers, or begin an escape
    sequence in one byte."""
    if data.isascii() and b"\x7f" not in data:
        return data
    return _CONTROL.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), data)


def _described(event: Event, data: bytes) -> dict[str, Any]:
    return {
        "type": type(event).__name__,
        "text": "",
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _as_dict(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def _unknown(value: Any) -> Any:
    """For what JSON has no form for in a place where no value is expected: an option, a number of
    metrics."""
    return clean_text(bounded_repr(value, 1000))


def _readable(value: Any, depth: int = _READABLE_DEPTH, room: int | None = None) -> Any:
    """Anything as plain JSON, if not in a form that it can be made again from. `room` cuts
    texts."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        if room is not None and len(value) > room:
            value = f"{value[:room]}… ({len(value) - room:,} more characters)"
        return clean_text(value)
    if kind is float:
        return value if isfinite(value) else repr(value)
    if kind is int and -(1 << 63) <= value < 1 << 63:
        return value
    if depth > 0:
        if kind in (list, tuple, set, frozenset):
            return [_readable(item, depth - 1, room) for item in value]
        if isinstance(value, dict):
            return {
                clean_text(str(key)): _readable(item, depth - 1, room)
                for key, item in value.items()
            }
        if is_dataclass(value) and not isinstance(value, type):
            return {
                field.name: _readable(getattr(value, field.name), depth - 1, room)
                for field in fields(value)
            }
    return _unknown(value)


# -- events that hold values


@dataclass(frozen=True, slots=True)
class _Part:
    """How an event is written that holds what JSON may not carry."""

    is_plain: Callable[[Any, int], bool]
    """Whether, with values of at most so many bytes, it can be written as it is after all."""
    fields: Callable[[EventEncoder, Any], dict[str, Any]]
    """The fields that have to be written otherwise."""
    decoded: Callable[[dict[str, Any]], dict[str, Any]]
    """The same fields from what was written, for `decode_event`."""


def _never(event: Any, room: int) -> bool:
    return False


def _is_plain_finish(event: events.CellFinished, room: int) -> bool:
    execution = event.execution
    return not execution.displays and is_plain(execution.value, room)


def _execution_fields(encoder: EventEncoder, event: events.CellFinished) -> dict[str, Any]:
    execution = event.execution
    made: dict[str, Any] = {
        field.name: _readable(getattr(execution, field.name))
        for field in _EXECUTION
        if field.name not in _SPECIAL
    }
    made["value"] = encoder.value(execution.value)
    made["displays"] = [encoder.display(bundle) for bundle in execution.displays]
    return {"execution": {field.name: made[field.name] for field in _EXECUTION}}


_EXECUTION: Final = fields(Execution)
_SPECIAL: Final = frozenset({"value", "displays"})


def _is_plain_call(event: events.ToolCalled, room: int) -> bool:
    return all(is_plain(value, room) for value in event.args) and all(
        is_plain(value, room) for value in event.kwargs.values()
    )


def _values(encoder: EventEncoder, values: dict[str, Any]) -> dict[str, Any]:
    return {clean_text(str(name)): encoder.value(value) for name, value in values.items()}


def _decoded_values(logged: Any) -> dict[str, Any]:
    return {name: decode_value(value) for name, value in _checked(dict, logged).items()}


def _decoded_execution(logged: Any) -> Execution:
    plain = {**_checked(dict, logged)}
    value = decode_value(plain.pop("value", None))
    displays = tuple(map(_decoded_display, _checked(list, plain.pop("displays", []))))
    execution: Execution = msgspec.convert(plain, Execution)
    rest = {
        field.name: getattr(execution, field.name)
        for field in _EXECUTION
        if field.name not in _SPECIAL
    }
    return Execution(value=value, displays=displays, **rest)


def _decoded_display(logged: Any) -> dict[str, Shown]:
    return {mime: _decoded_format(kept) for mime, kept in _checked(dict, logged).items()}


def _decoded_format(kept: Any) -> Shown:
    content = _checked(dict, kept).get("content")
    if type(content) is dict:
        content = base64.b64decode(_checked(str, content.get("base64")), validate=True)
    shown: Shown = msgspec.convert({**kept, "content": None}, Shown)
    return Shown(shown.bytes, shown.sha256, content)


def _decoded_content(logged: Any) -> bytes | Cut:
    content: bytes | Cut = decode_value(logged)
    if type(content) not in (bytes, Cut):
        raise AuditError(f"the content of a file is bytes, not {type(content).__name__}")
    return content


def _decoded_count(logged: Any) -> tuple[None, ...]:
    if type(logged) is not int or not 0 <= logged <= 10_000_000:
        raise AuditError("messages should be their number")
    return (None,) * logged


def _checked(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise AuditError(f"a {type(value).__name__} where a {kind.__name__} belongs")
    return value


_PARTS: Final[dict[type[Event], _Part]] = {
    events.CellFinished: _Part(
        _is_plain_finish,
        _execution_fields,
        lambda logged: {"execution": _decoded_execution(logged.get("execution"))},
    ),
    events.ToolCalled: _Part(
        _is_plain_call,
        lambda encoder, event: {
            "args": [encoder.value(value) for value in event.args],
            "kwargs": _values(encoder, event.kwargs),
        },
        lambda logged: {
            "args": tuple(map(decode_value, _checked(list, logged.get("args")))),
            "kwargs": _decoded_values(logged.get("kwargs")),
        },
    ),
    events.ToolReturned: _Part(
        lambda event, room: is_plain(event.value, room),
        lambda encoder, event: {"value": encoder.value(event.value)},
        lambda logged: {"value": decode_value(logged.get("value"))},
    ),
    events.VariablesSent: _Part(
        lambda event, room: all(is_plain(value, room) for value in event.variables.values()),
        lambda encoder, event: {"variables": _values(encoder, event.variables)},
        lambda logged: {"variables": _decoded_values(logged.get("variables"))},
    ),
    events.FileWritten: _Part(
        _never,
        lambda encoder, event: {"content": encoder.value(event.content)},
        lambda logged: {"content": _decoded_content(logged.get("content"))},
    ),
    events.Displayed: _Part(
        _never,
        lambda encoder, event: {"bundle": encoder.display(event.bundle)},
        lambda logged: {"bundle": _decoded_display(logged.get("bundle"))},
    ),
    # a conversation repeated at every call would make the log grow with its square
    events.ModelCalled: _Part(
        _never,
        lambda encoder, event: {"messages": len(event.messages)},
        lambda logged: {"messages": _decoded_count(logged.get("messages"))},
    ),
    events.AgentRunFinished: _Part(
        lambda event, room: is_plain(event.output, room),
        lambda encoder, event: {"output": encoder.value(event.output)},
        lambda logged: {"output": decode_value(logged.get("output"))},
    ),
}

_STAND_INS: Final[dict[str, Any]] = {
    "execution": {},
    "args": (),
    "kwargs": {},
    "variables": {},
    "content": b"",
    "messages": (),
}
"""What holds the place of a decoded field while the others are checked, where None would not do."""


def decode_event(name: str, logged: dict[str, Any]) -> Event:
    """The event that a line tells of, its values decoded. AuditError if there is no such event, or
    its fields are not as they should be."""
    kind = ALL_KINDS.get(name)
    if kind is None:
        raise AuditError(f"there is no event {name[:100]!r}")
    if "$cut" in logged:
        raise AuditError(f"this {name} was too large for the log: only its hash is there")
    part = _PARTS.get(kind)
    try:
        decoded = {} if part is None else part.decoded(logged)
        stand_ins = {field: _STAND_INS.get(field) for field in decoded}
        if (
            kind is events.Displayed
        ):  # whose type, text or bytes, is none that JSON could be checked against
            return events.Displayed(**_as_dict(msgspec.convert(logged, Event)), **decoded)
        event: Event = msgspec.convert({**logged, **stand_ins}, kind)
        return msgspec.structs.replace(event, **decoded)
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        raise AuditError(f"this {name} is not as it should be: {error}") from None
