"""The protocol without I/O: messages in, bytes out; bytes in, messages out. Both ends use it, over whatever carries the bytes.

The host's end keeps count: an answer must answer something it asked, a tool call belongs to a running cell, and nothing else may arrive.
The worker's end trusts the host.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from fumehood.errors import WorkerProtocolError
from fumehood.wire import messages
from fumehood.wire.frames import Bounds, Buffer, FrameReader, encode_frame
from fumehood.wire.messages import Message


def _fast_encoder() -> Callable[[Any], str]:
    """The standard library's encoder in C, made once: its own `encode` makes a new one each time, which costs more than a message."""
    encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False, allow_nan=False)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return encoder.encode
    text = json.encoder.encode_basestring
    pieces = make(None, encoder.default, text, None, ":", ",", False, False, False)
    return lambda body: "".join(pieces(body, 0))


_encode_ascii = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False).encode
_encode = _fast_encoder()

_LONGEST_NAME = 1_000
MOST_CALLS = 1_000
"""Tool calls of one sandbox that may wait for their answer at the same time."""


def plain_header(message: Message) -> bytes:
    """A message as JSON. Text that UTF-8 cannot hold travels escaped."""
    body = messages.as_object(message)
    try:
        return _encode(body).encode()
    except UnicodeEncodeError:
        return _encode_ascii(body).encode()


class Conversation:
    """One end. `parse` turns a header into a message and raises WorkerProtocolError for anything else."""

    def __init__(self, bounds: Bounds, parse: Callable[[bytes], Any]) -> None:
        self.reader = FrameReader(bounds)
        self._parse = parse

    def send(self, message: Message, buffers: Sequence[Buffer] = ()) -> list[Buffer]:
        """The bytes to write for a message."""
        return encode_frame(plain_header(message), list(buffers))

    def next_message(self) -> tuple[Any, list[Any]] | None:
        """The next message and its buffers, or None until more bytes have been fed to `reader`."""
        frame = self.reader.next_frame()
        if frame is None:
            return None
        message = self._parse(frame[0])
        self._expect(message)
        return message, frame[1]

    def _expect(self, message: Any) -> None:
        pass


class HostConversation(Conversation):
    """The end that trusts nothing it is sent."""

    def __init__(self, bounds: Bounds, parse: Callable[[bytes], Any], *, ready: bool = False) -> None:
        super().__init__(bounds, parse)
        self._ready = ready
        self._asked: set[int] = set()
        self.running: int | None = None
        self.calls: set[int] = set()

    def send(self, message: Message, buffers: Sequence[Buffer] = ()) -> list[Buffer]:
        if isinstance(message, messages.Run):
            self.running = message.id
        elif isinstance(message, (messages.ToolReturned, messages.ToolRaised)):
            self.calls.discard(message.call)
        elif isinstance(message, (messages.Commit, messages.Confine, messages.KeepBase)):
            pass  # nothing comes back
        else:
            self._asked.add(message.id)  # type: ignore[attr-defined]  # every other message of the host asks something
        return super().send(message, buffers)

    def _expect(self, message: Any) -> None:
        kind = message.type
        if not self._ready and kind not in ("ready", "broken"):
            raise WorkerProtocolError(f"the sandbox sent {kind!r} before it was ready")
        if kind == "call_tool":
            if len(message.name) > _LONGEST_NAME:
                raise WorkerProtocolError(f"the sandbox called a tool by a name of {len(message.name):,} characters")
            if self.running is None:
                return  # a thread that a cell left behind; nobody will answer
            if message.call in self.calls or len(self.calls) >= MOST_CALLS:
                raise WorkerProtocolError(
                    "the sandbox numbered two tool calls alike" if message.call in self.calls else "too many tool calls"
                )
            self.calls.add(message.call)
        elif kind == "finished" and message.id == self.running:
            self.running = None
        elif kind in ("done", "failed") and message.id in self._asked:
            self._asked.remove(message.id)
        elif kind == "ready" and not self._ready and message.protocol == messages.PROTOCOL:
            self._ready = True
        elif kind == "display" and self.running is not None or kind == "broken" and not self._ready:
            pass
        else:
            raise WorkerProtocolError(f"the sandbox sent {kind!r}, which answers nothing")


_WORKER_KINDS = {kind.type: kind for kind in messages.FROM_HOST}
_scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
"""The part of it that is in C. What is around it is for text that somebody has written by hand."""


def parse_from_host(header: bytes) -> Message:
    """A message of the host, read inside the sandbox with the standard library alone."""
    body, _end = _scan(header.decode("utf-8", "surrogatepass"), 0)
    return _WORKER_KINDS[body.pop("type")](**body)
