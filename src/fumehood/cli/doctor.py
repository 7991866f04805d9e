"""`fumehood doctor`: what isolates code on this machine, what is missing and why, which
capabilities can be granted, and whether code is kept in."""

from __future__ import annotations

import os
import platform
import re
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import typer
from rich.text import Text

import fumehood
from fumehood.cli import options, render, terminal
from fumehood.cli.attempts import ATTEMPTS, Attempt, Outcome, judge
from fumehood.cli.outside import Outside
from fumehood.errors import DangerousImport, FumehoodError, SandboxFailed
from fumehood.executors.local import LocalPythonExecutor
from fumehood.jail.report import Mechanism, is_complete
from fumehood.policy import Limits, Policy

# Small, so that they are soon reached.
LIMITS = Limits(cell_seconds=20, memory_bytes=64 << 20, processes=16)

# The programs that `doctor` looks for. A sandbox can execute whatever else is installed.
PROGRAMS = ("bash", "git", "python3", "node", "gcc", "make", "perl", "tar", "curl")

# Each capability, and the mechanisms that keep code to it.
_FILES, _PROGRAMS = "files (--files)", "programs (--programs)"
_BRANCHES, _MEMORY = "rollback, snapshots, forks", "memory limit of all processes together"
ENFORCED_BY = {
    _FILES: ("mount namespace", "Landlock"),
    _PROGRAMS: ("seccomp", "Landlock", "mount namespace", "user, pid, ipc namespaces"),
    _BRANCHES: ("user, pid, ipc namespaces",),
    _MEMORY: ("memory cgroup",),
}

# Advice for an absent mechanism: words of its name, and the text.
ADVICE = (
    (
        "namespace",
        (
            "let this user create namespaces: set user.max_user_namespaces above 0 (sysctl) and,"
            " where they exist, kernel.unprivileged_userns_clone=1 and"
            " kernel.apparmor_restrict_unprivileged_userns=0; in a container, use a seccomp profile"
            " that allows unshare, mount and pivot_root"
        ),
    ),
    (
        "Landlock",
        "use Linux 5.13 or newer, with landlock in the kernel's list of security modules (lsm=)",
    ),
    ("seccomp", "use a Linux kernel with seccomp filters, on x86-64 or aarch64"),
    (
        "memory cgroup",
        (
            "to limit the memory of all processes of a sandbox together, run as root, or in a"
            " cgroup that belongs to this user (systemd-run --user --scope -p Delegate=yes ...)"
        ),
    ),
)
ADVICE_WITHOUT_A_JAIL = (
    "run code in a container (DockerExecutor), or, only if you trust it, with --inline"
)


@dataclass(frozen=True, slots=True)
class Findings:
    mechanisms: Sequence[Mechanism] = ()
    attempts: Sequence[Outcome] = ()
    imports: Sequence[Outcome] = ()
    capabilities: Sequence[Outcome] = ()
    unavailable: str = ""
    """Why there is no jail at all."""

    @property
    def complete(self) -> bool:
        return bool(self.mechanisms) and is_complete(self.mechanisms)

    @property
    def healthy(self) -> bool:
        return self.complete and all(outcome.held for outcome in (*self.attempts, *self.imports))


def doctor(imports: options.Imports = None, json: options.Json = False) -> None:
    """Show what isolates code on this machine and what can be granted, and try to escape.

    Each attempt runs in a sandbox of its own.
    Exit code: 0 the hard boundary is complete and every attempt was held, 1 otherwise, 2 bad input.

    Example: fumehood doctor --json
    """
    policy = options.policy_for(imports)
    # Only the kernel may stop the attempts.
    policy = replace(policy, imports=(*policy.imports, "*"), limits=LIMITS)
    warnings.simplefilter("ignore", DangerousImport)
    try:
        with terminal.interruptible(), Outside() as outside:
            findings = examine(policy, outside)
    except OSError as error:
        terminal.fail(
            f"the files and sockets for the attempts cannot be created: {error}", terminal.BAD_INPUT
        )
    if json:
        render.print_json(as_json(findings))
    elif sys.stdout.isatty():
        show(findings)
    else:
        terminal.write(as_text(findings), sys.stdout)
    if not findings.healthy:
        raise typer.Exit(terminal.CODE_FAILED)


def examine(policy: Policy, outside: Outside) -> Findings:
    try:
        with LocalPythonExecutor(policy=policy) as neighbour:
            mechanisms = neighbour.mechanisms()
            capabilities = [*capabilities_of(policy, mechanisms)]
            with_programs = all(each.held for each in capabilities if each.name == _PROGRAMS)
            return Findings(
                mechanisms=mechanisms,
                capabilities=capabilities,
                imports=[try_import(neighbour, name) for name in policy.imports if name != "*"],
                attempts=[
                    *(
                        make(attempt, policy, outside)
                        for attempt in ATTEMPTS
                        if with_programs or not attempt.with_programs
                    ),
                    ask(neighbour),
                ],
            )
    except SandboxFailed as error:
        return Findings(unavailable=str(error))


def make(attempt: Attempt, policy: Policy, outside: Outside) -> Outcome:
    """Make an attempt in a sandbox of its own. The sandbox is closed before the outcome is judged:
    some attempts are about what is left then."""
    if attempt.with_programs:
        policy = _with_programs(policy)
    try:
        with LocalPythonExecutor(policy=policy) as executor:
            executor.send_variables(outside.variables())
            execution = executor.run(attempt.code)
    except SandboxFailed as error:
        return Outcome(attempt.name, False, f"it cannot be tried: {error}")
    return judge(attempt, outside, execution)


