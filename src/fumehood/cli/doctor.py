"""`fumehood doctor`: what isolates code on this machine, what does not and why, and whether it
holds."""

from __future__ import annotations

import os
import platform
import re
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import typer
from rich.table import Table
from rich.text import Text

import fumehood
from fumehood.cli import options, render, terminal
from fumehood.cli.attempts import ATTEMPTS, Attempt, Outcome, judge
from fumehood.cli.outside import Outside
from fumehood.errors import DangerousImport, SandboxFailed
from fumehood.executors.local import LocalPythonExecutor
from fumehood.jail.report import Mechanism, is_complete
from fumehood.policy import Limits, Policy

# Small, so that they are soon reached.
LIMITS = Limits(cell_seconds=20, memory_bytes=64 << 20, processes=16)

# What to do about a mechanism that is absent: words of its name, and the advice.
ADVICE = (
    (
        "namespace",
        (
            "let this user make namespaces: sysctl user.max_user_namespaces above 0; where the"
            " system has them, kernel.unprivileged_userns_clone=1 and"
            " kernel.apparmor_restrict_unprivileged_userns=0; in a container, a seccomp profile"
            " that lets unshare, mount and pivot_root through"
        ),
    ),
    (
        "Landlock",
        "use Linux 5.13 or newer, with landlock in the kernel's list of security modules (lsm=)",
    ),
    ("seccomp", "use a Linux that was built with seccomp filters, on x86-64 or aarch64"),
)
ADVICE_WITHOUT_A_JAIL = (
    "run code in a container (DockerExecutor), or, only if you trust it, with --inline"
)


@dataclass(frozen=True, slots=True)
class Findings:
    mechanisms: Sequence[Mechanism] = ()
    attempts: Sequence[Outcome] = ()
    imports: Sequence[Outcome] = ()
    unavailable: str = ""
    """Why there is no jail at all."""

    @property
    def complete(self) -> bool:
        return bool(self.mechanisms) and is_complete(self.mechanisms)

    @property
    def healthy(self) -> bool:
        return self.complete and all(outcome.held for outcome in (*self.attempts, *self.imports))


def doctor(imports: options.Imports = None, json: options.Json = False) -> None:
    """Show what isolates code on this machine, and try to get out.

    Each attempt runs in a jail of its own, with the rules of the language switched off.
    Exit code: 0 the hard boundary is complete and every attempt was held, 1 otherwise, 2 bad input.

    Example: fumehood doctor --json
    """
    policy = replace(options.policy_for(imports), language="off", limits=LIMITS)
    warnings.simplefilter("ignore", DangerousImport)
    try:
        with terminal.interruptible(), Outside() as outside:
            findings = examine(policy, outside)
    except OSError as error:
        terminal.fail(f"what code must not reach could not be put up: {error}", terminal.BAD_INPUT)
    if json:
        render.print_json(as_json(findings))
    elif sys.stdout.isatty():
        print_tables(findings)
    else:
        terminal.write(as_text(findings), sys.stdout)
    if not findings.healthy:
        raise typer.Exit(terminal.CODE_FAILED)


def examine(policy: Policy, outside: Outside) -> Findings:
    try:
        with LocalPythonExecutor(policy=policy) as neighbour:
            return Findings(
                mechanisms=neighbour.mechanisms(),
                imports=[try_import(neighbour, name) for name in policy.imports if name != "*"],
                attempts=[
                    *(make(attempt, policy, outside) for attempt in ATTEMPTS),
                    ask(neighbour),
                ],
            )
    except SandboxFailed as error:
        return Findings(unavailable=str(error))


def make(attempt: Attempt, policy: Policy, outside: Outside) -> Outcome:
    """Make an attempt in a sandbox of its own. Its end comes before the judgement: some attempts
    are about what is left then."""
    try:
        with LocalPythonExecutor(policy=policy) as executor:
            executor.send_variables(outside.variables())
            execution = executor.run(attempt.code)
    except SandboxFailed as error:
        return Outcome(attempt.name, False, f"it could not be tried: {error}")
    return judge(attempt, outside, execution)


def ask(neighbour: LocalPythonExecutor) -> Outcome:
    """Whether a sandbox that did nothing has lived through all of it."""
    execution = neighbour.run("6 * 7")
    held = execution.value == 42
    return Outcome(
        "disturb another sandbox by all this",
        held,
        "it answers" if held else f"it does not answer: {execution.error}",
    )


def try_import(executor: LocalPythonExecutor, name: str) -> Outcome:
    execution = executor.run(
        f"import importlib\nstr(getattr(importlib.import_module({name!r}), '__version__', ''))"
    )
    found = f"version {execution.value}" if execution.value else "found"
    return Outcome(
        f"import {name}",
        execution.error is None,
        found if execution.error is None else str(execution.error),
    )


