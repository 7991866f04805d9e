"""Parsers of streams: whatever bytes come, in whatever pieces, something is read or the one error
of that parser is raised, the same for every way of cutting them; and memory stays in proportion."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from fumehood.docker.containers import Demultiplexer
from fumehood.errors import ContainerFailed, WorkerProtocolError
from fumehood.server.e2b.connect import Envelopes, envelope, last
from fumehood.server.refusals import Refusal
from fumehood.tunnel.frames import BEGINNING, BrokenTunnel, Frame, Kind, LineReader, Sort, as_lines
from fumehood.tunnel.frames import FrameReader as TunnelReader
from fumehood.wire import messages
from fumehood.wire.frames import Bounds, FrameReader, encode_frame
from fumehood.wire.output import Apart, as_error
from fumehood.wire.protocol import (
    Conversation,
    HostConversation,
    parse_from_host,
    parse_from_worker,
    plain_header,
)
from fumehood.wire.values import Decoder, Encoder

from .engine import Found, must_raise_only
from .memory import bounded
from .spoiling import ODDITIES, as_json, cut, spoil_json, spoilt
from .values_made import made_value

BOUNDS = Bounds(header=1 << 16, items=20_000, buffers=100, frame=1 << 18)

Read = Callable[[Iterable[bytes]], list[Any]]


@dataclass(frozen=True)
class Stream:
    """One parser. `read` takes pieces and gives all that came out; a list that ends in an error's
    name if one was raised."""

    name: str
    real: Callable[[Random], bytes]
    """A stream as whoever speaks the protocol sends it."""
    feed: Callable[[], Callable[[bytes], Iterable[Any]]]
    errors: type[Exception] | tuple[type[Exception], ...]
    keeps_before: bool
    """Whether what came before an error, in the same piece, is given out all the same."""


def read(stream: Stream, pieces: Iterable[bytes]) -> tuple[list[Any], bool]:
    """What came out, joined where it is bytes, and whether it ended in an error."""
    feed = stream.feed()
    out: list[Any] = []
    for piece in pieces:
        try:
            for item in feed(piece):
                if type(item) is bytes and out and type(out[-1]) is bytes:
                    out[-1] += item
                elif item != b"":
                    out.append(item)
        except stream.errors:
            return out, True
    return out, False


class Streams:
    name = "streams"
    about = (
        "any bytes, cut anywhere: something is read or one kind of error is raised, whatever the"
        " pieces, in bounded memory"
    )
    cases_in_tests = 1000

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        stream = random.choice(STREAMS)
        data = stream.real(random)
        if is_changed := random.random() < 0.85:
            data = (
                random.randbytes(random.randrange(64))
                if random.random() < 0.05
                else spoilt(random, data, (stream.real(random),))
            )
        pieces = cut(random, data)
        shown = f"{stream.name}: {data!r}"
        with must_raise_only((), shown):
            whole = read(stream, [data])
            again = read(stream, pieces)
        if not is_changed and whole[1]:
            raise Found("a stream that is right is refused", shown)
        if whole[1] != again[1] or (stream.keeps_before or not whole[1]) and whole[0] != again[0]:
            raise Found(
                f"what is read depends on how it was cut: {whole!r:.1000} or {again!r:.1000}",
                f"{shown}\n{[*map(len, pieces)]}",
            )
        if random.random() < 0.1:
            with bounded(len(data), shown):
                read(stream, pieces)
        tally["bytes"] += 2 * len(data)
        tally["streams"] += 1
        tally["refused"] += whole[1]
        tally["messages"] += len(whole[0])


# -- the protocol between host and sandbox


def _frames(bounds: Bounds) -> Callable[[], Callable[[bytes], Iterable[Any]]]:
    def make() -> Callable[[bytes], Iterable[Any]]:
        reader = FrameReader(bounds)

        def feed(data: bytes) -> Iterable[Any]:
            for header, buffers in _taken(reader, data, reader.take, reader.next_frame):
                yield header, [bytes(buffer) for buffer in buffers]

        return feed

    return make


def _taken(
    reader: FrameReader, data: bytes, take: Callable[[bytes], Any], following: Callable[[], Any]
) -> Iterable[Any]:
    """As a socket is read: into the place of a buffer where there is one."""
    left = memoryview(data)
    while left:
        room = reader.room()
        if room is None:
            found = take(bytes(left))
            left = left[len(left) :]
        else:
            count = min(len(room), len(left))
            room[:count] = left[:count]
            reader.filled(count)
            left = left[count:]
            found = following()
        while found is not None:
            yield found
            found = following()


def _some_frames(random: Random) -> bytes:
    frames = []
    for _ in range(random.randint(1, 4)):
        buffers = [
            random.randbytes(random.choice((0, 1, 50, 200)))
            for _ in range(random.choice((0, 0, 1, 3)))
        ]
        frames += encode_frame(
            random.choice((b"", b"{}", b'{"a":[1,2]}', b"x" * 200)), list(buffers)
        )
    return b"".join(map(bytes, frames))


def _host() -> Callable[[bytes], Iterable[Any]]:
    """The host's end, in the middle of a cell, with three things asked."""
    conversation = HostConversation(BOUNDS, parse_from_worker, ready=True)
    for message in (
        messages.Run(id=1, code=""),
        *(messages.GetVariable(id=number, name="x") for number in (2, 3, 4)),
    ):
        conversation.send(message)
    decoder = Decoder()

    def feed(data: bytes) -> Iterable[Any]:
        for message, buffers in _taken(
            conversation.reader, data, conversation.take, conversation.next_message
        ):
            for field in ("value", "bundle", "arguments"):
                decoder.decode(getattr(message, field, None), buffers)
            yield message.type

    return feed


