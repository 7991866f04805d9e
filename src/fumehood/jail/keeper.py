"""The keeper: the first process of a sandbox. It holds the sandbox's namespaces open, reaps, and
sleeps. It runs no code of anybody's.

When it ends, the kernel ends every process of the sandbox, so killing it is how a sandbox is ended.

It needs no memory, so it gets none: it is a task beside its maker, in its maker's memory, that runs
the few instructions below and nothing else, ever. A copy of a large process costs milliseconds and
megabytes; this costs microseconds. It is safe to share memory with because it touches none: all
signals are blocked, no stack is used, and nobody in the sandbox can reach it. It belongs to a user
namespace outside of theirs, its memory is closed to inspection, Landlock keeps signals from it, and
ptrace is not among their system calls.
"""

from __future__ import annotations

import errno
import signal

from fumehood.jail import kernel

# Called as keeper(flags, where to put the pidfd, a sigaction that ignores).
_CODE = {
    "x86_64": bytes.fromhex(
        "4989d0"  #       mov r8, rdx
        "4889f2"  #       mov rdx, rsi
        "31f6"  #         xor esi, esi             no stack of its own, as it uses none
        "4d31d2"  #       xor r10, r10
        "b838000000"  #   mov eax, 56
        "0f05"  #         syscall                  clone
        "85c0"  #         test eax, eax
        "7401"  #         jz child
        "c3"  #           ret                      the maker goes on
        # child:
        "bf11000000"  #   mov edi, 17              SIGCHLD
        "4c89c6"  #       mov rsi, r8
        "31d2"  #         xor edx, edx
        "41ba08000000"  # mov r10d, 8
        "b80d000000"  #   mov eax, 13
        "0f05"  #         syscall                  rt_sigaction: ignored, so that the kernel reaps
        "31ff"  #         xor edi, edi
        "beffffffff"  #   mov esi, 0xffffffff
        "31d2"  #         xor edx, edx
        "b8b4010000"  #   mov eax, 436
        "0f05"  #         syscall                  close_range: everything
        # sleep:
        "b822000000"  #   mov eax, 34
        "0f05"  #         syscall                  pause
        "ebf7"  #         jmp sleep
    ),
}

_FLAGS = kernel.CLONE_VM | kernel.CLONE_PIDFD | signal.SIGCHLD


class Keepers:
    """Makes keepers."""

    def __init__(self) -> None:
        code = _CODE.get(kernel.MACHINE)
        if code is None:
            raise OSError(errno.ENOSYS, f"there is no keeper for {kernel.MACHINE} yet")
        self._clone = kernel.NativeClone(code)

    def start(self) -> int:
        """A new keeper, in the namespaces that the caller's children are in, as a pidfd. The caller
        must be closed to inspection: they share memory."""
        blocked = signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
        try:
            return self._clone.start(_FLAGS)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
