"""The loop that all targets share: cases that follow from a seed and a number, what was found, and
how to see it again."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

CASE_CPU_SECONDS = 60.0
"""Processor time, not time: a machine that is busy with something else makes no case a slow one."""


class Found(Exception):
    """Something that must not be. `shown` is the input, or as much of it as helps."""

    def __init__(self, what: str, shown: str) -> None:
        super().__init__(what)
        self.what = what
        self.shown = shown


class Target(Protocol):
    name: str
    about: str
    cases_in_tests: int
    """So many take about a second or two."""

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        """Make up a case and try it; counts what was done. Raises Found."""


@dataclass(frozen=True)
class Finding:
    target: str
    seed: str
    number: int
    what: str
    shown: str

    def __str__(self) -> str:
        again = f"python -m tests.fuzz {self.target} --seed {self.seed} --case {self.number}"
        return f"{self.target}: {self.what}\n    again: {again}\n{self.shown}"


@dataclass
class Report:
    target: str
    seconds: float = 0.0
    cases: int = 0
    tally: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def __str__(self) -> str:
        rates = ", ".join(
            f"{count:,} {what} ({count / self.seconds:,.0f}/s)"
            for what, count in sorted(self.tally.items())
        )
        return (
            f"{self.target}: {self.cases:,} cases in {self.seconds:.1f} s:"
            f" {rates or 'nothing counted'}; {len(self.findings)} findings"
        )


def chance(seed: str, target: str, number: int) -> Random:
    """The randomness of one case: of nothing else does it depend. Seeded by text, whose hash is the
    same in every process."""
    return Random(f"{seed}/{target}/{number}")


def run(
    target: Target,
    seed: str,
    numbers: Iterable[int],
    *,
    seconds: float | None = None,
    most_findings: int = 20,
) -> Report:
    """Try cases until there are no more numbers, the time is over, or enough was found."""
    report = Report(target.name)
    started = time.monotonic()
    for number in numbers:
        if (
            seconds is not None
            and time.monotonic() - started >= seconds
            or len(report.findings) >= most_findings
        ):
            break
        try:
            with _watched():
                target.try_one(chance(seed, target.name, number), report.tally)
        except Found as found:
            report.findings.append(Finding(target.name, seed, number, found.what, found.shown))
        except Exception as error:
            report.findings.append(
                Finding(
                    target.name,
                    seed,
                    number,
                    f"raised {type(error).__name__}",
                    traceback.format_exc(),
                )
            )
        report.cases += 1
    report.seconds = time.monotonic() - started
    return report


@contextlib.contextmanager
def _watched() -> Iterator[None]:
    """What takes far too long is found out. Only the main thread can be told so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def too_long(signum: int, frame: Any) -> None:
        raise Found(
            f"took more than {CASE_CPU_SECONDS:g} s of processor time",
            "".join(traceback.format_stack(frame)),
        )

    before = signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, CASE_CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextlib.contextmanager
def must_raise_only(allowed: Any, shown: object) -> Iterator[None]:
    """In this context nothing else is raised, and what is allowed ends it quietly. `allowed` is
    what an `except` takes."""
    try:
        yield
    except allowed:
        pass
    except Found:
        raise
    except Exception as error:
        text = "".join(traceback.format_exception(error, limit=-4))
        raise Found(
            f"raised {type(error).__name__}: {str(error)[:200]}", f"{shown!r:.4000}\n{text}"
        ) from None
