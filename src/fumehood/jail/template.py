"""The template: the process that is copied to make a runner. It has imported everything, and then
never runs Python again.

A process that forks and goes on with its own work pays for it: after every fork the kernel copies
each page it writes to, and breaks up its huge pages for it. The template writes to one page. It
waits for a packet with descriptors, goes into the namespaces that the first two of them are, copies
itself, comes back, closes what it was sent, and tells the copy's process id. The copy enters the
jail by a script, says that it is ready, waits a moment for a first message and only then returns
into Python, as a child of the template's parent.

Because the copy is not made by libc, what libc would do is done here: the kernel puts the copy's id
where libc looks for it. Functions that libraries want called around a fork have run when the
template was made by an ordinary one; since then it has started no thread.
"""

from __future__ import annotations

import errno
import os
import socket
import struct

from fumehood.jail import kernel
from fumehood.jail.filesystem import LAB_DESCRIPTOR, LAB_IN_SETUP
from fumehood.jail.script import Script

# Called with the address of a block of words; their places in it are below.
_CODE = {
    "x86_64": bytes.fromhex(
        "53"  #                  push rbx
        "4889fb"  #              mov rbx, rdi
        # next:
        "8b3b"  #                mov edi, [socket]
        "488db380000000"  #      lea rsi, [message]
        "48c7462840000000"  #    mov qword [message.controllen], 64
        "31d2"  #                xor edx, edx
        "b82f000000"  #          mov eax, 47
        "0f05"  #                syscall              recvmsg
        "4885c0"  #              test rax, rax
        "0f8ebc000000"  #        jle end              the parent is gone
        "48894340"  #            mov [length], rax
        "8b7b08"  #              mov edi, [pid namespace]
        "be00000020"  #          mov esi, CLONE_NEWPID
        "b834010000"  #          mov eax, 308
        "0f05"  #                syscall              setns
        "4885c0"  #              test rax, rax
        "7841"  #                js home
        "8b7b10"  #              mov edi, [mount namespace]
        "be00000200"  #          mov esi, CLONE_NEWNS
        "b834010000"  #          mov eax, 308
        "0f05"  #                syscall              setns
        "4885c0"  #              test rax, rax
        "782d"  #                js home
        "bf00000008"  #          mov edi, CLONE_NEWIPC
        "b810010000"  #          mov eax, 272
        "0f05"  #                syscall              unshare
        "4885c0"  #              test rax, rax
        "781c"  #                js home
        #          mov edi, CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD
        "bf11802001"
        "31f6"  #                xor esi, esi         on a copy of this stack
        "31d2"  #                xor edx, edx
        "4c8b5318"  #            mov r10, [thread id]
        "4531c0"  #              xor r8d, r8d
        "b838000000"  #          mov eax, 56
        "0f05"  #                syscall              clone
        "4885c0"  #              test rax, rax
        "746f"  #                jz child
        # home:
        "48894348"  #            mov [result], rax
        "8b7b20"  #              mov edi, [home 1]
        "31f6"  #                xor esi, esi
        "b834010000"  #          mov eax, 308
        "0f05"  #                syscall              setns
        "4885c0"  #              test rax, rax
        "784e"  #                js end               it would be taken for somebody it is not
        "8b7b28"  #              mov edi, [home 2]
        "31f6"  #                xor esi, esi
        "b834010000"  #          mov eax, 308
        "0f05"  #                syscall              setns
        "4885c0"  #              test rax, rax
        "783d"  #                js end
        "8b7b30"  #              mov edi, [home 3]
        "31f6"  #                xor esi, esi
        "b834010000"  #          mov eax, 308
        "0f05"  #                syscall              setns
        "4885c0"  #              test rax, rax
        "782c"  #                js end
        "8b7b08"  #              mov edi, [pid namespace]
        "beffffffff"  #          mov esi, 0xffffffff
        "31d2"  #                xor edx, edx
        "b8b4010000"  #          mov eax, 436
        "0f05"  #                syscall              close_range: what was sent
        "8b3b"  #                mov edi, [socket]
        "488d7348"  #            lea rsi, [result]
        "ba08000000"  #          mov edx, 8
        "b801000000"  #          mov eax, 1
        "0f05"  #                syscall              write
        "4885c0"  #              test rax, rax
        "0f8921ffffff"  #        jns next
        # end:
        "bf46000000"  #          mov edi, 70
        "b8e7000000"  #          mov eax, 231
        "0f05"  #                syscall              exit_group
        # child:
        "80bb0004000075"  #      cmp byte [packet], 'u'
        "750f"  #                jne back             what has to be done is not the usual
        "488b7b50"  #            mov rdi, [first row]
        "488b7358"  #            mov rsi, [end of rows]
        "ff5360"  #              call [script]
        "48894368"  #            mov [outcome], rax
        # back:
        "5b"  #                  pop rbx
        "c3"  #                  ret
    ),
}

