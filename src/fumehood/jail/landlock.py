"""Landlock: which files code may open, in the kernel's own terms. Holds where namespaces are
refused, and beside them where they are not.

Each version of the kernel's rules knows more rights than the last. All that this kernel knows are
taken away, and the few that code needs are given back for the paths that it may see. Rights to
execute, and to make sockets and named pipes, are given back only with programs; rights to make
devices never.
"""

from __future__ import annotations

import os
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

_PATH_BENEATH = 1

# A rule on a file, rather than a directory, may name only these.
_ON_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules for one version of the kernel's, worked out once; every sandbox applies them to
    itself."""

    abi: int
    attributes: bytes
    """All rights that this version knows, which are taken away."""
    reading: int
    writing: int
    executing: int
    terminals: int

    @classmethod
    def of(cls, abi: int, *, programs: bool = False) -> Rules:
        tables = (
            FILE_RIGHTS,
            *([NETWORK_RIGHTS] if abi >= 4 else []),
            *([SCOPES] if abi >= 6 else []),
        )
        known = [sum(right.bit for right in rights if right.since <= abi) for rights in tables]

        def given(*kinds: str) -> int:
            return sum(
                right.bit for right in FILE_RIGHTS if right.given in kinds and right.since <= abi
            )

        reading, executing = given("read"), given("read", "execute")
        writing = given("read", "write", "own") if programs else given("read", "write")
        terminals = given("read", "write", "terminal")
        packed = struct.pack(f"={len(known)}Q", *known)
        return cls(abi, packed, reading, writing, executing, terminals)

    def restrict(
        self,
        script: Script,
        *,
        readable: Iterable[str],
        writable: Iterable[str],
        devices: Iterable[str],
        own: Iterable[int] = (),
        executable: Iterable[str] = (),
        executes_own: bool = False,
        terminals: Iterable[str] = (),
    ) -> None:
        """Leave this process, and all that it starts, only the given paths. Cannot be undone. Needs
        no_new_privs.

        What is not there when the script is written needs no rule. `own` are writable directories
        that are open already; `executes_own` says that files in them may be executed.
        """
        ruleset = script.take(
            "landlock_create_ruleset",
            "landlock_create_ruleset",
            self.attributes,
            len(self.attributes),
            0,
        )
        for path in readable:
            _allow(script, ruleset, path, self.reading)
        for path in (*writable, *devices):
            _allow(script, ruleset, path, self.writing)
        for path in executable:
            _allow(script, ruleset, path, self.executing)
        for path in terminals:
            _allow(script, ruleset, path, self.terminals)
        own_rights = self.writing | (self.executing if executes_own else 0)
        for directory in own:
            _add(script, ruleset, directory, own_rights, "its own directory")
        script.call("landlock_restrict_self", "landlock_restrict_self", ruleset, 0)
        script.close(ruleset)


def _allow(script: Script, ruleset: int, path: str, rights: int) -> None:
    try:
        if not stat.S_ISDIR(os.stat(path).st_mode):
            rights &= _ON_FILES
    except FileNotFoundError:
        return
    descriptor = script.open(path, os.O_PATH)
    _add(script, ruleset, descriptor, rights, path)
    script.close(descriptor)


def _add(script: Script, ruleset: int, descriptor: int, rights: int, what: str) -> None:
    rule = struct.pack("=Qi", rights, descriptor)
    script.call(
        f"landlock_add_rule for {what}", "landlock_add_rule", ruleset, _PATH_BENEATH, rule, 0
    )
