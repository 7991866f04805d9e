"""Copying a process, with what has to be done next done at once, and no Python in between.

After a fork every page that either of the two writes to is copied, and Python writes to a page
wherever it looks: an answer put together after the fork costs the original as much as the fork did.
So the answer is put together before, and sent by the same few instructions that make the copy, with
a pidfd of it. And a copy that is to wait until somebody needs it waits before it touches anything.

For processes of one thread: what libraries want called around a fork is not.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
from collections.abc import Sequence

from fumehood.jail import kernel

# Called with the address of a block of words; give what clone gave, in the original and in the
# copy.
_TELL = {
    "x86_64": bytes.fromhex(
        "53"  #               push rbx
        "4889fb"  #           mov rbx, rdi
        "8b7b18"  #           mov edi, [flags]
        "31f6"  #             xor esi, esi           on a copy of this stack
        "488d93d0000000"  #   lea rdx, [pidfd]
        "4c8b5308"  #         mov r10, [thread id]
        "4531c0"  #           xor r8d, r8d
        "b838000000"  #       mov eax, 56
        "0f05"  #             syscall                clone
        "4885c0"  #           test rax, rax
        "7e2a"  #             jle out                the copy, or an error
        "48894310"  #         mov [result], rax
        "8b3b"  #             mov edi, [socket]
        "488db380000000"  #   lea rsi, [message]
        "ba00400000"  #       mov edx, MSG_NOSIGNAL
        "b82e000000"  #       mov eax, 46
        "0f05"  #             syscall                sendmsg
        "8bbbd0000000"  #     mov edi, [pidfd]
        "b803000000"  #       mov eax, 3
        "0f05"  #             syscall                close
        "488b4310"  #         mov rax, [result]
        # out:
        "5b"  #               pop rbx
        "c3"  #               ret
    ),
}

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

_FLAGS = (
    kernel.CLONE_PIDFD | kernel.CLONE_CHILD_SETTID | kernel.CLONE_CHILD_CLEARTID | signal.SIGCHLD
)
_MESSAGE, _CONTROL, _PIDFD, _PART, _PAYLOAD = 128, 192, 208, 240, 512
_NO_RANGES, _RANGES = 32, 1024
"""Where ranges of memory stand, two words each and a zero after the last; and where there is
nothing but that zero."""
_MOST_RANGES = 900
MOST = 2048
"""How long an answer may be."""


class Copier:
    """Made before the jail is closed: the kernel is asked where libc keeps a thread's id, which it
    does not tell later."""

    def __init__(self) -> None:
        self._tell = self._wait = None
        if kernel.MACHINE in _TELL:
            self._tell, self._wait = (
                kernel.NativeBlock(_TELL[kernel.MACHINE]),
                kernel.NativeBlock(_WAIT[kernel.MACHINE], pages=4),
            )
        self._thread_id = kernel.thread_id_address()
        self._waits_for = -1

    @property
    def can_copy(self) -> bool:
        """Whether this process has one thread, and there is code for this machine."""
        return self._tell is not None and self.is_alone

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

    def fork_and_tell(self, wire: int, answer: bytes, *, beside: bool = False) -> int:
        """Copy this process, and send the answer with a pidfd of the copy. Gives what fork gives.
        `beside` is as of `fork_beside`."""
        block = self._tell
        assert block is not None and len(answer) <= MOST
        at = block.address
        flags = _FLAGS | (kernel.CLONE_PARENT if beside else 0)
        block.write(0, struct.pack("=QQQQ", wire, self._thread_id, 0, flags))
        block.write(_MESSAGE, struct.pack("=7Q", 0, 0, at + _PART, 1, at + _CONTROL, 24, 0))
        block.write(_CONTROL, struct.pack("=QiiQ", 20, socket.SOL_SOCKET, socket.SCM_RIGHTS, 0))
        block.write(_PART, struct.pack("=QQ", at + _PAYLOAD, len(answer)))
        block.write(_PAYLOAD, answer)
        return _checked(block.call())


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result
