"""How much memory something takes at its worst, in proportion to what it was given."""

from __future__ import annotations

import contextlib
import tracemalloc
from collections.abc import Iterator

from .engine import Found

BASE_BYTES = 4 << 20
"""What reading a few bytes may take: libraries fill caches when something is done for the first
time."""
FACTOR = 200
"""Bytes per byte that came. Each two characters of JSON may become an object of some hundred
bytes."""


@contextlib.contextmanager
def bounded(
    size: int, shown: object, *, base: int = BASE_BYTES, factor: int = FACTOR
) -> Iterator[None]:
    """Found, if more is taken in this context than `size` bytes explain. Slow: for some cases of
    many."""
    tracemalloc.start()
    try:
        yield
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if peak > base + factor * size:
            raise Found(
                f"{peak:,} bytes of memory were taken for {size:,} that came", f"{shown!r:.4000}"
            )