def ask(neighbour: LocalPythonExecutor) -> Outcome:
    """Whether a sandbox that did nothing still works after all attempts."""
    execution = neighbour.run("6 * 7")
    held = execution.value == 42
    return Outcome(
        "disturb another sandbox",
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


def capabilities_of(policy: Policy, mechanisms: Sequence[Mechanism]) -> Iterable[Outcome]:
    """Use each capability in a sandbox that has it."""
    in_force = {mechanism.name for mechanism in mechanisms if mechanism.in_force}
    for name, enforcing in ENFORCED_BY.items():
        try:
            works, detail = _use(name, policy, in_force)
        except FumehoodError as error:
            works, detail = False, str(error)
        present = [each.replace(", ", "/") for each in enforcing if each in in_force]
        absent = [each.replace(", ", "/") for each in enforcing if each not in in_force]
        parts = [
            detail,
            f"enforced by {', '.join(present)}" if works and present else "",
            f"absent: {', '.join(absent)}" if absent else "",
        ]
        yield Outcome(name, works, "; ".join(part for part in parts if part))


def _use(name: str, policy: Policy, in_force: set[str]) -> tuple[bool, str]:
    """Whether the capability works here, and what it gives or why it does not work."""
    if name == _MEMORY:
        limited = "memory cgroup" in in_force
        return limited, "" if limited else "each process has its own limit only"
    with LocalPythonExecutor(policy=_with_programs(policy, name == _PROGRAMS)) as executor:
        if name == _FILES:
            executor.files.write("/home/user/file", "a")
            used = executor.run("open('/tmp/file', 'w').write('b'); open('file').read()")
            return used.value == "a", str(used.error or "/home/user and /tmp, in memory")
        if name == _BRANCHES:
            executor.run("kept = 1")
            undone = executor.run("kept = 2; import os; os.kill(os.getpid(), 9)")
            works = undone.rolled_back and executor.run("kept").value == 1
            return works, "of variables and files" if works else str(undone.error)
        which = executor.commands.run(["which", *PROGRAMS]).stdout.split()
        found = [name for name in PROGRAMS if any(path.endswith(f"/{name}") for path in which)]
        missing = ", ".join(name for name in PROGRAMS if name not in found)
        return bool(found), ", ".join(found) + (f"; not installed: {missing}" if missing else "")


def _with_programs(policy: Policy, programs: bool = True) -> Policy:
    return replace(policy, files=True, programs=programs)


# -- output


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
        "capabilities": [asdict(outcome) for outcome in findings.capabilities],
        "imports": [asdict(outcome) for outcome in findings.imports],
        "attempts": [asdict(outcome) for outcome in findings.attempts],
        "advice": advice(findings),
    }


_ERRNO = re.compile(r"\[Errno \d+\] ")
"""The words after the number say the same."""


# A row is good if it is in the first column. Absent mechanisms are no alarm: the others may be
# enough, as the attempts show.
_STYLES = {"in force": "green", "works": "green", "held": "green", "absent": "yellow"}


def sections(findings: Findings) -> dict[str, list[tuple[str, str, str]]]:
    """Rows of a verdict, a name and a detail, under their titles."""

    def rows(outcomes: Sequence[Outcome], good: str, bad: str) -> list[tuple[str, str, str]]:
        return [(good if o.held else bad, o.name, _first_line(o.stopped_by)) for o in outcomes]

    return {
        "isolation mechanisms": [
            ("in force" if m.in_force else "absent", m.name, m.detail) for m in findings.mechanisms
        ],
        "capabilities, each used in a sandbox that has it": rows(
            findings.capabilities, "works", "absent"
        ),
        "authorized modules, imported in a sandbox": rows(findings.imports, "works", "FAILS"),
        "escape attempts, and what stopped them": rows(findings.attempts, "held", "NOT HELD"),
    }


def _first_line(text: str) -> str:
    """Without the hints that an error of a cell has in further lines."""
    return _ERRNO.sub("", terminal.one_line(text.strip().split("\n", 1)[0]))


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
    modules = (
        f"; {failing} of {len(findings.imports)} modules cannot be imported" if failing else ""
    )
    absent = [outcome.name for outcome in findings.capabilities if not outcome.held]
    return f"{boundary}; {held}{modules}" + (
        f"; not possible: {', '.join(absent)}" if absent else ""
    )


def advice(findings: Findings) -> list[str]:
    if findings.unavailable:
        return [ADVICE_WITHOUT_A_JAIL]
    absent = [mechanism.name for mechanism in findings.mechanisms if not mechanism.in_force]
    return [text for words, text in ADVICE if any(words in name for name in absent)]


def lines(findings: Findings) -> Iterable[Text]:
    """What is printed. A good row takes one line; a bad row is shown completely."""
    yield Text(heading(), style="bold")
    for title, rows in sections(findings).items():
        if rows:
            yield Text(f"\n{title}", style="italic")
        width = max((len(name) for _verdict, name, _detail in rows), default=0)
        for word, name, detail in rows:
            good = _STYLES.get(word) == "green"
            yield Text.assemble(
                (f"  {word:<8}", _STYLES.get(word, "bold red")),
                f"  {name:<{width}}  ",
                (terminal.printable(detail), "dim" if good else ""),
                no_wrap=good,
                overflow="ellipsis",
            )
    style = "bold green" if findings.healthy else "bold red"
    yield Text(f"\n{terminal.one_line(verdict(findings))}", style=style)
    yield from (Text(f"advice: {text}") for text in advice(findings))


def as_text(findings: Findings) -> str:
    return "\n".join(line.plain.rstrip() for line in lines(findings))


def show(findings: Findings) -> None:
    console = terminal.console()
    for line in lines(findings):
        console.print(line, soft_wrap=False, no_wrap=line.no_wrap, overflow=line.overflow)
