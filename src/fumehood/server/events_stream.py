"""Events of running cells on their way to one reader: a client at the other end of an event stream,
or of a WebSocket.

Cells tell from threads, and the reader takes on the event loop. Between them is room for so much
and no more: a reader that is slow must not fill the server's memory. When there is no room, what
prints waits, as it would for any slow terminal; but only for so long, as nobody looks at the cell's
clock meanwhile. Then what does not fit is left out, and a `cut` event says how much. What the cell
comes to is always told.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from typing import Any, Final

import msgspec

from fumehood.server.live_shapes import Cut, Display, Output, Told
from fumehood.server.outcomes import displays
from fumehood.wire.show import clean_text

ROOM: Final = 1 << 20
"""Characters that may wait for a reader."""
PATIENCE: Final = 5.0
"""Seconds that a cell's output waits for its reader, all in all."""
BATCH: Final = 1 << 16
"""Characters that are taken at once."""
EACH: Final = 200
"""What an event takes besides its text."""


class Run:
    """One run, as its stream knows it."""

    def __init__(self, name: str, patience: float = PATIENCE) -> None:
        self.name = name
        self.patience = patience
        """Seconds that its output may still wait."""
        self.has_begun = False
        self.cut = 0
        """Characters that were left out."""


class _Text:
    """Output that waits, and may become more until it is taken."""

    __slots__ = ("pieces", "run", "size")

    def __init__(self, run: Run) -> None:
        self.run, self.size = run, EACH
        self.pieces: list[str] = []

    def event(self, number: int) -> Told:
        return Output(id=number, run=self.run.name, text=clean_text("".join(self.pieces)))


class _Gap:
    """What was left out, which may become more until it is taken."""

    __slots__ = ("characters", "displays", "run", "size")

    def __init__(self, run: Run) -> None:
        self.run, self.size = run, EACH
        self.characters = self.displays = 0

    def event(self, number: int) -> Told:
        return Cut(id=number, run=self.run.name, characters=self.characters, displays=self.displays)


class _Shown:
    """A display. It is encoded when it is taken: until then it is the cell's own, and takes no more
    memory."""

    __slots__ = ("bundle", "run", "size")

    def __init__(self, run: Run, bundle: dict[str, str | bytes]) -> None:
        self.run, self.bundle = run, bundle
        self.size = EACH + sum(map(len, bundle.values()))

    def event(self, number: int) -> Told:
        return Display(id=number, run=self.run.name, formats=displays([self.bundle])[0])


class _Ready:
    """Any other event."""

    __slots__ = ("size", "told")

    def __init__(self, told: Told, size: int) -> None:
        self.told, self.size = told, size + EACH

    def event(self, number: int) -> Told:
        return msgspec.structs.replace(self.told, id=number)


class Events:
    """What waits for one reader. To be made on its event loop."""

    def __init__(self, room: int = ROOM) -> None:
        self._loop = asyncio.get_running_loop()
        self._room = room
        self._changed = threading.Condition()
        self._waiting: deque[_Text | _Gap | _Shown | _Ready] = deque()
        self._used = 0
        self._number = 0
        self._reader: asyncio.Future[None] | None = None
        self._closed = False

    @property
    def is_closed(self) -> bool:
        return self._closed

    # -- from any thread

    def output(self, run: Run, text: str) -> None:
        """What a cell prints. Waits while there is no room, if the run may still wait."""
        with self._changed:
            if not self._wait_for(run, len(text)):
                self._gap(run).characters += len(text)
                run.cut += len(text)
                return
            last = self._waiting[-1] if self._waiting else None
            if not isinstance(last, _Text) or last.run is not run:
                last = _Text(run)
                self._put(last)
            last.pieces.append(text)
            last.size += len(text)
            self._used += len(text)

    def display(self, run: Run, bundle: dict[str, str | bytes]) -> None:
        """What a cell shows, likewise. One that is larger than all the room there is has it for
        itself."""
        shown = _Shown(run, bundle)
        with self._changed:
            if self._wait_for(run, shown.size):
                self._put(shown)
            else:
                self._gap(run).displays += 1

    def tell(self, told: Told, size: int = 0) -> None:
        """Anything else: there is always room for what comes once in a run."""
        with self._changed:
            if not self._closed:
                self._put(_Ready(told, size))

    def offer(self, told: Told, size: int) -> bool:
        """What may come often: False, and it is not told, if there is no room or nobody reads."""
        with self._changed:
            if self._closed or self._used + size > self._room:
                return False
            self._put(_Ready(told, size))
            return True

    def _wait_for(self, run: Run, size: int) -> bool:
        while not self._closed and self._used and self._used + size > self._room:
            if run.patience <= 0:
                return False
            began = time.monotonic()
            self._changed.wait(run.patience)
            run.patience -= time.monotonic() - began
        return not self._closed

    def _gap(self, run: Run) -> _Gap:
        last = self._waiting[-1] if self._waiting else None
        if isinstance(last, _Gap) and last.run is run or self._closed:
            return last if isinstance(last, _Gap) else _Gap(run)
        gap = _Gap(run)
        self._put(gap)
        return gap

    def _put(self, item: _Text | _Gap | _Shown | _Ready) -> None:
        self._waiting.append(item)
        self._used += item.size
        if self._reader is not None:
            reader, self._reader = self._reader, None
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody reads any more
                self._loop.call_soon_threadsafe(_wake, reader)

    # -- on the reader's loop

    async def next(self, seconds: float) -> list[Told]:
        """What has been told since the last time, a part of it if that is much; nothing if nothing
        is told for so long."""
        reader = None
        with self._changed:
            if not self._waiting and not self._closed:
                reader = self._reader = self._loop.create_future()
        if reader is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(reader, seconds)
        taken: list[Told] = []
        with self._changed:
            self._reader = None
            size = 0
            while self._waiting and size < BATCH:
                item = self._waiting.popleft()
                size += item.size
                self._number += 1
                taken.append(item.event(self._number))
            if size:
                self._used -= size
                self._changed.notify_all()
        return taken

    def close(self) -> None:
        """Nobody reads any more: what waits is dropped, and nothing waits from now on."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._used = 0
            self._changed.notify_all()
            reader, self._reader = self._reader, None
        if reader is not None:
            _wake(reader)


def _wake(reader: asyncio.Future[None]) -> None:
    if not reader.done():
        reader.set_result(None)


_encode: Final = msgspec.json.Encoder().encode


def as_frame(told: Told) -> bytes:
    """An event as a server-sent event. JSON has no line ends of its own, so that nothing in it can
    end the event."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (told.id, kind(told).encode(), _encode(told))


def as_message(told: Told) -> str:
    """An event as a message of a WebSocket."""
    return _encode(told).decode()


def kind(told: Told) -> str:
    tag: Any = told.__struct_config__.tag
    return str(tag)


HEARTBEAT: Final = b": all is well\n\n"
"""A comment, which readers ignore: it tells whoever is in between that the connection is in use."""
