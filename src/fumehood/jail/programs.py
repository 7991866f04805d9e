"""Which files a list of programs (Policy.programs) makes executable: the programs, the interpreters
of scripts, the loaders of ELF files, and helpers that a program starts itself.

A list keeps code from starting other programs by mistake. It does not keep native code out: a
listed interpreter can run any script, and a shared library can be loaded into it.
"""

from __future__ import annotations

import glob
import os
import shutil
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
LOADERS = "/lib*/ld-*.so.*"
"""The kernel executes one of them with every program that is not static."""


def executable(names: Iterable[str]) -> tuple[str, ...]:
    """The paths that may be executed. OSError if a program is not installed."""
    found = {os.path.realpath(path): None for path in glob.glob(LOADERS)}
    for name in names:
        path = shutil.which(name, path=PATH)
        if path is None:
            raise OSError(f"programs={name!r}: no such program in {PATH}")
        _add(path, found)
        for helper in HELPERS.get(name, ((), ""))[0]:
            if os.path.isdir(helper):
                found[os.path.realpath(helper)] = None
            elif os.path.exists(helper):
                _add(helper, found)
    return tuple(found)


def _add(path: str, found: dict[str, None]) -> None:
    """Add a program and what starts it."""
    real = os.path.realpath(path)
    if real in found:
        return
    found[real] = None
    with open(real, "rb") as file:
        head = file.readline(4096)
    if head.startswith(b"#!"):
        words = os.fsdecode(head[2:]).split()
        for word in words[:2]:
            starter = word if word.startswith("/") else shutil.which(word, path=PATH)
            if starter is not None and os.path.exists(starter):
                _add(starter, found)
