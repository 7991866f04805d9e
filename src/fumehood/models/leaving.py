"""A call that may block for ever, and a caller who may leave.

Libraries wait for names to be looked up, for connections and for bytes, and nothing reaches them
there. So they are called in a thread of their own, and the caller waits for that thread: until it
is done, or until its answer is no longer wanted. Then the caller goes, at once. The thread is told,
by closing what it waits on where that can be done; else it ends when its own time is over, and what
it brings is thrown away.
"""

from __future__ import annotations

import contextlib
import contextvars
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from fumehood.models.base import Cancellation

T = TypeVar("T")


class LeftBehind(BaseException):
    """Raised in the thread when nobody waits for it any more. Not an Exception: no library is to
    take it for a failure of its own."""


class OutOfTime(Exception):
    """The caller has waited for as long as it may."""


class Errand(Generic[T]):
    """Something done in another thread, that can be left behind. `work` is given the errand, and
    may hand on pieces as they come."""

    def __init__(self, work: Callable[[Errand[T]], T], name: str = "model") -> None:
        self._work = work
        self._name = name
        self._news: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closers: list[Callable[[], object]] = []
        self._is_left = False

    # -- in the thread that works

    def hand_on(self, piece: str) -> None:
        """Give the caller a piece of the answer."""
        self.check()
        self._news.put(("piece", piece))

    def check(self) -> None:
        """Raises LeftBehind if nobody waits any more."""
        if self._is_left:
            raise LeftBehind

    @contextlib.contextmanager
    def closing(self, close: Callable[[], object]) -> Iterator[None]:
        """While in this block, `close` is called, from the caller's thread, if the caller leaves:
        it ends what the block waits for."""
        with self._lock:
            self.check()
            self._closers.append(close)
        try:
            yield
        finally:
            with self._lock, contextlib.suppress(ValueError):
                self._closers.remove(close)

    def _run(self) -> None:
        try:
            self._news.put(("done", self._work(self)))
        except BaseException as error:  # all of it is the caller's to see
            self._news.put(("raised", error))

    # -- in the thread that waits

    def run(
        self,
        cancel: Cancellation,
        seconds: float | None = None,
        on_piece: Callable[[str], object] | None = None,
    ) -> T:
        """What the work returns, or raises. `on_piece` is called here. Raises Cancelled, or
        OutOfTime after `seconds`."""
        ends_at = None if seconds is None else time.monotonic() + seconds
        # The work sees the context of whoever asked for it: tracing libraries keep their spans
        # there.
        context = contextvars.copy_context()
        try:
            with cancel.closing(lambda: self._news.put(("cancelled", None))):
                threading.Thread(
                    target=context.run,
                    args=(self._run,),
                    name=f"fumehood {self._name}",
                    daemon=True,
                ).start()
                while True:
                    kind, what = self._next(ends_at)
                    if kind == "done":
                        done: T = what
                        return done
                    if kind == "raised":
                        raise what
                    cancel.check()
                    if on_piece is not None:
                        on_piece(what)
                        cancel.check()
        finally:
            self._leave()

    def _next(self, ends_at: float | None) -> tuple[str, Any]:
        if ends_at is None:
            return self._news.get()
        left = min(max(ends_at - time.monotonic(), 0.0), threading.TIMEOUT_MAX)
        try:
            news = self._news.get(timeout=left)
        except queue.Empty:
            raise OutOfTime from None
        # Pieces may come without end, and faster than they are taken.
        if news[0] == "piece" and not left:
            raise OutOfTime
        return news

    def _leave(self) -> None:
        with self._lock:
            self._is_left = True
            closers, self._closers = self._closers, []
        for close in closers:
            with contextlib.suppress(Exception):  # it may have ended by itself
                close()