_LENGTH, _SCRIPT, _OUTCOME, _MESSAGE, _PART, _CONTROL, _PAYLOAD = 64, 80, 104, 128, 256, 320, 1024
_MOST = 4096 - _PAYLOAD

USUAL = b"usual"
"""The packet for a copy that is to run the usual script before anything else."""

SOCKET = 5
"""Where the template keeps its socket. Behind it are its home namespaces, and what it is sent.
Before it are places for a runner's."""


def settle(ours: socket.socket, home: tuple[int, ...], lab: str) -> int:
    """Keep the socket at SOCKET and the home namespaces behind it, and close all else but the
    standard three. Gives the number from which on copies find what was sent for them. The places
    between stand for what a runner will have there: a socket, a directory."""
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


def wait(first_sent: int, ready: bytes, usual: Script) -> tuple[bytes, int]:
    """Say that it is ready, and be the template for ever. Returns in each copy, with the packet
    that it was made for. If that is USUAL the script has been run, and what came of it is returned
    too."""
    code = _CODE.get(kernel.MACHINE)
    if code is None:
        raise OSError(errno.ENOSYS, f"there is no template for {kernel.MACHINE} yet")
    block = kernel.NativeBlock(code)
    at = block.address
    homes = range(SOCKET + 1, SOCKET + 4)
    block.write(
        0,
        struct.pack("=7Q", SOCKET, first_sent, first_sent + 1, kernel.thread_id_address(), *homes),
    )
    block.write(_MESSAGE, struct.pack("=QQQQQQQ", 0, 0, at + _PART, 1, at + _CONTROL, 64, 0))
    block.write(_PART, struct.pack("=QQ", at + _PAYLOAD, _MOST))
    block.write(_SCRIPT, struct.pack("=3Q", *usual.prepared().native))
    os.write(SOCKET, ready)
    block.call()
    (length,) = struct.unpack("=Q", block.read(_LENGTH, 8))
    (outcome,) = struct.unpack("=Q", block.read(_OUTCOME, 8))
    return block.read(_PAYLOAD, length), outcome


class Gone(OSError):
    """Somebody has killed it, or has stopped it: then it `is_silent`."""

    is_silent = False


def copy(template: socket.socket, packet: bytes, descriptors: tuple[int, ...]) -> int:
    """Have the template copied: in the namespaces of the first two descriptors (pid, mount), with
    all of them. Gives the process id."""
    if len(packet) > _MOST:
        raise OSError(errno.E2BIG, "too much to tell a runner at once")
    try:
        socket.send_fds(template, [packet], descriptors)
        reply = template.recv(8)
    except TimeoutError:
        gone = Gone("the template does not answer")
        gone.is_silent = True
        raise gone from None
    except OSError:
        reply = b""
    if not reply:
        raise Gone("the template is gone")
    (result,) = struct.unpack("=q", reply)
    if result < 0:
        raise OSError(-result, f"clone: {os.strerror(-result)}")
    return int(result)
