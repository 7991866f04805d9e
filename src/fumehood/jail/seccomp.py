"""The system-call filter: a classic-BPF program made from the table in `syscalls.py`.

The kernel runs the program at each system call, over `struct seccomp_data`: the number, the
architecture and six arguments of 64 bits. It loads a word of that into its one register, compares,
jumps forward, and returns a verdict. The shape of ours:

    another architecture's calls     → kill: their numbers mean other calls
    x32 calls (x86-64)               → kill: the same calls again, under other numbers
    a binary search for the number   → allow | errno | the checks of the row, then allow or errno
    no row                           → ENOSYS

A number is found in about nine comparisons. Kernels from 5.11 on find out, when the filter is
installed, which calls are allowed without a look at their arguments, and do not run it for those at
all.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from errno import ENOSYS

from fumehood.errors import JailUnavailable
from fumehood.jail.syscalls import ROWS, Check, Row

# AUDIT_ARCH_*: the ELF machine number, marked as 64-bit and little-endian.
ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

_X32_BIT = 0x4000_0000
_MAX_INSTRUCTIONS = 4096
_MAX_PID = 1 << 22

# Offsets in struct seccomp_data. Both architectures are little-endian: the lower half of an
# argument comes first.
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_JUMP, _JUMP_EQUAL, _JUMP_GREATER_EQUAL = 0x05, 0x15, 0x35

_ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000
_KILL_PROCESS = 0x8000_0000

_Code = list[tuple[int, int, int, int]]
"""Instructions as (code, jump if true, jump if false, operand); jumps count the instructions to
skip."""


def build_filter(
    arch: str,
    *,
    processes: bool,
    own_pid: int | None,
    rows: Iterable[Row] = ROWS,
) -> bytes:
    """The program as the kernel takes it, eight bytes an instruction.

    `processes` says whether code may start processes (threads always), `own_pid` the only process
    that may be sent signals, or None in a pid namespace of its own. Neither has a default: the
    caller knows its jail. Raises JailUnavailable for a machine that the table has no numbers for.
    """
    if type(processes) is not bool:
        raise ValueError(f"processes must be True or False, not {processes!r}")
    if own_pid is not None and (type(own_pid) is not int or not 0 < own_pid <= _MAX_PID):
        raise ValueError(f"own_pid must be a process id or None, not {own_pid!r}")
    if arch not in ARCHITECTURES:
        raise JailUnavailable(
            f"no system-call filter for {arch!r} machines; there is one for"
            f" {' and '.join(ARCHITECTURES)}"
        )
    has = {"processes": processes, "pid namespace": own_pid is None}
    ends: dict[int, _Code] = {}
    for row in rows:
        number = row.number(arch)
        if number in ends:
            raise ValueError(
                f"two rows for system call {number} on {arch}; the second is {row.name}"
            )
        if number is not None:
            ends[number] = _end(row, has, own_pid)
    code: _Code = [
        (_LOAD, 0, 0, _ARCH),
        (_JUMP_EQUAL, 1, 0, ARCHITECTURES[arch]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if arch == "x86_64":
        code += [(_JUMP_GREATER_EQUAL, 0, 1, _X32_BIT), (_RETURN, 0, 0, _KILL_PROCESS)]
    code += _search(_runs(ends))
    if len(code) > _MAX_INSTRUCTIONS:
        raise ValueError(
            f"the filter has {len(code)} instructions; the kernel takes {_MAX_INSTRUCTIONS}"
        )
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def _runs(ends: dict[int, _Code]) -> list[tuple[int, _Code]]:
    """The first number of each run of calls that end the same way, with that end. The first run
    starts at 0, the last has no end."""
    unreviewed: _Code = [(_RETURN, 0, 0, _ERRNO | ENOSYS)]
    runs: list[tuple[int, _Code]] = []
    for number in range(max(ends, default=-1) + 2):
        end = ends.get(number, unreviewed)
        if not runs or runs[-1][1] != end:
            runs.append((number, end))
    return runs


def _search(runs: list[tuple[int, _Code]]) -> _Code:
    if len(runs) == 1:
        return runs[0][1]
    middle = len(runs) // 2
    below, above = _search(runs[:middle]), _search(runs[middle:])
    if len(below) <= 255:
        return [(_JUMP_GREATER_EQUAL, len(below), 0, runs[middle][0]), *below, *above]
    # A comparison jumps over 255 instructions at most, a plain jump over any number.
    return [(_JUMP_GREATER_EQUAL, 0, 1, runs[middle][0]), (_JUMP, 0, 0, len(below)), *below, *above]


def _end(row: Row, has: dict[str, bool], own_pid: int | None) -> _Code:
    """Code that ends a call: the checks of its row, then the verdict."""
    if row.verdict == "refuse" or (row.needs and not has[row.needs]):
        return [(_RETURN, 0, 0, _ERRNO | row.errno)]
    code: _Code = []
    for check in row.checks:
        if not (check.unless and has[check.unless]):
            code += _check(check, row.errno if check.errno is None else check.errno, own_pid)
    return [*code, (_RETURN, 0, 0, _ALLOW)]


def _check(check: Check, errno: int, own_pid: int | None) -> _Code:
    """Code that returns an errno if the check does not hold, and else continues behind it."""
    if check.values == "own pid":
        assert own_pid is not None, "only asked where there is no pid namespace"
        values: tuple[int, ...] = (own_pid,)
    else:
        values = check.values
    code: _Code = []
    for half in (1, 0) if check.bits == 64 else (0,):  # both halves must be equal
        code.append((_LOAD, 0, 0, _ARGUMENTS + 8 * check.argument + 4 * half))
        mask = check.mask >> 32 * half & 0xFFFF_FFFF
        if mask != 0xFFFF_FFFF:
            code.append((_AND, 0, 0, mask))
        for place, value in enumerate(values, 1):
            # To behind the return if the value is found; to the return if it is refused.
            left = len(values) - place
            jumps = (left, 0 if left else 1) if check.refuses else (left + 1, 0)
            code.append((_JUMP_EQUAL, *jumps, value >> 32 * half & 0xFFFF_FFFF))
        code.append((_RETURN, 0, 0, _ERRNO | errno))
    if condition := check.when or check.unless_value:
        argument, value = condition
        jumps = (0, len(code)) if check.when else (len(code), 0)
        code[:0] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument), (_JUMP_EQUAL, *jumps, value)]
    return code
