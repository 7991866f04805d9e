"""The memory of a template, arranged so that its copies are cheap.

A fork copies page tables, one entry for each 4 kB page. Two aligned megabytes that are one huge
page have one entry. Python allocates memory in pieces of one megabyte, wherever there is a gap
between libraries. `gather` gives it pieces of one mapping instead, and `make_huge` turns them into
huge pages once modules have filled them.

After a fork, each page that a process writes to is copied in a page fault. Python writes to most
pages that it reads, and every cell writes to about the same pages. `written_ranges` finds them, so
that a checkpoint can copy them while its runner waits for a cell.
"""

from __future__ import annotations

import contextlib
import gc
import io
import re
import resource
from collections.abc import Iterator

from fumehood.jail import kernel

# Enough for numpy and pandas. What needs more goes where it would have gone anyway.
_STRETCH = 64 << 20
_HEAP = 16 << 20
_HUGE = 2 << 20
_PAGE = resource.getpagesize()
# Pages present: a thread's stack of two pages should not become a huge one.
_WORTH = _HUGE // _PAGE // 2
_MOST_PAGES = 16_384
"""Of one mapping: a larger one holds data of the code, and not what every cell writes to."""

# The highest byte of an entry in pagemap: present, 0x80, and mapped by no other process, 0x01.
# Up to two other pages between such pages are included: a system call costs more than they do.
_WRITTEN = re.compile(rb"\x81+(?:[^\x81]{1,2}\x81+)*")

_stretch: kernel.ArenaStretch | None = None


def gather() -> None:
    """Let Python allocate from one mapping from now on, as far as that suffices. The garbage
    collector stays off until it is enabled: imports leave little garbage, and looking for it takes
    a tenth of their time."""
    global _stretch
    gc.disable()
    _stretch = kernel.ArenaStretch(_STRETCH, _HUGE)
    # What is too large for Python's pieces is on the heap of libc. It grows now, before a fork:
    # after one the kernel would make a second mapping.
    kernel.grow_heap(_HEAP)


def settle() -> None:
    """Give back what is left of the mapping."""
    global _stretch
    if _stretch is not None:
        _stretch.end()
        _stretch = None


def make_huge() -> None:
    """Turn private memory of this process into huge pages. Where the kernel refuses, everything
    works as before."""
    for address in _well_filled():
        with contextlib.suppress(OSError):
            kernel.make_huge(address, _HUGE)


def written_ranges() -> list[tuple[int, int]]:
    """Addresses and lengths of private memory that this process has written to since its last fork.
    OSError if the kernel does not tell."""
    found: list[tuple[int, int]] = []
    with open("/proc/self/pagemap", "rb", buffering=0) as pagemap:
        for start, end in _writable():
            if end - start <= _MOST_PAGES * _PAGE:
                entries = _entries(pagemap, start, end)
                found += (
                    (start + match.start() * _PAGE, (match.end() - match.start()) * _PAGE)
                    for match in _WRITTEN.finditer(entries)
                )
    return found


def _well_filled() -> list[int]:
    """Where huge pages could begin that are mostly in use."""
    kernel.allow_inspection()  # a process that is closed to it cannot read these files either
    try:
        mappings, pagemap = [*_writable()], open("/proc/self/pagemap", "rb", buffering=0)  # noqa: SIM115
    finally:
        kernel.forbid_inspection()
    with pagemap:
        return [
            address
            for start, end in mappings
            for address in range(-(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE, _HUGE)
            if sum(byte >> 7 for byte in _entries(pagemap, address, address + _HUGE)) >= _WORTH
        ]


def _writable() -> Iterator[tuple[int, int]]:
    """Start and end of each private writable mapping of this process."""
    with open("/proc/self/maps", "rb") as maps:
        lines = maps.read().splitlines()
    for line in lines:
        span, access, *_rest = line.split()
        if access == b"rw-p":
            start, _, end = span.partition(b"-")
            yield int(start, 16), int(end, 16)


def _entries(pagemap: io.FileIO, start: int, end: int) -> bytes:
    """The highest byte of the entry of each page."""
    pagemap.seek(start // _PAGE * 8)
    return pagemap.read((end - start) // _PAGE * 8)[7::8]
