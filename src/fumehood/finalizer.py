"""Cleanup that takes time, such as a request to an engine or a service, when an object is dropped.

The garbage collector can run in the middle of anything, and the code there must not wait or be
interrupted. So a thread does the cleanup; at the end of the program, the program itself does.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any


class Finalizer:
    """Calls a function once: when it is called itself, when the object is dropped, or at the end of
    the program. `function` must hold no reference to the object."""

    def __init__(self, obj: Any, function: Callable[..., Any], *args: Any) -> None:
        self._finalize = weakref.finalize(obj, _call_in_thread, function, args)

    @property
    def is_due(self) -> bool:
        """Whether the function was not called yet."""
        return self._finalize.alive

    def __call__(self) -> None:
        """Call the function now. The second time nothing happens."""
        known = self._finalize.detach()
        if known is not None:
            function, args = known[2]
            function(*args)


def _call_in_thread(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    if threading.main_thread().is_alive():
        try:
            threading.Thread(
                target=function, args=args, name="fumehood-finalizer", daemon=True
            ).start()
            return
        except RuntimeError:  # no thread can be started
            pass
    function(*args)
