"""Copies a process into a checkpoint that waits without running Python.

After a fork, every page that either process writes to is copied, and Python writes to most pages it
reads. So a checkpoint starts to wait before it touches any memory.

Only for processes with one thread: fork handlers of libraries do not run.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence

from fumehood.jail import kernel

# Called with the address of a block of words; returns what clone returned, in the original and in
# the copy.
_WAIT = {
    "x86_64": bytes.fromhex(
        "53"  #               push rbx
        "4154"  #             push r12
        "4889fb"  #           mov rbx, rdi
        "bf11002001"  #       mov edi, CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD
        "31f6"  #             xor esi, esi
        "31d2"  #             xor edx, edx
        "4c8b5308"  #         mov r10, [thread id]
        "4531c0"  #           xor r8d, r8d
        "b838000000"  #       mov eax, 56
        "0f05"  #             syscall                clone
        "4885c0"  #           test rax, rax
        "7551"  #             jnz out
        "b870000000"  #       mov eax, 112
        "0f05"  #             syscall                setsid
        "4c8b6318"  #         mov r12, [ranges]
        # touch:
        "498b3c24"  #         mov rdi, [r12]
        "4885ff"  #           test rdi, rdi
        "7417"  #             jz again
        "498b742408"  #       mov rsi, [r12 + 8]
        "ba17000000"  #       mov edx, MADV_POPULATE_WRITE
        "b81c000000"  #       mov eax, 28
        "0f05"  #             syscall                madvise
        "4983c410"  #         add r12, 16
        "ebe0"  #             jmp touch
        # again:
        "8b3b"  #             mov edi, [socket]
        "488db380000000"  #   lea rsi, [message]
        "48c7462818000000"  # mov qword [message.controllen], 24
        "31d2"  #             xor edx, edx
        "b82f000000"  #       mov eax, 47
        "0f05"  #             syscall                recvmsg
        "4883f8fc"  #         cmp rax, -EINTR
        "74e0"  #             je again
        "48894310"  #         mov [result], rax
        "31c0"  #             xor eax, eax
        # out:
        "415c"  #             pop r12
        "5b"  #               pop rbx
        "c3"  #               ret
    ),
}

_ALONE = 3
"""Links of /proc/self/task where there is one thread: two that every directory has, and one for
each thread."""

_MESSAGE, _CONTROL, _PART, _PAYLOAD = 128, 192, 240, 512
_NO_RANGES, _RANGES = 32, 1024
"""Where ranges of memory stand, two words each and a zero after the last; and where there is
nothing but that zero."""
_MOST_RANGES = 900


class Copier:
    """Made before the jail is closed: the kernel is asked where libc keeps a thread's id, which it
    does not tell later."""

    def __init__(self) -> None:
        code = _WAIT.get(kernel.MACHINE)
        self._wait = None if code is None else kernel.NativeBlock(code, pages=4)
        self._thread_id = kernel.thread_id_address()
        self._waits_for = -1

    @property
    def can_copy(self) -> bool:
        """Whether this process has one thread, and there is code for this machine."""
        return self._wait is not None and self.is_alone

    @property
    def is_alone(self) -> bool:
        """Whether this process has one thread."""
        try:
            return os.stat("/proc/self/task").st_nlink == _ALONE
        except OSError:  # nobody knows
            return False

    def fork_and_wait(self, standby: int, *, touches: bool = False) -> tuple[int, int | None]:
        """Copy this process; the copy waits for a byte from a socket. Gives the process id; in the
        copy 0, and the descriptor that came with the byte, or None if nobody is there any more.
        `touches` has it make the copies of memory that `touch` named, which is no help to an
        original that goes on at once: both would be at it."""
        block = self._wait
        assert block is not None
        if self._waits_for != standby:
            at = block.address
            block.write(0, struct.pack("=QQQ", standby, self._thread_id, 0))
            block.write(_MESSAGE, struct.pack("=7Q", 0, 0, at + _PART, 1, at + _CONTROL, 24, 0))
            block.write(_CONTROL, bytes(24))
            block.write(_PART, struct.pack("=QQ", at + _PAYLOAD, 1))
            self._waits_for = standby
        block.write(24, struct.pack("=Q", block.address + (_RANGES if touches else _NO_RANGES)))
        result = block.call()
        if result > 0:
            return result, None
        _checked(result)
        self._waits_for = -1  # from now on the block is not what was written
        (length,) = struct.unpack("=q", block.read(16, 8))
        size, _level, _kind, descriptor = struct.unpack("=Qiii", block.read(_CONTROL, 20))
        return 0, descriptor if length > 0 and size == 20 else None

    def touch(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Have the next copies that wait make their own copies of this memory, first of all. Of
        many ranges, the first."""
        if self._wait is not None:
            words = [word for pair in ranges[:_MOST_RANGES] for word in pair]
            self._wait.write(_RANGES, struct.pack(f"={len(words) + 1}Q", *words, 0))

    def fork_beside(self) -> int:
        """Copy this process; the copy is a child of this process's parent. Gives what fork
        gives."""
        return kernel.clone(kernel.CLONE_PARENT, self._thread_id)


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result
