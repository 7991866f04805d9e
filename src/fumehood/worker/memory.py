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
import itertools
import mmap
import re
import resource
from collections.abc import Iterator
from typing import NamedTuple

from fumehood.jail import kernel

# Enough for numpy and pandas. What needs more goes where it would have gone anyway.
_STRETCH = 64 << 20
_HEAP = 16 << 20
_HUGE = 2 << 20
_MADV_COLLAPSE = 25
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


def merge_mappings() -> None:
    """Give neighbouring parts of each library equal access, so that the kernel makes one mapping of
    them. What is only readable becomes executable beside code, and writable before data, as it was
    until the loader had relocated it. Nothing becomes writable and executable. Of a part that was
    copied by a fork before, the kernel makes a mapping of its own."""
    with _open_to_inspection():
        mappings = [*_mappings()]
    for this, after in itertools.pairwise(mappings):
        if after.continues(this):
            match this.access, after.access:
                case b"r--p", b"rw-p":
                    this.protect(mmap.PROT_READ | mmap.PROT_WRITE)
                case b"r--p", b"r-xp":
                    this.protect(mmap.PROT_READ | mmap.PROT_EXEC)
                case b"r-xp", b"r--p":
                    after.protect(mmap.PROT_READ | mmap.PROT_EXEC)


def make_huge() -> None:
    """Turn private memory of this process into huge pages. Where the kernel refuses, everything
    works as before."""
    with _open_to_inspection():
        mappings, pagemap = [*_writable()], open("/proc/self/pagemap", "rb", buffering=0)  # noqa: SIM115
    with pagemap:
        for mapping in mappings:
            for start in range(-(-mapping.start // _HUGE) * _HUGE, mapping.end - _HUGE + 1, _HUGE):
                present = sum(byte >> 7 for byte in _entries(pagemap, start, start + _HUGE))
                if present >= _WORTH:
                    with contextlib.suppress(OSError):
                        kernel.call("madvise", start, _HUGE, _MADV_COLLAPSE)


def written_ranges() -> list[tuple[int, int]]:
    """Addresses and lengths of private memory that this process has written to since its last fork.
    OSError if the kernel does not tell."""
    found: list[tuple[int, int]] = []
    with open("/proc/self/pagemap", "rb", buffering=0) as pagemap:
        for mapping in _writable():
            if mapping.end - mapping.start <= _MOST_PAGES * _PAGE:
                entries = _entries(pagemap, mapping.start, mapping.end)
                found += (
                    (mapping.start + match.start() * _PAGE, (match.end() - match.start()) * _PAGE)
                    for match in _WRITTEN.finditer(entries)
                )
    return found


@contextlib.contextmanager
def _open_to_inspection() -> Iterator[None]:
    """A process that is closed to inspection cannot read its own files in /proc either."""
    kernel.allow_inspection()
    try:
        yield
    finally:
        kernel.forbid_inspection()


class _Mapping(NamedTuple):
    """A line of /proc/self/maps."""

    start: int
    end: int
    access: bytes
    offset: int
    device: bytes
    inode: int
    """0 where there is no file."""

    def continues(self, before: _Mapping) -> bool:
        """Whether it maps what follows in the same file, right behind."""
        return (
            self.inode != 0
            and (self.device, self.inode) == (before.device, before.inode)
            and self.start == before.end
            and self.offset == before.offset + before.end - before.start
        )

    def protect(self, protection: int) -> None:
        with contextlib.suppress(OSError):
            kernel.call("mprotect", self.start, self.end - self.start, protection)


def _mappings() -> Iterator[_Mapping]:
    """Those of this process, by address."""
    with open("/proc/self/maps", "rb") as maps:
        lines = maps.read().splitlines()
    for line in lines:
        span, access, offset, device, inode, *_path = line.split(None, 5)
        start, _, end = span.partition(b"-")
        yield _Mapping(int(start, 16), int(end, 16), access, int(offset, 16), device, int(inode))


def _writable() -> Iterator[_Mapping]:
    """The private ones that are writable."""
    return (mapping for mapping in _mappings() if mapping.access == b"rw-p")


def _entries(pagemap: io.FileIO, start: int, end: int) -> bytes:
    """The highest byte of the entry of each page."""
    pagemap.seek(start // _PAGE * 8)
    return pagemap.read((end - start) // _PAGE * 8)[7::8]
