"""Starts processes that stay small because they run no Python: init, template and checkpoint.

    init        the first process of a sandbox. It keeps the namespaces alive, reaps children, and
                sleeps. When it ends, the kernel ends every process of the sandbox.
    template    the process that is copied to make a runner. It has imported everything, and waits.
    checkpoint  a copy of a runner that waits until the runner must be replaced (kernel.Copies).

After a fork, every page that either process writes to is copied, and Python writes to most pages
that it reads. So _spawn.c does the work of these processes. Without it this file does the same in
Python, which takes more time and memory; what isolates a sandbox is the same.

A template waits on a socket for packets with descriptors and answers each with a process id:

    u…     a runner that makes the calls of the usual script before it returns into Python
    {…     a runner that Python tells what to do

The first two descriptors are the pid and mount namespaces of the new runner. The template enters
them, copies itself and comes back. Its copies are children of its parent. Functions
that libraries register to be called around a fork have run when the template was made by an
ordinary fork; it has started no thread since then.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import struct
from collections.abc import Sequence

from fumehood.jail import kernel, namespaces
from fumehood.jail.filesystem import LAB_DESCRIPTOR, LAB_IN_SETUP
from fumehood.jail.kernel import Script

USUAL = b"usual"
_REPLY = struct.Struct("=q")
"""What clone returned."""
_MOST_BYTES = 3072
_MOST_DESCRIPTORS = 12
_FAILED = 70
ANSWER_SECONDS = 20.0
"""A process that takes longer to answer was stopped from outside."""

SOCKET = 5
"""Where a template has its socket. The descriptors of its home namespaces follow, then those that
it receives. The numbers below are reserved for a runner's."""


class Gone(OSError):
    """The template was killed, or it was stopped: then it `is_silent`."""

    is_silent = False


# -- init


def start_init() -> int:
    """Start the first process of the pid namespace that children of this process are in; gives a
    pidfd. The caller must be closed to inspection: the new process has the same memory."""
    if not kernel.why_no_spawn:
        return kernel.start_init()
    blocked = signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
    try:
        pid = kernel.fork()
        if not pid:
            _be_init()
        return os.pidfd_open(pid)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _be_init() -> None:
    """Sleep for ever. All signals are blocked, and the kernel reaps."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        os.closerange(0, 1 << 20)
        while True:
            signal.pause()
    finally:
        os._exit(_FAILED)


# -- the template's side


def settle(ours: socket.socket, home: tuple[int, ...], lab: str) -> int:
    """Move the socket to SOCKET and the home namespaces behind it, and close all else but the
    standard three. Gives the number of the first descriptor that copies receive."""
    descriptors = [ours.detach(), *home]
    end = SOCKET + len(descriptors)
    high = [os.dup(descriptor) for descriptor in descriptors]
    while min(high) < end:
        high = [os.dup(descriptor) for descriptor in high]
    for place, descriptor in enumerate(high):
        os.dup2(descriptor, SOCKET + place)
    os.closerange(end, 1 << 20)
    os.dup2(SOCKET, 3)
    directory = os.open(lab, os.O_PATH | os.O_DIRECTORY)
    os.dup2(directory, LAB_IN_SETUP)
    os.dup2(directory, LAB_DESCRIPTOR)  # to import what is installed below HOME
    os.close(directory)
    return end


def serve_template(ready: bytes, usual: Script, *, first_sent: int) -> tuple[bytes, OSError | None]:
    """Report that this process is ready, and be the template for ever. Returns in each runner, with
    the packet that it was made for, and the error if the usual script was run and has failed."""
    usual.prepared()
    os.write(SOCKET, ready)
    if kernel.why_no_spawn:
        packet, check = _serve_in_python(range(SOCKET + 1, first_sent)), usual.run
    else:
        packet = kernel.serve_template(SOCKET, first_sent, usual, _MOST_BYTES)
        check = usual.check
    try:
        if packet == USUAL:
            check()
    except OSError as error:
        return packet, error
    return packet, None


def _serve_in_python(homes: Sequence[int]) -> bytes:
    """What spawn_serve_template of _spawn.c does. An exception ends the process."""
    thread_id = kernel.thread_id_address()
    requests = socket.socket(fileno=SOCKET)
    while True:
        packet, sent, _flags, _address = socket.recv_fds(requests, _MOST_BYTES, _MOST_DESCRIPTORS)
        if not packet:
            os._exit(_FAILED)
        try:
            pid = _copy(thread_id, sent, homes)
        except OSError as error:
            pid = -(error.errno or errno.EIO)
        if not pid:
            requests.detach()
            return packet
        for descriptor in sent:
            os.close(descriptor)
        requests.send(_REPLY.pack(pid))


def _copy(thread_id: int, sent: Sequence[int], homes: Sequence[int]) -> int:
    """Copy this process into the namespaces that were sent."""
    pid = -1
    try:
        kernel.setns(sent[0], kernel.CLONE_NEWPID)
        kernel.setns(sent[1], kernel.CLONE_NEWNS)
        kernel.unshare(kernel.CLONE_NEWIPC)
        pid = kernel.clone(kernel.CLONE_PARENT, thread_id)
    finally:
        if pid:
            namespaces.go_home(homes)
    return pid


# -- the zygote's side


def copy(template: socket.socket, packet: bytes, descriptors: tuple[int, ...]) -> int:
    """Have a template copied, with these descriptors; gives the process id. Gone if it does not
    answer."""
    if len(packet) > _MOST_BYTES:
        raise OSError(errno.E2BIG, "too much to tell a runner at once")
    template.settimeout(ANSWER_SECONDS)
    try:
        socket.send_fds(template, [packet], descriptors)
        reply = template.recv(_REPLY.size)
    except TimeoutError:
        gone = Gone("the process that makes runners does not answer")
        gone.is_silent = True
        raise gone from None
    except OSError:
        reply = b""
    if len(reply) != _REPLY.size:
        raise Gone("the process that makes runners is gone")
    (pid,) = _REPLY.unpack(reply)
    if pid < 0:
        raise OSError(-pid, f"clone: {os.strerror(-pid)}")
    return int(pid)
