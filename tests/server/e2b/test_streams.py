"""What a thread makes and a client reads: in order, bounded, and with an end."""

from __future__ import annotations

import asyncio
import threading

import pytest

from fumehood.server.e2b import streams
from fumehood.server.e2b.streams import MOST_BYTES, Pipe, Unread


def test_everything_arrives_in_order_and_then_the_end() -> None:
    async def read() -> bytes:
        pipe = Pipe(asyncio.get_running_loop())

        def write() -> None:
            for number in range(1000):
                pipe.put(b"%d," % number)
            pipe.end()

        threading.Thread(target=write).start()
        found = b""
        while (piece := await pipe.take(30)) is not None:
            found += piece
        assert await pipe.take(0) is None
        return found

    assert asyncio.run(read()) == b"".join(b"%d," % number for number in range(1000))


def test_after_a_silence_there_is_nothing_and_no_end() -> None:
    async def read() -> bytes | None:
        return await Pipe(asyncio.get_running_loop()).take(0.01)

    assert asyncio.run(read()) == b""


def test_a_thread_waits_for_a_client_that_does_not_read() -> None:
    async def read() -> int:
        pipe = Pipe(asyncio.get_running_loop())
        written = []

        def write() -> None:
            for number in range(10):
                pipe.put(bytes(MOST_BYTES // 2))
                written.append(number)
            pipe.end()

        thread = threading.Thread(target=write)
        thread.start()
        while len(written) < 3:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        assert len(written) == 3  # more than there is room for, by the one that fills it
        size = 0
        while (piece := await pipe.take(30)) is not None:
            size += len(piece)
            assert len(piece) <= 2 * MOST_BYTES
        return size

    assert asyncio.run(read()) == 5 * MOST_BYTES


def test_whoever_writes_for_a_client_that_has_left_is_told() -> None:
    async def leave() -> None:
        pipe = Pipe(asyncio.get_running_loop())
        pipe.leave()
        with pytest.raises(Unread):
            pipe.put(b"x")

    asyncio.run(leave())


def test_a_client_that_reads_nothing_for_long_is_taken_for_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streams, "PATIENCE_SECONDS", 0.01)

    async def write() -> None:
        pipe = Pipe(asyncio.get_running_loop())
        pipe.put(bytes(MOST_BYTES + 1))
        with pytest.raises(Unread):
            await asyncio.to_thread(pipe.put, b"x")

    asyncio.run(write())
