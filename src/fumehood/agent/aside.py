"""Calls in a thread of their own, one after the other, so that whoever waits for one can stop
waiting."""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Callable
from typing import Any


class Call:
    """One call and what becomes of it. `done` is set when it has, or when nobody waits for it any
    more."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None
        self.returned = False
        self._function = function
        self._context = contextvars.copy_context()

    def run(self) -> None:
        try:
            self.result = self._context.run(self._function)
            self.returned = True
        except BaseException as error:
            self.error = error
        finally:
            self.done.set()


class Aside:
    """The thread. It is started for the first call and kept for the next ones: starting one takes
    longer than handing a call over."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Call | None] | None = None

    def begin(self, function: Callable[[], Any]) -> Call:
        call = Call(function)
        if self._calls is None:
            self._calls = queue.SimpleQueue()
            threading.Thread(
                target=_serve, args=(self._calls,), name="fumehood-model", daemon=True
            ).start()
        self._calls.put(call)
        return call

    def leave(self) -> None:
        """Let the thread end when it is through with what it does, however long that takes; a next
        call gets another."""
        if self._calls is not None:
            self._calls.put(None)
            self._calls = None


def _serve(calls: queue.SimpleQueue[Call | None]) -> None:
    while (call := calls.get()) is not None:
        call.run()
        del call  # or it would be kept until the next one comes
