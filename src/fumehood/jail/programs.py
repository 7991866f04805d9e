"""Which files a list of programs (Policy.programs) makes executable: the programs, the interpreters
of scripts, the loaders of ELF files, and helpers that a program starts itself.

A list keeps code from starting other programs by mistake. It does not keep native code out: a
listed interpreter can run any script, and a shared library can be loaded into it.
"""

from __future__ import annotations

import os
import shutil
import struct
from collections.abc import Iterable

PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

# fmt: off
HELPERS = {
    "git":     (("/usr/lib/git-core",),                "git starts its subcommands there"),
    "gcc":     (("/usr/lib/gcc", "/usr/bin/as", "/usr/bin/ld", "/usr/libexec/gcc"), "the compiler starts cc1, as and ld"),
    "cc":      (("/usr/lib/gcc", "/usr/bin/as", "/usr/bin/ld", "/usr/libexec/gcc"), "the compiler starts cc1, as and ld"),
    "g++":     (("/usr/lib/gcc", "/usr/bin/as", "/usr/bin/ld", "/usr/libexec/gcc"), "the compiler starts cc1plus, as and ld"),
    "make":    (("/bin/sh",),                          "make runs recipes with sh"),
    "npm":     (("/usr/bin/node", "/usr/local/bin/node", "/bin/sh"), "npm is a script of node"),
    "npx":     (("/usr/bin/node", "/usr/local/bin/node", "/bin/sh"), "npx is a script of node"),
    "java":    (("/usr/lib/jvm",),                     "the virtual machine's own programs"),
}
# fmt: on
_DEEPEST = 8


def executable(names: Iterable[str]) -> tuple[str, ...]:
    """The paths that may be executed. OSError if a program is not installed."""
    found: dict[str, None] = {}
    for name in names:
        path = shutil.which(name, path=PATH)
        if path is None:
            raise OSError(f"programs={name!r}: no such program in {PATH}")
        _add(path, found, _DEEPEST)
        for helper in HELPERS.get(name, ((), ""))[0]:
            if os.path.isdir(helper):
                found[os.path.realpath(helper)] = None
            elif os.path.exists(helper):
                _add(helper, found, _DEEPEST)
    return tuple(found)


def _add(path: str, found: dict[str, None], deepest: int) -> None:
    """Add a program and what starts it."""
    real = os.path.realpath(path)
    if real in found or not deepest:
        return
    found[real] = None
    with open(real, "rb") as file:
        head = file.read(4096)
    if head.startswith(b"#!"):
        words = os.fsdecode(head[2:].partition(b"\n")[0]).split()
        for word in words[:2]:
            starter = word if word.startswith("/") else shutil.which(word, path=PATH)
            if starter is not None and os.path.exists(starter):
                _add(starter, found, deepest - 1)
    elif head.startswith(b"\x7fELF") and (loader := _loader(head)):
        found[os.path.realpath(loader)] = None


def _loader(head: bytes) -> str:
    """The path of an ELF file's loader; empty for a static program."""
    if head[4:6] != b"\x02\x01":  # 64 bits, little-endian
        return ""
    (table,) = struct.unpack_from("<Q", head, 32)
    size, count = struct.unpack_from("<HH", head, 54)
    for place in range(table, table + size * count, size):
        if place + 40 > len(head):
            return ""
        (kind,) = struct.unpack_from("<I", head, place)
        if kind == 3:  # PT_INTERP
            (start,) = struct.unpack_from("<Q", head, place + 8)
            (length,) = struct.unpack_from("<Q", head, place + 32)
            return os.fsdecode(head[start : start + length].rstrip(b"\0"))
    return ""
