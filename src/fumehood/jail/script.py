"""System calls as data: written down beforehand with all of their arguments, and made one after the
other without a line of Python between.

A process that has just been copied from a large one pays for every page it writes to, and Python
writes to a page wherever it looks. Written down in the template, entering the jail is a hundred
system calls and a dozen instructions.

Descriptors that a script opens have known numbers, as the kernel gives the lowest that is free: the
script is told which that is, and fails if the kernel thinks otherwise.
"""

from __future__ import annotations

import os
import resource
import select
import struct
from dataclasses import dataclass

from fumehood.jail import kernel

# Called as run(first row, end). A row is eight words: number, six arguments, expected result. Gives
# 0, or the row that failed; its result is then behind the last row.
_CODE = {
    "x86_64": bytes.fromhex(
        "53"  #          push rbx
        "4154"  #        push r12
        "4889fb"  #      mov rbx, rdi
        "4989f4"  #      mov r12, rsi
        # next:
        "4c39e3"  #      cmp rbx, r12
        "7446"  #        je done
        "488b03"  #      mov rax, [number]
        "488b7b08"  #    mov rdi, [argument 1]
        "488b7310"  #    mov rsi, [argument 2]
        "488b5318"  #    mov rdx, [argument 3]
        "4c8b5320"  #    mov r10, [argument 4]
        "4c8b4328"  #    mov r8, [argument 5]
        "4c8b4b30"  #    mov r9, [argument 6]
        "0f05"  #        syscall
        "488b4b38"  #    mov rcx, [expected]
        "4883f9ff"  #    cmp rcx, ANY
        "740b"  #        je any
        "4883f9fe"  #    cmp rcx, IGNORED
        "740a"  #        je ok
        "4839c8"  #      cmp rax, rcx
        "750b"  #        jne fail
        # any:
        "4885c0"  #      test rax, rax
        "7806"  #        js fail
        # ok:
        "4883c340"  #    add rbx, 64
        "ebbe"  #        jmp next
        # fail:
        "49890424"  #    mov [end], rax
        "4889d8"  #      mov rax, rbx
        "eb02"  #        jmp out
        # done:
        "31c0"  #        xor eax, eax
        # out:
        "415c"  #        pop r12
        "5b"  #          pop rbx
        "c3"  #          ret
    ),
}

_ANY = -1
_IGNORED = -2
_AT_FDCWD = -100
_ALL = 0x7FFF_FFFF
"""No descriptor has a higher number. A larger value, which Linux takes too, gVisor takes for a
negative one."""


@dataclass(frozen=True, slots=True)
class Step:
    what: str
    """For whoever reads that it failed."""
    name: str
    arguments: tuple[int | bytes, ...]
    """Bytes stand for their address."""
    expected: int


