"""A process for a few programs: it may be crashed, filled or held up, and if the rules fail it does
no harm."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from fumehood.jail import enter, kernel, privileges
from fumehood.jail.landlock import Rules
from fumehood.jail.limits import memory_in_use
from fumehood.jail.script import Script, lowest_free

DEADLINE_SECONDS = 60.0
"""A whole child's. What takes longer hangs in a C call, which nothing inside can end."""
_LIMITS = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_FSIZE, 1 << 20),
    (resource.RLIMIT_CPU, int(DEADLINE_SECONDS)),
)
_ROOM_BYTES = 768 << 20
"""For programs, besides what their process has from the beginning: a copy of a large one has all of
that already."""

Row = dict[str, Any]
_LINE = 3


def rows_of(run: Callable[[Callable[[Row], None]], None]) -> Iterator[Row]:
    """What `run` tells, in a child of this process; the last row is {"died": why} if it did not
    come to its end."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _keep_only(writable)
            confine()
            run(lambda row: _write(_LINE, row))
            _write(_LINE, {"over": True})
        except BaseException:  # whatever it is, it must be heard of
            _write(_LINE, {"died": traceback.format_exc()})
        os._exit(0)  # exit hooks and finalizers that programs left behind are theirs
    os.close(writable)
    is_over = False
    try:
        for row in _rows(readable):
            is_over = is_over or "over" in row or "died" in row
            if "over" not in row:
                yield row
    finally:
        os.close(readable)
        if not is_over:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if not is_over:
        yield {"died": f"the process ended with {os.waitstatus_to_exitcode(status)}"}


def _rows(descriptor: int) -> Iterator[Row]:
    held = b""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
        data = os.read(descriptor, 1 << 16)
        if not data:
            return
        *lines, held = (held + data).split(b"\n")
        yield from (json.loads(line) for line in lines)


_encode = json.JSONEncoder().encode
"""Taken before any program ran: json is one of the libraries that they change."""


def _write(descriptor: int, row: Row) -> None:
    data = _encode(row).encode("ascii") + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]


def _keep_only(line: int) -> None:
    """No descriptor but the line to the parent, and the standard three, which lead nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.dup2(line, _LINE)
    os.closerange(_LINE + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def confine() -> None:
    """Leave this process nothing but looking: it changes no file, starts nothing, signals nobody
    else and has no network. OSError where the kernel cannot do that: programs made up at random are
    not run with more."""
    for kind, most in _LIMITS:
        resource.setrlimit(kind, (most, most))
    data = memory_in_use().data + _ROOM_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (data, data))
    script = Script(lowest_free())
    privileges.die_with_parent(script)
    privileges.promise_no_new(script)
    Rules.of(kernel.landlock_abi()).restrict(script, readable=("/",), writable=(), devices=())
    privileges.drop_capabilities(script)
    privileges.filter_system_calls(script, enter.filter_program(bare=True))
    script.run()
