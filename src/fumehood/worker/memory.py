"""Laying out the zygote's memory so that copying the zygote is cheap.

The kernel copies a process's page tables entry by entry, one for each 4 kB, when the process forks,
and takes them down one by one when the copy ends. Where two aligned megabytes lie together it can
keep them as one huge page with one entry; a copy that writes to it gets 4 kB of its own, as before.
Python takes memory from the system in pieces of one megabyte, wherever there is room between
libraries. So it is given pieces of one stretch instead, modules are imported into it, and what they
have filled is made huge.
"""

from __future__ import annotations

import contextlib
import gc
import resource

from fumehood.jail import kernel

# Enough for numpy and pandas; what needs more goes where it would have gone anyway.
_STRETCH = 64 << 20
_HEAP = 16 << 20
_HUGE = 2 << 20
_PAGE = resource.getpagesize()
# Pages present: a thread's stack of two pages should not become a huge one.
_WORTH = _HUGE // _PAGE // 2


_stretch: kernel.ArenaStretch | None = None


def gather() -> None:
    """What is allocated from here on comes to lie in one stretch of memory, as far as it fits.
    Until somebody enables it, no garbage is looked for: imports leave next to none, and looking
    takes a tenth of their time."""
    global _stretch
    gc.disable()
    _stretch = kernel.ArenaStretch(_STRETCH, _HUGE)
    # What is too large for Python's pieces is on libc's heap. That grows now, before there is a
    # fork: what it grows by after one is another mapping to the kernel.
    kernel.grow_heap(_HEAP)


def settle() -> None:
    """Enough was gathered; what is left of the stretch is given back."""
    global _stretch
    if _stretch is not None:
        _stretch.end()
        _stretch = None


def make_huge() -> None:
    """Turn this process's private memory into huge pages where it can be. Where the kernel will
    not, everything works as before."""
    for address in _well_filled():
        with contextlib.suppress(OSError):
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
