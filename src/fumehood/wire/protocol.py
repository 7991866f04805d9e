"""The protocol without I/O: messages in, bytes out; bytes in, messages out. Both ends use it, over
whatever carries the bytes.

The host's end keeps count: an answer must answer something it asked, a tool call belongs to a
running cell, and nothing else may arrive. The worker's end trusts the host.
"""

from __future__ import annotations

import functools
import json
import re
import typing
from collections.abc import Callable, Sequence
from typing import Any

from fumehood.errors import WorkerProtocolError
from fumehood.wire import messages
from fumehood.wire.frames import Bounds, Buffer, FrameReader, encode_frame
from fumehood.wire.messages import Message

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_NAME = 1_000
MOST_CALLS = 1_000
"""Tool calls of one sandbox that may wait for their answer at the same time."""

_quoted: Callable[[str], str] = json.encoder.encode_basestring
# The encoder in C, made once: `json.dumps` makes one each time, which costs more than a message.
_encode: Callable[[Any, int], Sequence[str]] = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, json.JSONEncoder().default, _quoted, None, ":", ",", False, False, False
)


def plain_header(message: Message) -> bytes:
    """A message as JSON. Lone surrogates, which UTF-8 cannot hold, are escaped: for a worker as
    JSON does it, for the host, whose parser refuses them, as text to read. What must be the same
    on the other side is a value, which the codec encodes."""
    body = {"type": message.type, **vars(message)}
    text = "".join(_encode(body, 0))
    try:
        return text.encode()
    except UnicodeEncodeError:
        if isinstance(message, messages.FromHost):
            return json.dumps(body, allow_nan=False).encode()
        return _LONE_SURROGATE.sub(lambda found: f"\\\\u{ord(found[0]):04x}", text).encode()


def plain_end(number: int, value: Any, wall: int, cpu: int, peak_memory: int) -> bytes | None:
    """As plain_header, of a Finished that has a plain value and nothing else; None if the value is
    not as plain as that. Most cells end like this, and it saves a tenth of their time."""
    if type(value) is str and value.isascii():
        value = _quoted(value)
    elif value is None:
        value = "null"
    elif type(value) is not int:
        return None
    return (
        f'{{"type":"finished","id":{number},"value":{value},"wall":{wall},"cpu":{cpu}'
        f',"peak_memory":{peak_memory}}}'
    ).encode()


class Conversation:
    """One end. `parse` turns a header into a message and raises WorkerProtocolError for anything
    else."""

    def __init__(self, bounds: Bounds, parse: Callable[[bytes], Any]) -> None:
        self.reader = FrameReader(bounds)
        self._parse = parse

    def send(self, message: Message, buffers: Sequence[Buffer] = ()) -> list[Buffer]:
        """The bytes to write for a message."""
        return encode_frame(plain_header(message), buffers)

    def next_message(self) -> tuple[Any, list[Any]] | None:
        """The next message and its buffers, or None until more bytes have been fed to `reader`."""
        return self._received(self.reader.next_frame())

    def take(self, data: bytes) -> tuple[Any, list[Any]] | None:
        """As to feed the bytes to `reader` and to call `next_message`. For bytes that came while no
        buffer was being filled."""
        return self._received(self.reader.take(data))

    def _received(self, frame: tuple[bytes, list[Any]] | None) -> tuple[Any, list[Any]] | None:
        if frame is None:
            return None
        message = self._parse(frame[0])
        self._expect(message)
        return message, frame[1]

    def _expect(self, message: Any) -> None:
        """Raise WorkerProtocolError for a message that may not come now."""


class HostConversation(Conversation):
    """The end that trusts nothing it is sent."""

    def __init__(
        self, bounds: Bounds, parse: Callable[[bytes], Any], *, ready: bool = False
    ) -> None:
        super().__init__(bounds, parse)
        self._ready = ready
        self._asked: set[int] = set()
        self.running: int | None = None
        self._code_ended = False
        self.calls: set[int] = set()

    def send(self, message: Message, buffers: Sequence[Buffer] = ()) -> list[Buffer]:
        if type(message) is messages.Run:
            self.running = message.id
            self._code_ended = False
        elif isinstance(message, (messages.ToolReturned, messages.ToolRaised)):
            self.calls.discard(message.call)
        elif isinstance(message, messages.Request):
            self._asked.add(message.id)
            if type(message) is messages.Command:
                self._asked.add(message.end)
        return encode_frame(plain_header(message), buffers)

    def forget(self, *numbers: int) -> None:
        """Expect no answers to these any more."""
        self._asked.difference_update(numbers)

    def _expect(self, message: Any) -> None:
        kind = message.type
        if not self._ready and kind not in ("ready", "broken"):
            raise WorkerProtocolError(f"the sandbox sent {kind!r} before it was ready")
        if kind == "call_tool":
            if len(message.name) > _LONGEST_NAME:
                raise WorkerProtocolError(
                    f"the sandbox called a tool by a name of {len(message.name):,} characters"
                )
            if self.running is None:
                raise WorkerProtocolError("the sandbox called a tool while no cell was running")
            if message.call in self.calls:
                raise WorkerProtocolError("the sandbox numbered two tool calls alike")
            if len(self.calls) >= MOST_CALLS:
                raise WorkerProtocolError("too many tool calls")
            self.calls.add(message.call)
        elif kind == "finished" and message.id == self.running:
            self.running = None
        elif kind in ("done", "failed") and message.id in self._asked:
            self._asked.remove(message.id)
        elif kind == "ready" and not self._ready and message.protocol == messages.PROTOCOL:
            self._ready = True
        elif kind == "display" and self.running is not None or kind == "broken" and not self._ready:
            pass
        elif kind == "code_ended" and self.running is not None and not self._code_ended:
            self._code_ended = True  # once per cell: the host gives it more time for it
        else:
            raise WorkerProtocolError(f"the sandbox sent {kind!r}, which answers nothing")


def parse_from_worker(header: bytes) -> Any:
    """A message of the sandbox, read on the host: every field has the exact type that its row in
    messages.py says, or WorkerProtocolError is raised. Nothing untyped is built but the nodes of
    values, which the codec checks as it decodes them."""
    try:
        return _worker_decoder()(header)
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors
        raise WorkerProtocolError(
            f"the sandbox sent a message that cannot be read: {str(error)[:200]}"
        ) from None


@functools.cache
def _worker_decoder() -> Callable[[bytes], Any]:
    import msgspec  # only the host has it

    kinds = []
    for kind in messages.FROM_WORKER:
        columns: list[Any] = [
            (name, hint, getattr(kind, name)) if hasattr(kind, name) else (name, hint)
            for name, hint in typing.get_type_hints(kind).items()
            if typing.get_origin(hint) is not typing.ClassVar
        ]
        kinds.append(
            msgspec.defstruct(
                kind.__name__,
                columns,
                tag_field="type",
                tag=kind.type,
                namespace={"type": kind.type},
                kw_only=True,
                frozen=True,
                forbid_unknown_fields=True,
            )
        )
    return msgspec.json.Decoder(typing.Union[tuple(kinds)]).decode  # noqa: UP007


_NEW: Callable[[type[Message]], Message] = object.__new__
_KINDS_FROM_HOST = {kind.type: kind for kind in messages.FROM_HOST}
_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # the part of it that is in C


def parse_from_host(header: bytes) -> Message:
    """A message of the host, read inside the sandbox with the standard library alone."""
    body, _end = _scan(header.decode("utf-8", "surrogatepass"), 0)
    message = _NEW(_KINDS_FROM_HOST[body.pop("type")])
    message.__dict__ = body
    return message
