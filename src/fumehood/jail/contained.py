"""The processes of a jail in a container: a template, copies of it that are keepers, and copies of
those that are runners.

    zygote ─┬─ template
            ├─ keeper ── runners
            └─ keeper ── runners

There are no namespaces to hold a sandbox together, so its keeper does: whatever of the sandbox
loses its parent becomes the keeper's child. As pid 1 of a sandbox does elsewhere it runs no code of
anybody's, and killing it is how a sandbox is ended, by its parent, whose children all of them are
then.

Template and keeper are one program, which waits on a socket and answers each packet:

    k…      a copy of this process that is a keeper, with the socket that came along, beside this
            one
    u…      a copy that is a runner, with the descriptors that came along; it runs the usual script
            before anything else
    w pid   whether a child is dead, and how it ended
    {…      a copy that is a runner, and that Python will tell what to do

What it costs to go on after a copy was made is told in template.py, and is why this, too, is a few
instructions that write to one page. On machines for which there are none, Python does the same.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
from typing import NamedTuple

from fumehood.jail import kernel
from fumehood.jail.script import Script
from fumehood.jail.template import SOCKET, Gone

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
        "7e59"  #                jle end              the zygote is gone
        "48894340"  #            mov [length], rax
        "80bb0004000077"  #      cmp byte [packet], 'w'
        "7458"  #                je wait
        "8b7b08"  #              mov edi, [flags]
        "31f6"  #                xor esi, esi         on a copy of this stack
        "31d2"  #                xor edx, edx
        "4c8b5318"  #            mov r10, [thread id]
        "4531c0"  #              xor r8d, r8d
        "b838000000"  #          mov eax, 56
        "0f05"  #                syscall              clone
        "4885c0"  #              test rax, rax
        "746a"  #                jz child
        "488983c0000000"  #      mov [result], rax
        "8b7b10"  #              mov edi, [first sent]
        "beffffffff"  #          mov esi, 0xffffffff
        "31d2"  #                xor edx, edx
        "b8b4010000"  #          mov eax, 436
        "0f05"  #                syscall              close_range: what was sent
        # answer:
        "8b3b"  #                mov edi, [socket]
        "488db3c0000000"  #      lea rsi, [result]
        "ba30000000"  #          mov edx, 48
        "b801000000"  #          mov eax, 1
        "0f05"  #                syscall              write
        "4885c0"  #              test rax, rax
        "7988"  #                jns next
        # end:
        "bf46000000"  #          mov edi, 70
        "b8e7000000"  #          mov eax, 231
        "0f05"  #                syscall              exit_group
        # wait:
        "bf01000000"  #          mov edi, P_PID
        "8bb304040000"  #        mov esi, [packet + 4]
        "488d93c8000000"  #      lea rdx, [result + 8]
        "448b9308040000"  #      mov r10d, [packet + 8]
        "4531c0"  #              xor r8d, r8d
        "b8f7000000"  #          mov eax, 247
        "0f05"  #                syscall              waitid
        "488983c0000000"  #      mov [result], rax
        "ebae"  #                jmp answer
        # child:
        "80bb000400006b"  #      cmp byte [packet], 'k'
        "741a"  #                je keeper
        "80bb0004000075"  #      cmp byte [packet], 'u'
        "750f"  #                jne back             what has to be done is not the usual
        "488b7b50"  #            mov rdi, [first row]
        "488b7358"  #            mov rsi, [end of rows]
        "ff5360"  #              call [script]
        "48894368"  #            mov [outcome], rax
        # back:
        "5b"  #                  pop rbx
        "c3"  #                  ret
        # keeper:
        "488b7b70"  #            mov rdi, [first row of a keeper's]
        "488b7378"  #            mov rsi, [end of those rows]
        "ff5360"  #              call [script]
        "4885c0"  #              test rax, rax
        "7595"  #                jnz end
        "8b4320"  #              mov eax, [flags of a keeper]
        "894308"  #              mov [flags], eax
        "e912ffffff"  #          jmp next
    ),
}

_LENGTH, _USUAL, _OUTCOME, _KEEPER, _MESSAGE, _PART, _CONTROL, _PAYLOAD = (
    64,
    80,
    104,
    112,
    128,
    320,
    384,
    1024,
)
_MOST = 4096 - _PAYLOAD
_ANSWER = struct.Struct(
    "=q7i12x"
)  # what the call gave; of waitid what the kernel tells: signal, 0, how, 0, who, whose, status
_PLAIN = kernel.CLONE_CHILD_SETTID | kernel.CLONE_CHILD_CLEARTID | signal.SIGCHLD
_SENT = SOCKET + 1

KEEPER = b"keeper"
USUAL = b"usual"
_PATIENCE_SECONDS = 10.0
"""Neither ever takes long to answer, but somebody may have stopped it."""


class Scripts(NamedTuple):
    """What copies do first of all."""

    keeper: Script
    usual: Script


def serve(scripts: Scripts, ready: bytes) -> tuple[bytes, int | None]:
    """Say that this process, which has its socket at SOCKET and nothing open behind it, is ready,
    and be the template for ever. Returns in each runner, with the packet that it was made for; if
    that is USUAL the script has been run, and what came of it is returned too, None if that is
    still to be done."""
    code = _CODE.get(kernel.MACHINE)
    if code is None:
        os.write(SOCKET, ready)
        return _serve_by_python(scripts), None
    block = kernel.NativeBlock(code)
    at = block.address
    block.write(
        0,
        struct.pack(
            "=5Q", SOCKET, _PLAIN | kernel.CLONE_PARENT, _SENT, kernel.thread_id_address(), _PLAIN
        ),
    )
    block.write(_USUAL, struct.pack("=3Q", *scripts.usual.prepared().native))
    block.write(_KEEPER, struct.pack("=2Q", *scripts.keeper.prepared().native[:2]))
    block.write(_MESSAGE, struct.pack("=7Q", 0, 0, at + _PART, 1, at + _CONTROL, 64, 0))
    block.write(_PART, struct.pack("=2Q", at + _PAYLOAD, _MOST))
    os.write(SOCKET, ready)
    block.call()
    (length,) = struct.unpack("=Q", block.read(_LENGTH, 8))
    (outcome,) = struct.unpack("=Q", block.read(_OUTCOME, 8))
    return block.read(_PAYLOAD, length), outcome


def _serve_by_python(scripts: Scripts) -> bytes:
    flags, thread_id = kernel.CLONE_PARENT, kernel.thread_id_address()
    asked = socket.socket(fileno=SOCKET)
    while True:
        packet, sent, _flags, _address = socket.recv_fds(asked, _MOST, 8)
        if not packet:
            os._exit(70)
        try:
            if packet[:1] == b"w":
                answer = _waited(*struct.unpack("=xxxxii", packet))
            else:
                pid = kernel.clone(flags, thread_id)
                if not pid and packet != KEEPER:
                    asked.detach()
                    return packet
                if not pid:
                    scripts.keeper.run()
                    flags = 0
                    continue
                answer = _ANSWER.pack(pid, *[0] * 7)
        except OSError as error:
            answer = _ANSWER.pack(-(error.errno or 1), *[0] * 7)
        for descriptor in sent:
            os.close(descriptor)
        asked.send(answer)


def _waited(pid: int, options: int) -> bytes:
    found = os.waitid(os.P_PID, pid, options)
    rows = (
        (0, 0, 0, 0, 0, 0, 0)
        if found is None
        else (found.si_signo, 0, found.si_code, 0, found.si_pid, found.si_uid, found.si_status)
    )
    return _ANSWER.pack(0, *rows)


def copy(of: socket.socket, packet: bytes, descriptors: tuple[int, ...]) -> int:
    """Have a template or a keeper copied, and the copy given descriptors; gives its process id."""
    if len(packet) > _MOST:
        raise OSError("too much to tell a runner at once")
    result, *_rest = _ANSWER.unpack(_ask(of, packet, descriptors))
    if result < 0:
        raise OSError(-result, f"clone: {os.strerror(-result)}")
    return int(result)


def ending_of(pid: int, keeper: socket.socket, *, lets_go: bool) -> int | None:
    """The exit code of a keeper's dead child, or minus its signal; None if it is not dead, or not
    the keeper's child. `lets_go` says that its number may be another's from now on."""
    options = os.WEXITED | os.WNOHANG | (0 if lets_go else os.WNOWAIT)
    packet = struct.pack("=cxxxii", b"w", pid, options)
    result, _signal, _nothing, how, _pad, who, _user, status = _ANSWER.unpack(
        _ask(keeper, packet, ())
    )
    if result < 0 or not who:
        return None
    return int(status) if how == os.CLD_EXITED else -int(status)


def _ask(of: socket.socket, packet: bytes, descriptors: tuple[int, ...]) -> bytes:
    of.settimeout(_PATIENCE_SECONDS)
    try:
        socket.send_fds(of, [packet], descriptors) if descriptors else of.send(packet)
        answer = of.recv(_ANSWER.size)
    except OSError:
        answer = b""
    if len(answer) != _ANSWER.size:
        raise Gone("the process that makes runners is gone, or stands still")
    return answer
