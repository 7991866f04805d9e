"""A plain run: the program in an ordinary process, in a world made for it and thrown away after it.

The world has its own pids, mounts, network, host name and shared memory, so that an attack that
works — and here it must — meets nothing but the canaries. Pid 1 of the world makes them and looks
at them afterwards.
"""

from __future__ import annotations

import ast
import ctypes
import fcntl
import json
import os
import select
import signal
import socket
import struct
import sys
import traceback
from pathlib import Path
from typing import Any

from fumehood.attack import words
from fumehood.attack.canaries import Canaries
from fumehood.attack.corpus import Program
from fumehood.attack.outcomes import Outcome
from fumehood.attack.tools import plain_tools

from . import identities

_LIBC = ctypes.CDLL(None, use_errno=True)
_NEW_WORLD = (
    0x00020000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000
)  # mounts, host name, ipc, pids, network
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1
# A program that hangs is given this long before it counts as hanging; the others have ample time.
_SECONDS = {"hangs": 0.7}
_SECONDS_OTHERWISE = 20.0


def run(attack: Program, directory: Path, mount_token: str) -> Outcome:
    """What became of it. RuntimeError if the world itself did not answer."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        try:
            if _LIBC.unshare(_NEW_WORLD):
                raise OSError(ctypes.get_errno(), "unshare")
            first = os.fork()  # pid 1 of the new world
            if first == 0:
                answer = _be_the_world(attack, directory, mount_token)
                os.write(writable, json.dumps(answer).encode())
            else:
                os.waitpid(first, 0)
        except BaseException:  # whatever it is, the test must hear of it
            os.write(writable, json.dumps({"died": traceback.format_exc()}).encode())
        os._exit(0)
    os.close(writable)
    text = _read_all(readable, _SECONDS_OTHERWISE + 10)
    if text is None:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    answer = json.loads(text) if text else {"died": "the world did not answer"}
    if "died" in answer:
        raise RuntimeError(answer["died"])
    return Outcome(**answer)


def _be_the_world(attack: Program, directory: Path, mount_token: str) -> dict[str, Any]:
    identities.die_with_parent()
    identities.mount("none", "/", None, 1 << 14 | 1 << 18)
    identities.mount(mount_token, str(directory), "tmpfs", 0, "mode=0755")
    identities.mount("proc", "/proc", "proc", 0)
    lab = directory / "lab"
    lab.mkdir()
    identities.mount("lab", str(lab), "tmpfs", 0, "mode=0777")
    _raise_loopback()
    canaries = Canaries(directory, mount_token)
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        os.chdir(lab)
        os.setsid()
        _run_cells(attack, canaries.variables, writable)
    os.close(writable)
    text = _read_all(readable, _SECONDS.get(attack.plain, _SECONDS_OTHERWISE))
    if text is None:
        ending: dict[str, Any] = {"ending": "hangs"}
    else:
        _, status = os.waitpid(child, 0)
        ending = (
            json.loads(text)
            if text
            else {"ending": f"crashes with {os.waitstatus_to_exitcode(status)}"}
        )
    texts = json.dumps(ending)
    processes = {int(entry.name) for entry in Path("/proc").glob("[0-9]*")}
    left = processes - {1, canaries.variables["victim_pid"], child}
    return {
        **ending,
        "findings": canaries.findings() + (["processes were left running"] if left else []),
        "leaks": sorted(token for token in canaries.tokens if token in texts),
    }


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = bytearray(struct.pack("16sh22x", b"lo", 0))
        fcntl.ioctl(control, _SIOCGIFFLAGS, request)
        flags = struct.unpack_from("h", request, 16)[0]
        struct.pack_into("h", request, 16, flags | _IFF_UP)
        fcntl.ioctl(control, _SIOCSIFFLAGS, request)


def _run_cells(attack: Program, variables: dict[str, Any], writable: int) -> None:
    namespace: dict[str, Any] = {"__name__": "__main__", **plain_tools(Outcome()), **variables}
    answer: dict[str, Any] = {"ending": "nothing"}
    try:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        for cell in words.cells_of(attack, guarded=False):
            value = _value_of(cell, attack.name, namespace)
        ending = (
            "escaped"
            if str(value).startswith("ESCAPED")
            else "held"
            if str(value).startswith("held")
            else "nothing"
        )
        answer = {"ending": ending, "value": str(value)[:2000]}
    except SystemExit:
        os._exit(1)
    except BaseException as error:  # MemoryError and KeyboardInterrupt are endings like others
        answer = {
            "ending": f"error {type(error).__name__}",
            "value": traceback.format_exc()[-2000:],
        }
    finally:
        sys.stderr.flush()
    try:
        os.write(writable, json.dumps(answer).encode())
    finally:
        os._exit(0)


def _value_of(cell: str, name: str, namespace: dict[str, Any]) -> Any:
    tree = ast.parse(cell)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec", dont_inherit=True), namespace)
    return (
        eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), namespace)
        if last is not None
        else None
    )


def _read_all(descriptor: int, seconds: float) -> str | None:
    """All text up to the end of the stream; None if there was silence for so long."""
    chunks = []
    while select.select([descriptor], [], [], seconds)[0]:
        chunk = os.read(descriptor, 65536)
        if not chunk:
            os.close(descriptor)
            return b"".join(chunks).decode()
        chunks.append(chunk)
        if len(chunks[-1]) < 65536 and chunks[-1].endswith(b"}"):
            os.close(descriptor)
            return b"".join(chunks).decode()
    os.close(descriptor)
    return None
