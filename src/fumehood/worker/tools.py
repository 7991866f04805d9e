"""Calls of the host's tools from code: numbered, so that any number may wait at once, in threads
and in tasks.

Whoever waits for something reads the wire, one thread at a time, and hands the others theirs:
answers to whoever called, anything else to the main loop. An event loop with nothing else to do
reads it too.
"""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import itertools
import os
import threading
from collections import deque
from collections.abc import Callable
from time import sleep  # by name: code's own moves its clock
from typing import Any

from fumehood.wire import messages
from fumehood.worker.line import Line
from fumehood.worker.stubs import revive_failure

Received = tuple[Any, list[Any]]

_MOMENTS = 20
_LOOK = (
    0.05  # the reader wakes the others; this is for a reader that died of an exception thrown at it
)


class _Waiting:
    """One call on its way."""

    __slots__ = ("answer", "future", "is_done", "loop")

    def __init__(self, loop: Any = None, future: Any = None) -> None:
        self.is_done = False
        self.answer: Received | None = None
        self.loop = loop
        self.future = future

    def finish(self, answer: Received | None) -> None:
        """Done, with an answer, or with none because the cell is over."""
        self.answer = answer
        self.is_done = True
        if self.future is not None:
            self.loop.call_soon_threadsafe(_wake, self.future)


class Calls:
    def __init__(
        self,
        line: Line,
        encode: Callable[[tuple[Any, ...], dict[str, Any]], Any],
        decode: Callable[[Any, Any], Any],
        flush: Callable[[], None],
    ) -> None:
        self._line = line
        self._encode = encode
        self._decode = decode
        self._flush = flush
        self._numbers = itertools.count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._inbox: deque[Received | None] = deque()
        self._reading = threading.Lock()
        self._reader: int | None = None
        self._changed = threading.Condition(threading.Lock())
        self._is_open = False
        self._pid = 0
        """The process that runs the cell. Code may fork others, whose calls get no answers."""
        self._has_run = False
        """Whether a cell has run: before the first, nobody knows when the host will say
        something."""

    # -- the main loop

    def next_request(self) -> Received | None:
        """The next message that is not the answer to a call; None when the host is gone."""
        inbox = self._inbox
        while not inbox:
            if not self._reading.acquire(blocking=False):
                self._read_until(lambda: bool(inbox))
            elif inbox:  # by whoever was reading until now
                self._reading.release()
            else:
                self._read_and_release(None)
        return inbox.popleft()

    @property
    def is_idle(self) -> bool:
        """Whether no message waits to be handled."""
        return not self._inbox

    def begin_anew(self) -> None:
        """In a copy of this process: those who waited are not here."""
        self._waiting.clear()
        self._inbox.clear()
        self._reading = threading.Lock()
        self._changed = threading.Condition(threading.Lock())
        self._is_open = False

    def begin_cell(self) -> None:
        self._is_open = self._has_run = True
        self._pid = os.getpid()

    def end_cell(self) -> None:
        """Calls that still wait are for nobody: the host no longer answers them."""
        self._is_open = False
        if self._reading.locked():
            self._stop_reading()
        if self._waiting:
            waiting = [*self._waiting.values()]
            self._waiting.clear()
            for one in waiting:
                one.finish(None)
            self._tell_others()

    def _stop_reading(self) -> None:
        """What stops a cell is an exception that may come at any moment: when its thread has just
        begun to read, too. Then nobody reads, and nobody else could. If it is another thread that
        has just begun, it will soon say so."""
        for _ in range(_MOMENTS):
            if not self._reading.locked() or self._reader not in (None, threading.get_ident()):
                return
            if not _thread._count():
                break
            sleep(0.001)
        self._reader = None
        self._reading.release()

    # -- what stubs call

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and wait for what it gives."""
        waiting = self._send(name, args, kwargs, _Waiting(), parallel=threading.active_count() > 1)
        self._read_until(lambda: waiting.is_done)
        if self._waiting:
            self._wake_loops()
        return self._result(waiting)

    def _wake_loops(self) -> None:
        """Let event loops read what was received together with another answer: the socket no
        longer shows it."""
        for loop in {one.loop for one in [*self._waiting.values()]} - {None}:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._read_in_loop)

    async def acall(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and let other tasks go on meanwhile."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        waiting = self._send(name, args, kwargs, _Waiting(loop, future), parallel=True)
        try:
            loop.add_reader(self._line.fileno(), self._read_in_loop)
            loop.call_soon(self._read_in_loop)  # the answer may have been read with another
        except NotImplementedError:
            pass  # a loop that calls wait_in_loop instead
        await future
        if not self._waiting:
            with contextlib.suppress(NotImplementedError):
                loop.remove_reader(self._line.fileno())
        return self._result(waiting)

    def _read_in_loop(self) -> None:
        """Called by an event loop when something has come."""
        while self._waiting and self._reading.acquire(blocking=False):
            if not self._read_and_release(0):
                return

    def wait_in_loop(self, seconds: float) -> bool:
        """Used by an event loop that has nothing to do: read, if a call waits. False if there is
        none to wait for."""
        if not self._waiting or not self._reading.acquire(blocking=False):
            return False
        self._read_and_release(seconds)
        return True

    def _send(
        self,
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        waiting: _Waiting,
        *,
        parallel: bool,
    ) -> _Waiting:
        if os.getpid() != self._pid:
            raise RuntimeError("a forked process cannot call tools; only the cell's own can")
        self._flush()
        node, buffers = self._encode(args, kwargs)
        number = next(self._numbers)
        call = messages.CallTool(call=number, name=name, arguments=node, parallel=parallel)
        with self._line.sending:  # the end of the cell is sent before or after, not between
            if not self._is_open:
                raise RuntimeError("tools can be called only while a cell runs")
            self._waiting[number] = waiting
            self._line.send(call, buffers)
        return waiting

    def _result(self, waiting: _Waiting) -> Any:
        if waiting.answer is None:
            raise RuntimeError("the cell that called the tool is over")
        message, buffers = waiting.answer
        if message.type == "tool_returned":
            return self._decode(message.value, buffers)
        raise revive_failure(
            message.error, self._decode(message.arguments, buffers), message.message
        )

    # -- reading

    def _read_until(self, is_enough: Callable[[], bool]) -> None:
        while not is_enough():
            if self._reading.acquire(blocking=False):
                if is_enough():
                    self._reading.release()
                    return
                self._read_and_release(None)
            else:
                with self._changed:
                    if not is_enough():
                        self._changed.wait(_LOOK)

    def _read_and_release(self, seconds: float | None) -> bool:
        """Read a message, if one comes in time, and give it to the one that waits for it."""
        try:
            self._reader = threading.get_ident()
            received = self._line.receive(seconds, looks=self._has_run)
            if received is None:
                return False
            if received[0].type in ("tool_returned", "tool_raised"):
                waiting = self._waiting.pop(received[0].call, None)
                if waiting is not None:
                    waiting.finish(received)
            else:
                self._inbox.append(received)
            return True
        finally:
            self._reader = None
            self._reading.release()
            # as active_count, without a step through Python, and with threads that threading does
            # not know
            if _thread._count():
                self._tell_others()

    def _tell_others(self) -> None:
        with self._changed:
            self._changed.notify_all()


def _wake(future: Any) -> None:
    if not future.done():
        future.set_result(None)
