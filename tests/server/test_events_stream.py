"""Events on their way to one reader: in order, in bounded room, and never without their end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the server's packages are not installed")

from fumehood.server.events_stream import BATCH, EACH, Events, Run, as_frame, as_message
from fumehood.server.live_shapes import Began, Cut, Display, End, Output, Told


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


def test_events_come_in_order_and_are_numbered_from_one() -> None:
    run = Run("a")

    def tell(events: Events) -> None:
        events.tell(Began(run="a"))
        events.output(run, "one")
        events.display(run, {"text/plain": "shown", "image/png": b"\x89PNG"})
        events.output(run, "two")
        events.tell(End(run="a"))

    got = told(tell)
    assert [event.id for event in got] == list(range(1, len(got) + 1))
    assert [type(event) for event in got] == [Began, Output, Display, Output, End]
    assert got[2].formats == {"text/plain": "shown", "image/png": {"base64": "iVBORw=="}}


def test_pieces_that_wait_together_are_one_event() -> None:
    run = Run("a")

    async def main() -> list[Told]:
        events = Events()
        for number in range(1000):
            events.output(run, f"{number}\n")
        return await events.next(1)

    (event,) = asyncio.run(main())
    assert event.text == "".join(f"{number}\n" for number in range(1000))


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


def test_what_is_printed_after_a_gap_comes_after_its_mark() -> None:
    run = Run("a", patience=0)

    async def main() -> list[Told]:
        events = Events(room=1000)
        events.output(run, "a" * 600)
        events.output(run, "b" * 600)
        got = await events.next(1)
        events.output(run, "c")
        return got + await events.next(1)

    kinds = [type(event) for event in asyncio.run(main())]
    assert kinds == [Output, Cut, Output]


def test_a_display_larger_than_all_room_is_still_told_when_nothing_else_waits() -> None:
    run = Run("a", patience=60)

    def tell(events: Events) -> None:
        events.output(run, "x")
        events.display(run, {"image/png": bytes(50_000)})
        events.tell(End(run="a"))

    assert [type(event) for event in told(tell, room=1000)] == [Output, Display, End]


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


def test_an_offer_is_refused_when_there_is_no_room_and_when_nobody_reads() -> None:
    async def main() -> list[bool]:
        events = Events(room=1000)
        offered = [events.offer(Began(), 600), events.offer(Began(), 600)]
        events.close()
        return [*offered, events.offer(Began(), 0)]

    assert asyncio.run(main()) == [True, False, False]


def test_silence_is_told_by_nothing() -> None:
    async def main() -> Any:
        return await Events().next(0.01)

    assert asyncio.run(main()) == []


def test_a_reader_takes_a_part_at_a_time() -> None:
    async def main() -> list[int]:
        events = Events(room=10 * BATCH)
        for name in "abcd":
            events.output(Run(name), "x" * (BATCH - EACH))
        return [len(await events.next(1)) for _ in range(4)]

    assert asyncio.run(main()) == [1, 1, 1, 1]


def test_nothing_that_is_printed_can_end_an_event_or_begin_another() -> None:
    text = "a\n\ndata: forged\n\nevent: end\r\n\u2028\x00"
    frame = as_frame(Output(id=7, run="r", text=text))
    assert frame.count(b"\n") == 4
    assert frame.startswith(b"id: 7\nevent: output\ndata: {") and frame.endswith(b"}\n\n")
    assert "\n" not in as_message(Output(id=7, run="r", text=text))