# -- showing


def machine() -> dict[str, Any]:
    return {
        "fumehood": fumehood.__version__,
        "python": platform.python_version(),
        "kernel": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "uid": os.getuid(),
    }


def as_json(findings: Findings) -> dict[str, Any]:
    return {
        **machine(),
        "healthy": findings.healthy,
        "complete": findings.complete,
        "unavailable": findings.unavailable or None,
        "mechanisms": [asdict(mechanism) for mechanism in findings.mechanisms],
        "imports": [asdict(outcome) for outcome in findings.imports],
        "attempts": [asdict(outcome) for outcome in findings.attempts],
        "advice": advice(findings),
    }


_ERRNO = re.compile(r"\[Errno \d+\] ")
"""The number says nothing that the words after it do not, and a line is short."""


@dataclass(frozen=True, slots=True)
class Row:
    good: bool
    verdict: str
    name: str
    detail: str


def sections(findings: Findings) -> list[tuple[str, list[Row]]]:
    """What is printed, in whichever way: titles and their rows."""
    found = [
        (
            "what isolates code here",
            [
                Row(m.in_force, "in force" if m.in_force else "absent", m.name, m.detail)
                for m in findings.mechanisms
            ],
        ),
        (
            "authorized modules, in the jail",
            [
                Row(o.held, "works" if o.held else "FAILS", o.name, terminal.one_line(o.stopped_by))
                for o in findings.imports
            ],
        ),
        (
            "what code tried in the jail, with the language rules off, and what stopped it",
            [
                Row(
                    o.held,
                    "held" if o.held else "NOT HELD",
                    o.name,
                    _ERRNO.sub("", terminal.one_line(o.stopped_by)),
                )
                for o in findings.attempts
            ],
        ),
    ]
    return [(title, rows) for title, rows in found if rows]


def heading() -> str:
    facts = machine()
    return (
        f"fumehood {facts['fumehood']}, Python {facts['python']}, {facts['kernel']}"
        f" {facts['machine']}, uid {facts['uid']}"
    )


def verdict(findings: Findings) -> str:
    if findings.unavailable:
        return f"there is no jail on this machine: {findings.unavailable}"
    absent = [mechanism.name for mechanism in findings.mechanisms if not is_complete([mechanism])]
    boundary = (
        "the hard boundary is complete"
        if findings.complete
        else f"the hard boundary is NOT complete (absent: {', '.join(absent)})"
    )
    escaped = sum(not outcome.held for outcome in findings.attempts)
    held = (
        f"{escaped} of {len(findings.attempts)} attempts were NOT held"
        if escaped
        else f"all {len(findings.attempts)} attempts were held"
    )
    failing = sum(not outcome.held for outcome in findings.imports)
    return f"{boundary}; {held}" + (
        f"; {failing} of {len(findings.imports)} modules cannot be imported" if failing else ""
    )


def advice(findings: Findings) -> list[str]:
    if findings.unavailable:
        return [ADVICE_WITHOUT_A_JAIL]
    absent = [mechanism.name for mechanism in findings.mechanisms if not mechanism.in_force]
    return [text for words, text in ADVICE if any(words in name for name in absent)]


def as_text(findings: Findings) -> str:
    lines = [heading()]
    for title, rows in sections(findings):
        width = max(len(row.name) for row in rows)
        lines += ["", title]
        lines += [f"  {row.verdict:<8}  {row.name:<{width}}  {row.detail}".rstrip() for row in rows]
    lines += ["", verdict(findings)]
    lines += [f"advice: {text}" for text in advice(findings)]
    return "\n".join(lines)


# What is absent may be made up for by the rest, which the attempts show.
_ALARM = {"absent": "yellow"}


def print_tables(findings: Findings) -> None:
    console = terminal.console()
    console.print(Text(heading(), style="bold"))
    names = max((len(row.name) for _title, rows in sections(findings) for row in rows), default=0)
    for title, rows in sections(findings):
        console.print(Text(f"\n{title}", style="italic"))
        grid = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        grid.add_column(width=8)
        grid.add_column(width=names)
        grid.add_column()
        for row in rows:
            # One line is enough for what is as it should be; what is not is told in full.
            detail = Text(
                terminal.printable(row.detail),
                style="dim" if row.good else "",
                no_wrap=row.good,
                overflow="ellipsis",
            )
            grid.add_row(
                Text(
                    row.verdict, style="green" if row.good else _ALARM.get(row.verdict, "bold red")
                ),
                Text(row.name),
                detail,
            )
        console.print(grid, soft_wrap=False)
    console.print(
        Text(
            f"\n{terminal.one_line(verdict(findings))}",
            style="bold green" if findings.healthy else "bold red",
        )
    )
    for text in advice(findings):
        console.print(Text(f"advice: {text}"), soft_wrap=False)
