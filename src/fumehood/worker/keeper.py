"""The keeper: the first process of a sandbox. It makes the sandbox's namespaces, holds them open, and reaps; it runs no code of anybody's.

When it ends, the kernel ends every process of the sandbox, so killing it is how a sandbox is ended.
"""

from __future__ import annotations

import os
import signal
import socket

from fumehood.jail import enter, kernel
from fumehood.worker.plan import Plan


def keep(replies: socket.socket, plan: Plan, program: bytes) -> None:
    """Enter, say so with a pidfd of this process, and wait for the end. Failing, say why."""
    try:
        enter.enter_as_keeper(plan.uid, plan.gid, *plan.lab)
        own = os.pidfd_open(os.getpid())
    except OSError as error:
        replies.send(f"!{error.strerror or error}".encode())
        return
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps for us
    socket.send_fds(replies, [b"k"], [own])
    os.closerange(0, 64)
    kernel.install_seccomp(program)
    kernel.sleep_without_memory()
    while True:
        signal.pause()
