"""Which memory a process has written to since it was last copied: pages that are its own and nobody
else's.

Python writes to a page wherever it looks, so every cell, however small, copies the same few hundred
pages that it shares with the copy made before it. A copy that waits, and has nothing else to do,
can make those copies itself: then the original finds its pages unshared. What this finds is only a
guess at what the next cell will write to, and costs nothing but time if it is wrong.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator

_MOST_PAGES = 16_384
"""Of one mapping: a larger one holds somebody's data, and not what every cell writes to."""

# The highest byte of a page's entry in /proc/self/pagemap: in memory, 0x80, and mapped by nobody
# else, 0x01. One or two other pages between such pages are taken with them: a call more would cost
# more than they do.
_OWN = re.compile(rb"\x81+(?:[^\x81]{1,2}\x81+)*")


def written_ranges() -> list[tuple[int, int]]:
    """Address and length, in private memory that is no file's. OSError where the kernel does not
    tell."""
    found: list[tuple[int, int]] = []
    with open("/proc/self/pagemap", "rb", buffering=0) as pagemap:
        for first, pages in _private_memory():
            pagemap.seek(first * 8)
            for own in _OWN.finditer(pagemap.read(pages * 8)[7::8]):
                found.append(
                    (
                        (first + own.start()) * mmap.PAGESIZE,
                        (own.end() - own.start()) * mmap.PAGESIZE,
                    )
                )
    return found


def _private_memory() -> Iterator[tuple[int, int]]:
    """The first page, and how many there are, of each writable mapping that is this process's
    own."""
    with open("/proc/self/maps", "rb") as maps:
        lines = maps.read().splitlines()
    for line in lines:
        span, rights, _offset, _device, inode, *_name = line.split()
        start, _, end = span.partition(b"-")
        first, after = int(start, 16) // mmap.PAGESIZE, int(end, 16) // mmap.PAGESIZE
        if rights == b"rw-p" and inode == b"0" and after - first <= _MOST_PAGES:
            yield first, after - first
