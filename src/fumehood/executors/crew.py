"""A few threads that do a pool's slow work: making executors and closing them.

The first is started when there is work, the others when there is more than one can do; all are
daemons, so none of them holds up the end of the program. `put` waits for nothing and starts
nothing, because it is also called by the garbage collector, in the middle of anything.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from fumehood.errors import NoRoom

_MOST_THREADS = 4
"""Enough that one slow start does not hold up the next; a sandbox of this machine takes
milliseconds, a remote one seconds."""


def _notice() -> None:
    """The job of looking at the clock: whoever does it sees how long to wait for the next."""


class Crew:
    """`on_rest_over` is called when the time given to `rest` has passed."""

    def __init__(self, on_rest_over: Callable[[], None]) -> None:
        self._on_rest_over = on_rest_over
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._hiring = threading.Lock()
        self._threads = 0
        self._stopped = False
        self._rest_until: float | None = None

    def start(self, most: int = 1) -> None:
        """Have one more thread, up to `most`. NoRoom if there is none and none can be had."""
        if self._threads >= most:
            return
        with self._hiring:
            if self._stopped or self._threads >= most:
                return
            try:
                threading.Thread(target=self._work, name="fumehood-pool", daemon=True).start()
            except RuntimeError as error:
                if not self._threads:
                    raise NoRoom(
                        f"the pool has nobody to do its work: {error}; close executors, or raise"
                        " the limit (ulimit -u)"
                    ) from None
                return
            self._threads += 1

    def put(self, job: Callable[[], None]) -> None:
        """A job for whoever is free. It tells of its own failures."""
        self._jobs.put(job)

    def rest(self, seconds: float) -> None:
        """Call `on_rest_over` in a while."""
        self._rest_until = time.monotonic() + seconds
        self._jobs.put(_notice)

    def stop(self) -> None:
        """Let every thread end when there is nothing left to do."""
        with self._hiring:
            if not self._stopped:
                self._stopped = True
                # The only one: a second would be taken for something left to do.
                self._jobs.put(None)

    def _work(self) -> None:
        while True:
            until = self._rest_until
            try:
                job = self._jobs.get(
                    timeout=None if until is None else max(until - time.monotonic(), 0)
                )
            except Empty:
                self._rest_until = None
                self._on_rest_over()
                continue
            if job is None:
                is_last = self._jobs.empty()
                self._jobs.put(None)  # for the others, or for after what is still to be done
                if is_last:
                    return
                continue
            if not self._jobs.empty():
                self.start(_MOST_THREADS)
            with contextlib.suppress(Exception):
                job()
            del job  # an idle thread must not keep an executor alive
