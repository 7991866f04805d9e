"""Objects that stay in a sandbox while the host holds a name for them, and objects of the host that only pickle can carry into it."""

from __future__ import annotations

import pickle
import weakref
from typing import Any

from fumehood.wire.values import RemoteObject


class Held:
    """Which objects of a runner the host holds, so that the runner can let go of the others. Also the token that marks them as its own."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self._dropped: set[int] = set()

    def make(self, number: int, kind: str, text: str) -> RemoteObject:
        made = RemoteObject(number, kind, text, self)
        self._counts[number] = self._counts.get(number, 0) + 1
        self._dropped.discard(number)
        weakref.finalize(made, self._drop, number).atexit = False
        return made

    def released(self) -> list[int]:
        """What was dropped since the last time."""
        dropped, self._dropped = self._dropped, set()
        return sorted(dropped)

    def _drop(self, number: int) -> None:
        self._counts[number] -= 1
        if not self._counts[number]:
            del self._counts[number]
            self._dropped.add(number)


def host_pickle(value: Any) -> bytes:
    """An object of the host as bytes; it is unpickled in the jail. cloudpickle carries functions and classes of the program itself."""
    try:
        import cloudpickle  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return pickle.dumps(value)
    data: bytes = cloudpickle.dumps(value)
    return data
