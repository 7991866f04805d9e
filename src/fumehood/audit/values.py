"""Values in a line: as plain JSON where JSON says all there is to say, else in the wire's form,
else cut to a description.

    a plain value         itself: None, bool, int of 64 bits, finite float, text, lists and dicts of
                          those
    {"$wire": node, "buffers": [base64, …]}    what the value codec makes of it (wire/values.py);
                                               the same value comes back
    {"$cut": {"type", "text", "bytes", "sha256"}}    too large, or nothing the codec carries: what
                                                     can be said of it

A dict with a key that begins with `$` is never plain, so nothing can be mistaken for something
else. `sha256` is that of the wire's form, by which two values that were cut can be compared; None
if there is none, or if it would take long to know.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Final

import msgspec

from fumehood.errors import AuditError, WorkerProtocolError
from fumehood.wire.show import bounded_repr, clean_text, qualified_name
from fumehood.wire.values import (
    INT_MAX,
    INT_MIN,
    Decoder,
    Encoder,
    Node,
    RemoteObject,
    ValueLimits,
    is_utf8,
)

MAX_VALUE_BYTES: Final = 1_000_000
_CUT_TEXT: Final = 2000
"""Characters of the repr of a value that was cut."""
_REMOTE_TEXT: Final = 1000
_HASHED: Final = 64_000_000
"""Bytes of a value that are still hashed: a moment. The event's own thread waits for it."""
_TEXTS: Final = frozenset({str, bytes, bytearray})
_ITEMS: Final = 1_000_000
"""Items of a value that are looked at one by one."""
_REPEATED: Final = 10_000
"""Items of containers that a plain value holds more than once."""
_DEPTH: Final = 40
"""Levels of a plain value. What is nested deeper goes the codec's way, which has bounds of its
own."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What a log keeps of a value that is not in it."""

    type: str
    text: str
    bytes: int | None = None
    sha256: str | None = None

    def __repr__(self) -> str:
        size = "" if self.bytes is None else f", {self.bytes:,} bytes"
        return f"<cut {self.type}{size}: {self.text}>"


def encode_value(value: Any, max_value_bytes: int = MAX_VALUE_BYTES) -> Any:
    """A value as JSON. Never raises for what the value is; the same value always gives the same."""
    if is_plain(value, max_value_bytes) and _is_clean(value):
        return value
    if type(value) in _TEXTS and len(value) > _HASHED:
        return _cut(value, len(value), None)
    try:
        node, buffers = _wire(value)
        header = msgspec.json.encode(node)
        size = len(header) + sum(memoryview(buffer).nbytes for buffer in buffers)
        if size > max_value_bytes:
            return _cut(value, size, _digest(header, buffers) if size <= _HASHED else None)
        wire: dict[str, Any] = {"$wire": node}
        if buffers:
            wire["buffers"] = [base64.b64encode(buffer).decode() for buffer in buffers]
        return wire
    except Exception:  # more than the codec takes, or an object that objects to being looked at
        return _cut(value, None, None)


def decode_value(logged: Any) -> Any:
    """The value that a line tells of; a Cut if it was cut. AuditError if it is nothing that a log
    holds."""
    if type(logged) is not dict:
        return logged
    if "$wire" in logged:
        buffers = logged.get("buffers", [])
        try:
            if logged.keys() - {"$wire", "buffers"} or type(buffers) is not list:
                raise AuditError("a value in the log has parts that do not belong there")
            return Decoder().decode(
                logged["$wire"],
                [bytearray(binascii.a2b_base64(part, strict_mode=True)) for part in buffers],
            )
        except (WorkerProtocolError, TypeError, ValueError) as error:
            if isinstance(error, AuditError):
                raise
            raise AuditError(f"a value in the log cannot be read: {error}") from None
    if "$cut" in logged:
        try:
            return msgspec.convert(logged["$cut"], Cut)
        except msgspec.ValidationError as error:
            raise AuditError(f"a value that was cut is described wrongly: {error}") from None
    return logged


def is_plain(value: Any, room: int) -> bool:
    """Whether JSON carries a value as it is, in about so many bytes. Texts are not looked at: see
    `_is_clean`."""
    if value is None:
        return True
    if type(value) is dict and any(type(key) is str and key[:1] == "$" for key in value):
        return False
    return _Room(room).take(value, _DEPTH)


