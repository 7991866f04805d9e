"""A run as events: it goes on in a thread of its own, and whoever iterates gets what happens as it
happens."""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Iterator
from typing import Self

from fumehood.agent.events import Event
from fumehood.agent.run import Run

_Queue = queue.SimpleQueue[Event | BaseException | None]


class EventStream(Iterator[Event]):
    """The events of one run, the last of which is RunFinished. Closing it, or dropping it,
    interrupts the run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._events: _Queue = queue.SimpleQueue()
        run.observe(self._events.put)
        # The thread knows the run and the queue, not this object: it must be able to be dropped.
        context = contextvars.copy_context()
        self._thread = threading.Thread(
            target=context.run, args=(_work, run, self._events), name="fumehood-agent", daemon=True
        )
        self._thread.start()
        self._is_over = False

    def __next__(self) -> Event:
        if self._is_over:
            raise StopIteration
        event = self._events.get()
        if event is None or isinstance(event, BaseException):
            self._is_over = True
            self._thread.join()
            raise StopIteration if event is None else event
        return event

    def close(self) -> None:
        """Interrupt the run, if it still goes on, and wait until it has ended."""
        if not self._is_over:
            self._is_over = True
            self._run.stop("interrupted")
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        if not getattr(self, "_is_over", True):
            # Runs wherever the garbage collector does: it must wait for nothing.
            threading.Thread(target=self._run.stop, args=("interrupted",), daemon=True).start()


def _work(run: Run, events: _Queue) -> None:
    try:
        run.go()
    except BaseException as error:
        events.put(error)
    else:
        events.put(None)
