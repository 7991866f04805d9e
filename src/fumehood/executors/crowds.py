"""How many executors have a place together: the first, and all that were forked from it."""

from __future__ import annotations

import threading


class Crowd:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 1

    def add(self, more: int) -> int:
        """Gives how many there are now."""
        with self._lock:
            self._number += more
            return self._number