class _Room:
    """Counts a plain value up to a bound. A value of shared parts can be small and still say more
    than can be counted, so parts that occur again have a bound of their own: what has more of
    them goes the codec's way, which sends each part once."""

    __slots__ = ("left", "repeated", "seen")

    def __init__(self, left: int) -> None:
        self.left = left
        self.repeated = _REPEATED
        self.seen: set[int] = set()

    def take(self, value: Any, depth: int) -> bool:
        """Whether the value is plain and there is room for it."""
        kind = type(value)
        if kind is str:
            self.left -= len(value)
        elif kind is int:
            self.left -= 8 if INT_MIN <= value <= INT_MAX else self.left + 1
        elif value is None or kind is bool:
            self.left -= 4
        elif kind is float:
            self.left -= 8 if isfinite(value) else self.left + 1
        elif kind is not list and kind is not dict or depth <= 0 or len(value) > self.left:
            return False
        else:
            if id(value) in self.seen:
                self.repeated -= len(value) + 1
                if self.repeated < 0:
                    return False
            self.seen.add(id(value))
            self.left -= len(value)
            if kind is list:
                return all(self.take(item, depth - 1) for item in value)
            return all(
                type(key) is str and self.take(key, 0) and self.take(item, depth - 1)
                for key, item in value.items()
            )
        return self.left >= 0


def _is_clean(value: Any) -> bool:
    """Whether the texts of a plain value hold no lone surrogates, which JSON does not carry."""
    if type(value) is str:
        return value.isascii() or is_utf8(value)
    if type(value) is list:
        return all(map(_is_clean, value))
    if type(value) is dict:
        return all(_is_clean(key) and _is_clean(item) for key, item in value.items())
    return True


# -- the wire's form


class _Named:
    """Stands in a value for an object of a sandbox, which the codec would not send to another."""

    def __init__(self, remote: RemoteObject) -> None:
        self.remote = remote


def _wire(value: Any) -> tuple[Node, list[bytes | memoryview]]:
    encoder = Encoder(remote=_name, limits=ValueLimits(items=_ITEMS))
    try:
        return encoder.encode(value)
    except ValueError:
        found: dict[int, Any] = {}
        renamed = _with_names(value, found)
        if not any(type(other) is _Named for other in found.values()):
            raise
        return encoder.encode(renamed)


def _name(value: object) -> tuple[int, str, str]:
    if type(value) is _Named:
        value = value.remote
    if type(value) is RemoteObject:
        return value.id, value.type_name, value.text
    return 0, qualified_name(type(value)), _shown(value, _REMOTE_TEXT)


def _with_names(value: Any, found: dict[int, Any]) -> Any:
    """A copy of a value's containers in which objects of a sandbox have stand-ins. `found` has
    every part that was seen."""
    if id(value) in found:
        return found[id(value)]
    kind = type(value)
    made: Any = value
    if kind is RemoteObject:
        made = found[id(value)] = _Named(value)
    elif kind is list:
        made = found[id(value)] = []
        made.extend(_with_names(item, found) for item in value)
    elif kind is dict:
        made = found[id(value)] = {}
        made.update(
            {_with_names(key, found): _with_names(item, found) for key, item in value.items()}
        )
    elif kind is tuple or kind is set or kind is frozenset:
        made = found[id(value)] = kind(_with_names(item, found) for item in value)
    return made


def _digest(header: bytes, buffers: list[bytes | memoryview]) -> str:
    digest = hashlib.sha256(header)
    for buffer in buffers:
        digest.update(buffer)
    return digest.hexdigest()


def _cut(value: Any, size: int | None, sha256: str | None) -> dict[str, Any]:
    return {
        "$cut": asdict(Cut(qualified_name(type(value)), _shown(value, _CUT_TEXT), size, sha256))
    }


def _shown(value: Any, limit: int) -> str:
    try:
        return clean_text(bounded_repr(value, limit))
    except (
        BaseException
    ) as error:  # bounded_repr lets one pass: the end of a cell's time, which is nobody's here
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"<{qualified_name(type(value))} object that cannot be shown>"
