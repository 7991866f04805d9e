"""Laying out the zygote's memory so that copying the zygote is cheap.

The kernel copies a process's page tables entry by entry, one for each 4 kB, when the process forks, and takes them down one by one when the
copy ends. Where two aligned megabytes lie together it can keep them as one huge page with one entry; a copy that writes to it gets 4 kB of
its own, as before. Python takes memory from the system in pieces of one megabyte, wherever there is room between libraries. So a stretch is
taken first, modules are imported into it, and what they have filled is made huge.
"""

from __future__ import annotations

import contextlib
import mmap
import resource
from collections.abc import Iterator

from fumehood.jail import kernel

_ARENA = 20  # the size of CPython's pieces, as a power of two
_STRETCH = 32  # so many of them are enough for numpy and pandas; what needs more goes where it would have gone anyway
_GAPS = 128
_HUGE = 2 << 20
_PAGE = resource.getpagesize()
_WORTH = _HUGE // _PAGE // 2  # pages present: a thread's stack of two pages should not become a huge one


@contextlib.contextmanager
def together() -> Iterator[None]:
    """What is allocated meanwhile comes to lie in one stretch of memory, as far as it fits."""
    # The kernel fills gaps first. With the gaps filled, what comes next comes next to each other.
    plugs = [mmap.mmap(-1, 1 << _ARENA, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) for _ in range(_GAPS)]
    first_of: dict[int, bytes] = {}
    others = []
    while len(first_of) < _STRETCH:
        piece = bytes(400)  # small enough to be taken from an arena
        if first_of.setdefault(id(piece) >> _ARENA, piece) is not piece:
            others.append(piece)
    for plug in plugs:
        plug.close()
    del others, piece, plugs
    try:
        yield
    finally:
        first_of.clear()  # one object in each was enough to keep Python from giving it back


def make_huge() -> None:
    """Turn this process's private memory into huge pages where it can be. Where the kernel will not, everything works as before."""
    with contextlib.suppress(OSError):
        for address in _well_filled():
            kernel.make_huge(address, _HUGE)


def _well_filled() -> list[int]:
    """Where huge pages could begin that are mostly in use."""
    kernel.allow_inspection()  # a process that is closed to it may not look at itself either
    try:
        maps, pagemap = open("/proc/self/maps"), open("/proc/self/pagemap", "rb", buffering=0)  # noqa: SIM115
    finally:
        kernel.forbid_inspection()
    found = []
    with maps, pagemap:
        for mapping in maps.readlines():
            extent, access, _offset, _device, inode, *_name = mapping.split()
            if access != "rw-p" or inode != "0":
                continue
            start, end = (int(number, 16) for number in extent.split("-"))
            for address in range(-(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE, _HUGE):
                pagemap.seek(address // _PAGE * 8)
                present = pagemap.read(_HUGE // _PAGE * 8)[7::8]  # the highest bit of each entry
                if sum(byte >> 7 for byte in present) >= _WORTH:
                    found.append(address)
    return found
