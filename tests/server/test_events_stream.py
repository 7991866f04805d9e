"""Events on their way to one reader: in order, in bounded room, and never without their end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

pytest.importorskip("starlette", reason="the server's packages are not installed")

from fumehood.server.events_stream import Events, Run, as_frame, as_message
from fumehood.server.live_shapes import Cut, End, Output, Told


def told(tell: Callable[[Events], object], *, room: int = 10_000) -> list[Told]:
    """All that a reader is told of what a thread tells, which must end with End."""

    async def main() -> list[Told]:
        events = Events(room)
        thread = threading.Thread(target=tell, args=(events,))
        thread.start()
        got: list[Told] = []
        while not got or not isinstance(got[-1], End):
            got += await events.next(30)
        await asyncio.to_thread(thread.join, 30)
        return got

    return asyncio.run(asyncio.wait_for(main(), 60))


def test_what_prints_waits_for_a_reader_that_is_slow_and_nothing_is_lost() -> None:
    run = Run("a", patience=60)
    text = "x" * 999 + "\n"

    def tell(events: Events) -> None:
        for _ in range(200):
            events.output(run, text)
        events.tell(End(run="a"))

    got = told(tell, room=5000)
    assert "".join(event.text for event in got if isinstance(event, Output)) == text * 200
    assert not any(isinstance(event, Cut) for event in got)
    assert run.cut == 0


def test_without_patience_what_does_not_fit_is_left_out_with_a_mark_and_the_end_is_told() -> None:
    run = Run("a", patience=0)

    async def main() -> list[Told]:
        events = Events(room=2000)
        for _ in range(50):
            events.output(run, "x" * 500)
        events.display(run, {"text/plain": "y" * 5000})
        events.tell(End(run="a"))
        return await events.next(1)

    output, cut, end = asyncio.run(main())
    kept = len(output.text)
    assert 500 <= kept <= 2000
    assert (cut.characters, cut.displays) == (50 * 500 - kept, 1)
    assert run.cut == cut.characters
    assert isinstance(end, End)


def test_a_writer_that_waits_goes_on_when_its_reader_is_gone() -> None:
    run = Run("a", patience=3600)

    async def main() -> bool:
        events = Events(room=1000)
        thread = threading.Thread(target=lambda: [events.output(run, "x" * 600) for _ in range(10)])
        thread.start()
        while not events._waiting:
            await asyncio.sleep(0.001)
        events.close()
        await asyncio.to_thread(thread.join, 30)
        events.tell(End(run="a"))
        return not thread.is_alive() and await events.next(1) == []

    assert asyncio.run(main())


def test_nothing_that_is_printed_can_end_an_event_or_begin_another() -> None:
    text = "a\n\ndata: forged\n\nevent: end\r\n\u2028\x00"
    frame = as_frame(Output(id=7, run="r", text=text))
    assert frame.count(b"\n") == 4
    assert frame.startswith(b"id: 7\nevent: output\ndata: {") and frame.endswith(b"}\n\n")
    assert "\n" not in as_message(Output(id=7, run="r", text=text))
