"""How often a server is asked: so many requests a minute, whatever the number of threads, each in
its turn."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from fumehood.models.base import Cancellation


class Pace:
    """Lets one request begin every so many seconds. Who came first goes first; who gives up gives
    its turn to the next."""

    def __init__(
        self, requests_per_minute: float | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = 60 / requests_per_minute if requests_per_minute else 0.0
        self._clock = clock
        self._free_at = clock()
        self._lock = threading.Lock()
        self._queue: deque[threading.Event] = deque()

    def wait(self, cancel: Cancellation) -> None:
        """Return when a request may begin. Raises Cancelled."""
        if not self._seconds:
            cancel.check()
            return
        my_turn = threading.Event()
        with self._lock:
            self._queue.append(my_turn)
            self._queue[0].set()
        try:
            with cancel.closing(my_turn.set):
                my_turn.wait()
            cancel.check()
            self._wait_until_free(cancel)
        finally:
            with self._lock:
                self._queue.remove(my_turn)
                if self._queue:
                    self._queue[0].set()

    def _wait_until_free(self, cancel: Cancellation) -> None:
        """Only whoever is first in the queue is here."""
        while (early := self._free_at - self._clock()) > 0:
            cancel.sleep(early)
        self._free_at = self._clock() + self._seconds
