"""What is left to do when nobody has something any more, and takes its time: an engine or a service
must be told.

The garbage collector runs in the middle of anything. Whoever happens to be there must not wait, and
may be interrupted: code that runs inline is, again and again, when its time is over. So a thread
does it; and when the program ends, the program itself.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any


class Farewell:
    """Calls a function once: when it is called itself, when the object is dropped, or at the end of
    the program. `function` must not know the object."""

    def __init__(self, obj: Any, function: Callable[..., Any], *args: Any) -> None:
        self._finalize = weakref.finalize(obj, _elsewhere, function, args)

    @property
    def is_due(self) -> bool:
        """Whether it was not called yet."""
        return self._finalize.alive

    def __call__(self) -> None:
        """Now, and before this returns. The second time nothing happens."""
        known = self._finalize.detach()
        if known is not None:
            function, args = known[2]
            function(*args)


def _elsewhere(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    if threading.main_thread().is_alive():
        try:
            threading.Thread(
                target=function, args=args, name="fumehood-farewell", daemon=True
            ).start()
            return
        except RuntimeError:  # no more threads
            pass
    function(*args)
