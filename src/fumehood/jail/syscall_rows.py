"""What a row of the table of system calls says, and its words. The table is syscalls.py;
`seccomp.py` makes the filter from it."""

from __future__ import annotations

from dataclasses import dataclass
from errno import ENOSYS, EPERM
from typing import Literal, NamedTuple

Option = Literal["processes", "pid namespace", "container"]
"""What a jail may have and rows ask for: leave to start processes; a pid namespace of its own, in
which nobody else can be signalled, or a container in its place; a container, in which a keeper is
all that holds a sandbox's processes together."""


@dataclass(frozen=True, slots=True)
class Check:
    """What one argument must be: `argument & mask` is one of `values`.

    `bits` is how much of the 64-bit register the kernel reads: for an `int` it ignores the upper
    half, and so must the check, else a value that the kernel takes for the same would slip through,
    or a harmless one be refused for garbage nobody reads.
    """

    argument: int
    values: tuple[int, ...] | Literal["own pid"]
    means: str
    mask: int = 0xFFFF_FFFF_FFFF_FFFF
    bits: Literal[32, 64] = 32
    unless: Option | None = None
    """The check falls away where the jail has this."""
    only: Option | None = None
    """The check falls away where the jail does not have this."""
    when: tuple[int, int] | None = None
    """The check is made only if the lower half of this argument is this value."""
    unless_value: tuple[int, int] | None = None
    """The check falls away if the lower half of this argument is this value."""
    refuses: bool = False
    """The values are those that `argument & mask` must not have."""
    errno: int | None = None
    """What the call answers if the check does not hold; None for the errno of its row. 0 is
    success, without the call being made."""

    def __post_init__(self) -> None:
        if not 0 <= self.argument <= 5:
            raise ValueError(f"a system call has arguments 0 to 5, not {self.argument}")
        if not self.values or not self.means.strip():
            raise ValueError("a check names its values and says what they mean")
        if self.values != "own pid" and any(
            value & ~self.mask or not 0 <= value < 1 << self.bits for value in self.values
        ):
            raise ValueError(f"a value that `argument & mask` can never have: {self.values}")
        if self.when is not None and self.unless_value is not None:
            raise ValueError("a check has one condition")
        if self.refuses and self.bits != 32:
            raise ValueError("values are refused in the lower half of an argument only")


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    x86_64: int | None
    aarch64: int | None
    verdict: Literal["allow", "refuse"]
    reason: str
    """Of an allowed call, who needs it; of a refused one, what it does."""
    checks: tuple[Check, ...] = ()
    errno: int = EPERM
    """What a refused call answers, and an allowed one whose checks or needs do not hold."""
    needs: Option | None = None
    """The call is refused unless the jail has this."""

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise ValueError(f"the row of {self.name} has no reason")
        if self.x86_64 is None and self.aarch64 is None:
            raise ValueError(f"the row of {self.name} has no number")
        if not 0 < self.errno < 4096:
            raise ValueError(f"the row of {self.name} answers {self.errno}, which is no errno")
        if self.verdict == "refuse" and (self.checks or self.needs):
            raise ValueError(
                f"the row of {self.name} refuses under a condition; allow it under the opposite one"
            )

    def number(self, arch: str) -> int | None:
        return self.x86_64 if arch == "x86_64" else self.aarch64


def allow(
    name: str,
    x86_64: int | None,
    aarch64: int | None,
    reason: str,
    *checks: Check,
    errno: int = EPERM,
    needs: Option | None = None,
) -> Row:
    return Row(name, x86_64, aarch64, "allow", reason, checks, errno, needs)


def refuse(
    name: str, x86_64: int | None, aarch64: int | None, reason: str, errno: int = EPERM
) -> Row:
    return Row(name, x86_64, aarch64, "refuse", reason, (), errno)


def named(argument: int, what: str, mask: int = 0xFFFF_FFFF_FFFF_FFFF, **values: int) -> Check:
    return Check(argument, tuple(values.values()), f"{what} is one of {' '.join(values)}", mask)


# -- in words


class Described(NamedTuple):
    """A row as `fumehood rules syscalls` prints it."""

    name: str
    verdict: str
    condition: str
    reason: str


def condition(row: Row) -> str:
    answers = {EPERM: "EPERM", ENOSYS: "ENOSYS"}.get(row.errno, str(row.errno))
    if row.verdict == "refuse":
        return f"answers {answers}"
    parts = [f"only with {_OPTIONS[row.needs]}"] if row.needs else []
    for check in row.checks:
        exception = (
            f" (not asked with {_OPTIONS[check.unless]})"
            if check.unless
            else f" (in {_OPTIONS[check.only]})"
            if check.only
            else ""
        )
        parts.append(check.means + exception)
    return "; ".join(parts) + (f"; else {answers}" if parts else "")


_OPTIONS: dict[Option, str] = {
    "processes": "leave to start processes",
    "pid namespace": "namespaces of its own",
    "container": "a container made for it",
}
