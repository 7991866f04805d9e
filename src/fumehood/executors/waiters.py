"""Those who wait for something of a pool: a thread, or a task of an event loop."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from typing import Any

from fumehood.executors.base import PythonExecutor


class Waiter(ABC):
    """What comes of waiting: an executor and the ticket to give it back with, or an error, or
    nothing but the end of waiting.

    Whoever sets one of these sets `is_over` too, and then calls `wake`, once.
    """

    def __init__(self) -> None:
        self.is_over = False
        self.executor: PythonExecutor | None = None
        self.ticket = 0
        self.error: BaseException | None = None
        self.answer: Any = None

    @abstractmethod
    def wake(self) -> bool:
        """False if nobody is there any more."""


class ThreadWaiter(Waiter):
    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._lock.acquire()

    def wake(self) -> bool:
        self._lock.release()
        return True

    def wait(self, seconds: float | None) -> None:
        """Returns when waiting is over or the time is."""
        if not self.is_over:
            self._lock.acquire(
                timeout=-1 if seconds is None else min(seconds, threading.TIMEOUT_MAX)
            )


class TaskWaiter(Waiter):
    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._woken: asyncio.Future[None] = self._loop.create_future()

    def wake(self) -> bool:
        if threading.get_ident() == self._thread:
            self._note()
            return not self._loop.is_closed()
        try:
            self._loop.call_soon_threadsafe(self._note)
        except RuntimeError:
            return False  # the loop is closed
        return True

    def _note(self) -> None:
        if not self._woken.done() and not self._loop.is_closed():
            self._woken.set_result(None)

    async def wait(self, seconds: float | None) -> None:
        """Returns when waiting is over or the time is."""
        if self.is_over:
            return
        if seconds is None:
            await self._woken
            return
        # Not by cancelling, as asyncio's own timeouts do: that could not be told from a
        # cancellation from outside.
        woken = self._woken
        timer = self._loop.call_later(min(seconds, threading.TIMEOUT_MAX), self._note)
        try:
            await woken
        finally:
            timer.cancel()
            if not self.is_over:
                self._woken = self._loop.create_future()