def _from_worker(random: Random) -> bytes:
    """What a sandbox says during a cell."""
    encoder = Encoder(lambda value: (1, "T", "r"))

    def value() -> tuple[Any, list[Any]]:
        return encoder.encode(made_value(random, 2))

    said: list[tuple[Any, list[Any]]] = []
    for number in range(random.randint(0, 3)):
        node, buffers = encoder.encode_call((made_value(random, 1),), {"k": made_value(random, 1)})
        said.append((messages.CallTool(call=number, name="f", arguments=node), buffers))
    if random.random() < 0.5:
        node, buffers = encoder.encode({"text/plain": "x", "image/png": b"\x89PNG" * 30})
        said.append((messages.Display(bundle=node), buffers))
    if random.random() < 0.5:
        said.append((messages.Done(id=2), []))
    if random.random() < 0.3:
        said.append((messages.Failed(id=3, error="E", message="m"), []))
    if random.random() < 0.8:
        node, buffers = value()
        said.append(
            (
                messages.Finished(
                    id=1,
                    value=node,
                    error=["E", "m", "t", 3],
                    violations=[[1, 0, "r", "n", "why", ""]],
                ),
                buffers,
            )
        )
    return b"".join(
        bytes(piece)
        for message, buffers in said
        for piece in encode_frame(_header(random, message), buffers)
    )


def _header(random: Random, message: Any) -> bytes:
    return plain_header(message)


def _session() -> Callable[[bytes], Iterable[Any]]:
    conversation = Conversation(BOUNDS, parse_from_host)

    def feed(data: bytes) -> Iterable[Any]:
        for message, _buffers in _taken(
            conversation.reader, data, conversation.take, conversation.next_message
        ):
            yield repr(message)

    return feed


# -- tunnels and what carries them


def _tunnel_frames(random: Random) -> bytes:
    frames = []
    for _ in range(random.randint(1, 5)):
        described = tuple(
            (random.choice([*Sort]), random.randrange(9))
            for _ in range(random.choice((0, 0, 1, 3, 8)))
        )
        frames.append(
            Frame(
                random.choice([*Kind]),
                random.randrange(2**32),
                random.randbytes(random.choice((0, 4, 100))),
                described,
            ).packed()
        )
    return b"".join(frames)


def _tunnel() -> Callable[[bytes], Iterable[Any]]:
    return TunnelReader().feed


def _lines(random: Random) -> bytes:
    return b"".join(
        as_lines(random.randbytes(random.choice((0, 1, 50, 300))))
        for _ in range(random.randint(1, 4))
    )


def _waited_lines(random: Random) -> bytes:
    return (
        b"Welcome!\n" * random.randrange(3)
        + BEGINNING
        + random.choice((b"\n", b"\r\n"))
        + _lines(random)
    )


