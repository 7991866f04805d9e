"""Waiting for the other end: look again and again for a moment before going to sleep.

Most answers come so soon that sleeping and being woken, on a core that has gone to sleep too, takes
longer than the answer. But looking keeps a core busy that the other end may need. So it is done
only while it helps: who looked in vain a few times sleeps at once for a while.
"""

from __future__ import annotations

import os
import select
from typing import Final

_LOOKS: Final = 2500
"""How often to look in a row: for less than a millisecond, which is more than a short cell
takes."""
_IN_VAIN: Final = 3
"""Looks in vain that a success makes up for."""
_SLEEPS: Final = 50
"""How often to sleep at once after too many looks in vain."""


class Waiting:
    """Waits for any of the descriptors registered with `poll`."""

    def __init__(self) -> None:
        self.poll = select.poll()
        self._credit = _IN_VAIN if len(os.sched_getaffinity(0)) > 1 else -1
        self._sleeps = 0

    def wait(self, milliseconds: float | None, *, looks: bool = True) -> list[tuple[int, int]]:
        """What is ready; nothing when the time is over. `looks` says that an answer may come
        soon."""
        if looks and self._credit >= 0:
            if self._credit > 0:
                for _ in range(_LOOKS):
                    ready = self.poll.poll(0)
                    if ready:
                        self._credit = min(self._credit + 1, _IN_VAIN)
                        return ready
                self._credit -= 1
            else:
                self._sleeps += 1
                if self._sleeps >= _SLEEPS:
                    self._sleeps, self._credit = 0, 1
        return self.poll.poll(milliseconds)
