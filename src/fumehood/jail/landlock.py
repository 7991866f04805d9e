"""Landlock: which files code may open and execute, in the kernel's own terms. It works without
namespaces, too.

Each version of the kernel's rules has more rights than the last. All that this kernel knows are
taken away, and the few that code needs are given back for the paths that it may see. Rights to
execute, and to make sockets and named pipes, are given back only with programs; rights to make
devices never.
"""

from __future__ import annotations

import functools
import glob
import os
import shutil
import stat
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from fumehood.jail.kernel import Script


@dataclass(frozen=True, slots=True)
class Right:
    name: str
    bit: int
    since: int
    given: str
    """Where it is given back: "read" (all that is visible), "write" (the lab and writable mounts);
    if the policy has programs also "own" (the same), "execute" (programs) and "terminal"; or
    nowhere ("")."""
    reason: str


# fmt: off
FILE_RIGHTS = (
    Right("execute",     1 << 0,  1, "execute", "programs, if the policy has them"),
    Right("write_file",  1 << 1,  1, "write", "files of its own"),
    Right("read_file",   1 << 2,  1, "read",  "modules, data"),
    Right("read_dir",    1 << 3,  1, "read",  "finding modules"),
    Right("remove_dir",  1 << 4,  1, "write", "files of its own"),
    Right("remove_file", 1 << 5,  1, "write", "files of its own"),
    Right("make_char",   1 << 6,  1, "",      "a device is a door to the kernel"),
    Right("make_dir",    1 << 7,  1, "write", "files of its own"),
    Right("make_reg",    1 << 8,  1, "write", "files of its own"),
    Right("make_sock",   1 << 9,  1, "own",   "programs talk to each other by sockets with names"),
    Right("make_fifo",   1 << 10, 1, "own",   "programs talk to each other by pipes with names"),
    Right("make_block",  1 << 11, 1, "",      "a device is a door to the kernel"),
    Right("make_sym",    1 << 12, 1, "write", "files of its own; the host follows no link"),
    Right("refer",       1 << 13, 2, "write", "moving files between directories of its own"),
    Right("truncate",    1 << 14, 3, "write", "files of its own"),
    Right("ioctl_dev",   1 << 15, 5, "terminal", "terminals of programs"),
)
NETWORK_RIGHTS = (
    Right("bind_tcp",    1 << 0,  4, "",      "no network"),
    Right("connect_tcp", 1 << 1,  4, "",      "no network"),
)
SCOPES = (
    Right("abstract_unix_socket", 1 << 0, 6, "", "sockets that live in no file system"),
    Right("signal",               1 << 1, 6, "", "signals to processes outside of this sandbox"),
)
# fmt: on

# A list of programs (Policy.programs) makes these executable: the programs, the interpreters of
# scripts, the loaders of ELF files, and helpers that a program starts itself. It keeps code from
# starting other programs by mistake. It does not keep native code out: a listed interpreter can run
# any script and load any shared library.
_COMPILER = "/usr/lib/gcc", "/usr/bin/as", "/usr/bin/ld", "/usr/libexec/gcc"
_NODE = "/usr/bin/node", "/usr/local/bin/node", "/bin/sh"
# fmt: off
HELPERS = (
    (("git",),              ("/usr/lib/git-core",), "git starts its subcommands there"),
    (("gcc", "cc", "g++"),  _COMPILER,              "the compiler starts cc1, cc1plus, as and ld"),
    (("make",),             ("/bin/sh",),           "make runs recipes with sh"),
    (("npm", "npx"),        _NODE,                  "they are scripts of node"),
    (("java",),             ("/usr/lib/jvm",),      "the virtual machine's own programs"),
)
# fmt: on
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
LOADERS = "/lib*/ld-*.so.*"
"""The kernel executes one of them with every program that is not static."""

_PATH_BENEATH = 1
_ON_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
"""The rights that a rule on a file, rather than a directory, may name."""


@functools.cache
def executable(names: tuple[str, ...]) -> tuple[str, ...]:
    """The paths that may be executed. OSError if a program is not installed."""
    found = {os.path.realpath(path): None for path in glob.glob(LOADERS)}
    for name in names:
        path = shutil.which(name, path=PATH)
        if path is None:
            raise OSError(f"programs={name!r}: no such program in {PATH}")
        _add_program(path, found)
        for programs, helpers, _reason in HELPERS:
            for helper in helpers if name in programs else ():
                _add_program(helper, found)
    return tuple(found)


def _add_program(path: str, found: dict[str, None]) -> None:
    """Add a program and the interpreters that start it, or a directory of programs."""
    real = os.path.realpath(path)
    if real in found or not os.path.exists(real):
        return
    found[real] = None
    if os.path.isdir(real):
        return
    with open(real, "rb") as file:
        head = file.readline(4096)
    if head.startswith(b"#!"):
        for word in os.fsdecode(head[2:]).split()[:2]:
            starter = word if word.startswith("/") else shutil.which(word, path=PATH)
            if starter is not None:
                _add_program(starter, found)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules for one version of the kernel's, which every sandbox applies to itself."""

    attributes: bytes
    """All rights that this version knows, which are taken away."""
    reading: int
    writing: int
    executing: int
    terminals: int

    @classmethod
    def of(cls, abi: int, *, programs: bool = False) -> Rules:
        tables = (FILE_RIGHTS, *[NETWORK_RIGHTS] * (abi >= 4), *[SCOPES] * (abi >= 6))
        known = [sum(right.bit for right in rights if right.since <= abi) for rights in tables]

        def given(*kinds: str) -> int:
            return sum(
                right.bit for right in FILE_RIGHTS if right.given in kinds and right.since <= abi
            )

        return cls(
            struct.pack(f"={len(known)}Q", *known),
            reading=given("read"),
            writing=given("read", "write", "own") if programs else given("read", "write"),
            executing=given("read", "execute"),
            terminals=given("read", "write", "terminal"),
        )

    def restrict(
        self,
        script: Script,
        *,
        readable: Iterable[str] = (),
        writable: Iterable[str] = (),
        executable: Iterable[str] = (),
        terminals: Iterable[str] = (),
        own: Iterable[int] = (),
    ) -> None:
        """Leave this process, and all that it starts, only the given paths. Cannot be undone. Needs
        no_new_privs.

        Paths that are absent when the script is recorded need no rule. `own` are writable
        directories that are open already.
        """
        ruleset = script.take("landlock_create_ruleset", self.attributes, len(self.attributes), 0)
        for paths, rights in (
            (readable, self.reading),
            (writable, self.writing),
            (executable, self.executing),
            (terminals, self.terminals),
        ):
            for path in paths:
                try:
                    is_directory = stat.S_ISDIR(os.stat(path).st_mode)
                except FileNotFoundError:
                    continue
                descriptor = script.open(path, os.O_PATH)
                _add(script, ruleset, descriptor, rights if is_directory else rights & _ON_FILES)
                script.close(descriptor)
        for directory in own:
            _add(script, ruleset, directory, self.writing)
        script.call("landlock_restrict_self", ruleset, 0)
        script.close(ruleset)


def _add(script: Script, ruleset: int, descriptor: int, rights: int) -> None:
    rule = struct.pack("=Qi", rights, descriptor)
    script.call("landlock_add_rule", ruleset, _PATH_BENEATH, rule, 0)
