"""Calls of the host's tools from code: numbered, so that any number may wait at once, in threads and in tasks.

Whoever waits for an answer reads the wire, one thread at a time, and hands the others theirs. An event loop with nothing else to do reads
it too.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable
from typing import Any

from fumehood.wire import messages
from fumehood.worker.line import Line
from fumehood.worker.stubs import revive_failure


class _Waiting:
    """One call on its way. Answered when `done`; whoever waits looks at it again when it is woken."""

    __slots__ = ("answer", "done", "future", "loop")

    def __init__(self) -> None:
        self.done = False
        self.answer: tuple[Any, list[bytearray]] | None = None
        self.loop: Any = None
        self.future: Any = None


class Calls:
    def __init__(self, line: Line, encode: Callable[[Any], Any], decode: Callable[[Any, Any], Any], flush: Callable[[], None]) -> None:
        self._line = line
        self._encode = encode
        self._decode = decode
        self._flush = flush
        self._numbers = itertools.count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._reading = threading.Lock()
        self._changed = threading.Condition(threading.Lock())

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and wait for what it gives."""
        waiting = self._send(name, args, kwargs, parallel=threading.active_count() > 1)
        while not waiting.done:
            if self._reading.acquire(blocking=False):
                try:
                    if not waiting.done:
                        self._read()
                finally:
                    self._reading.release()
                    with self._changed:
                        self._changed.notify_all()
            else:
                with self._changed:
                    if not waiting.done:
                        self._changed.wait(0.05)  # woken when an answer came or the reader left
        return self._result(waiting)

    async def acall(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and let other tasks go on meanwhile."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        waiting = self._send(name, args, kwargs, parallel=True, loop=loop, future=future)
        await future
        return self._result(waiting)

    def wait_in_loop(self, timeout: float | None) -> bool:
        """Used by an event loop that has nothing to do: read, if a call waits. False if there is none to wait for."""
        if not self._waiting:
            return False
        if self._reading.acquire(blocking=False):
            try:
                self._read(timeout)
            finally:
                self._reading.release()
                with self._changed:
                    self._changed.notify_all()
            return True
        return False

    def forget(self) -> None:
        """The cell is over; answers to what it still waited for are for nobody."""
        self._waiting.clear()

    def _send(
        self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], *, parallel: bool, loop: Any = None, future: Any = None
    ) -> _Waiting:
        self._flush()
        node, buffers = self._encode((args, kwargs))
        waiting = _Waiting()
        waiting.loop, waiting.future = loop, future
        number = next(self._numbers)
        self._waiting[number] = waiting
        self._line.send(messages.CallTool(call=number, name=name, arguments=node, parallel=parallel), buffers)
        return waiting

    def _read(self, timeout: float | None = None) -> None:
        received = self._line.receive(timeout)
        if received is None:
            return
        waiting = self._waiting.pop(received[0].call, None)
        if waiting is not None:
            waiting.answer = received
            waiting.done = True
            if waiting.future is not None:
                waiting.loop.call_soon_threadsafe(_wake, waiting.future)

    def _result(self, waiting: _Waiting) -> Any:
        assert waiting.answer is not None
        message, buffers = waiting.answer
        if message.type == "tool_returned":
            return self._decode(message.value, buffers)
        raise revive_failure(message.error, self._decode(message.arguments, buffers), message.message)


def _wake(future: Any) -> None:
    if not future.done():
        future.set_result(None)