class Script:
    """Steps, to be written down once and run once in each process that is copied."""

    def __init__(self, first_free: int) -> None:
        self.steps: list[Step] = []
        self._free = first_free
        self._kept: list[object] = []
        self._prepared: kernel.PreparedCalls | None = None

    def run(self) -> None:
        """Make the calls. The first that fails ends it, as OSError."""
        self._judge(self.prepared().make())

    def has_run(self, result: int) -> None:
        """Machine code has made the calls, and this came of it. Raises as `run` does."""
        self._judge(self.prepared().judged(result))

    def _judge(self, failed: tuple[int, int] | None) -> None:
        if failed is not None:
            place, result = failed
            step = self.steps[place]
            if result < 0:
                raise OSError(-result, f"{step.what}: {os.strerror(-result)}")
            raise OSError(
                f"{step.what}: the kernel gave {result}, and {step.expected} was expected"
            )

    def prepared(self) -> kernel.PreparedCalls:
        """Everything worked out that can be, so that running it is all that is left."""
        if self._prepared is None:
            rows = [
                (kernel.number_of(step.name), step.arguments, step.expected) for step in self.steps
            ]
            self._prepared = kernel.PreparedCalls(
                rows, _CODE.get(kernel.MACHINE), ignored=_IGNORED, anything=_ANY
            )
        return self._prepared

    def call(self, what: str, name: str, *arguments: int | bytes, expected: int = _ANY) -> None:
        self._prepared = None
        self.steps.append(Step(what, name, arguments, expected))

    def keep(self, what: object) -> None:
        """Keep something alive that a call points to."""
        self._kept.append(what)

    # -- files

    def open(self, path: str, flags: int) -> int:
        return self.take(f"open {path}", "openat", _AT_FDCWD, _path(path), flags | os.O_CLOEXEC, 0)

    def take(self, what: str, name: str, *arguments: int | bytes) -> int:
        """A call that gives a new descriptor; gives its number."""
        descriptor = self._free
        self._free += 1
        self.call(what, name, *arguments, expected=descriptor)
        return descriptor

    def close(self, descriptor: int) -> None:
        """Close what was opened last."""
        self._free -= 1
        assert descriptor == self._free
        self.call("close", "close", descriptor)

    def write(self, what: str, descriptor: int, text: bytes) -> None:
        self.call(what, "write", descriptor, text, len(text), expected=len(text))

    def write_file(self, path: str, text: bytes) -> None:
        descriptor = self.open(path, os.O_WRONLY)
        self.write(f"write {path}", descriptor, text)
        self.close(descriptor)

    def move(self, descriptor: int, to: int) -> None:
        self.call(f"dup {descriptor}", "dup3", descriptor, to, 0, expected=to)

    def close_from(self, descriptor: int) -> None:
        self.call("close the rest", "close_range", descriptor, _ALL, 0)
        self._free = descriptor

    def change_directory(self, path: str) -> None:
        self.call(f"chdir {path}", "chdir", _path(path))

    def enter_directory(self, descriptor: int) -> None:
        self.call("fchdir", "fchdir", descriptor)

    def make_directory(self, path: str, *, ignored: bool = False) -> None:
        """`ignored` says that it may exist."""
        expected = _IGNORED if ignored else _ANY
        self.call(f"mkdir {path}", "mkdirat", _AT_FDCWD, _path(path), 0o700, expected=expected)

    def link(self, target: str, path: str) -> None:
        """Make a symbolic link. It may exist."""
        what = f"symlink {path}"
        self.call(what, "symlinkat", _path(target), _AT_FDCWD, _path(path), expected=_IGNORED)

    def mount(self, source: str, target: str, kind: str, flags: int, data: str) -> None:
        self.call(
            f"mount {kind} on {target}",
            "mount",
            _path(source),
            _path(target),
            kind.encode() + b"\0",
            flags,
            data.encode() + b"\0",
        )

    # -- this process

    def become(self, uid: int, gid: int) -> None:
        """Be an ordinary user for good."""
        self.call(f"become group {gid}", "setresgid", gid, gid, gid)
        self.call(f"become user {uid}", "setresuid", uid, uid, uid)

    def must_be(self, uid: int, gid: int) -> None:
        """See that it is so."""
        for name, wanted in (("getuid", uid), ("geteuid", uid), ("getgid", gid), ("getegid", gid)):
            self.call(name, name, expected=wanted)

    def wait_for(self, descriptor: int, milliseconds: int) -> None:
        """Wait until there is something to read, or nobody left to write it, but no longer than
        this."""
        patience = struct.pack("=qq", 0, milliseconds * 1_000_000)
        self.call(
            "wait",
            "ppoll",
            struct.pack("=ihh", descriptor, select.POLLIN, 0),
            1,
            patience,
            0,
            0,
            expected=_IGNORED,
        )

    def limit(self, kind: int, value: int) -> None:
        """Soft and hard limits are the same, so nothing can be raised again."""
        most = value if value != resource.RLIM_INFINITY else 2**64 - 1
        self.call(f"limit resource {kind}", "prlimit64", 0, kind, struct.pack("=QQ", most, most), 0)

    def prctl(self, what: str, option: int, *arguments: int | bytes, ignored: bool = False) -> None:
        padded = (*arguments, 0, 0, 0, 0)[:4]
        self.call(f"prctl {what}", "prctl", option, *padded, expected=_IGNORED if ignored else _ANY)


def lowest_free() -> int:
    """The descriptor that the kernel will give next."""
    descriptor = os.dup(0)
    os.close(descriptor)
    return descriptor


def _path(path: str) -> bytes:
    return os.fsencode(path) + b"\0"