def _line_reader(waits: bool) -> Callable[[], Callable[[bytes], Iterable[Any]]]:
    def make() -> Callable[[bytes], Iterable[Any]]:
        reader = LineReader(waits=waits)
        return lambda data: [reader.feed(data)]

    return make


def _engine_stream(random: Random) -> bytes:
    pieces = [random.randbytes(random.choice((0, 1, 60, 300))) for _ in range(random.randint(1, 5))]
    return b"".join(
        bytes([random.choice((1, 1, 2)), 0, 0, 0]) + len(piece).to_bytes(4, "big") + piece
        for piece in pieces
    )


def _demultiplexer() -> Callable[[bytes], Iterable[Any]]:
    parser = Demultiplexer()
    return lambda data: [parser.feed(data)]


def _envelopes_sent(random: Random) -> bytes:
    sent = b"".join(
        envelope({"data": "x" * random.randrange(100)}) for _ in range(random.randint(1, 4))
    )
    return sent + (last() if random.random() < 0.5 else b"")


def _envelopes() -> Callable[[bytes], Iterable[Any]]:
    parser = Envelopes()
    return lambda data: [("message", message) for message in parser.feed(data)]


def _printed(random: Random) -> bytes:
    pieces = [
        random.choice((b"out", "é".encode(), b"\xff", b"1", b"2", as_error(b"err"), as_error(b"")))
        for _ in range(random.randint(1, 8))
    ]
    return b"".join(pieces)


def _apart() -> Callable[[bytes], Iterable[Any]]:
    parser = Apart()
    return lambda data: [
        ("both", name, bytes([byte])) for name, piece in parser.feed(data) for byte in piece
    ]


STREAMS = (
    Stream("wire/frames.py", _some_frames, _frames(BOUNDS), WorkerProtocolError, True),
    Stream(
        "wire/frames.py, small bounds",
        _some_frames,
        _frames(Bounds(1 << 10, 100, 8, 1 << 12)),
        WorkerProtocolError,
        True,
    ),
    Stream("wire/protocol.py", _from_worker, _host, WorkerProtocolError, True),
    Stream("tunnel/frames.py", _tunnel_frames, _tunnel, BrokenTunnel, True),
    Stream("tunnel/frames.py, lines", _lines, _line_reader(False), BrokenTunnel, False),
    Stream(
        "tunnel/frames.py, waiting lines", _waited_lines, _line_reader(True), BrokenTunnel, False
    ),
    Stream("docker/containers.py", _engine_stream, _demultiplexer, ContainerFailed, False),
    Stream("server/e2b/connect.py", _envelopes_sent, _envelopes, Refusal, False),
    Stream("wire/output.py", _printed, _apart, (), True),
)


# -- messages whose JSON is right and whose content is not

_FROM_WORKER = tuple(kind.type for kind in messages.FROM_WORKER)


class Messages:
    name = "messages"
    about = "headers that are JSON and no message of the table are refused, in bounded memory"
    cases_in_tests = 1000

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        frame = FrameReader(BOUNDS)
        frame.feed(_from_worker(random) or _some_frames(random))
        received = frame.next_frame()
        header, buffers = received if received is not None else (b"{}", [])
        try:
            body = json.loads(header)
        except ValueError:
            body = {"type": random.choice(_FROM_WORKER), "id": random.choice(ODDITIES)}
        changed = as_json(spoil_json(random, body, self._tags))
        with (
            must_raise_only(WorkerProtocolError, changed),
            (
                bounded(len(changed) + sum(map(len, buffers)), changed)
                if random.random() < 0.1
                else _freely()
            ),
        ):
            message = parse_from_worker(changed)
            tally["read"] += 1
            for field in ("value", "bundle", "arguments"):
                Decoder().decode(
                    getattr(message, field, None), [bytearray(buffer) for buffer in buffers]
                )
        tally["headers"] += 1

    @cached_property
    def _tags(self) -> tuple[str, ...]:
        from fumehood.wire.values import DECODERS

        return (*sorted(DECODERS), *_FROM_WORKER)


def _freely() -> Any:
    import contextlib

    return contextlib.nullcontext()
