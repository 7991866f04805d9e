"""Runs modules of CPython's tests in the jail and in plain CPython as the user of a sandbox."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from fumehood import Limits, LocalPythonExecutor, Policy
from fumehood.jail.enter import NOBODY

MODULE_SECONDS = 900.0
_COLLECTOR = Path(__file__).with_name("collector.py").read_text(encoding="utf-8")
_MARK = "@cpython@"
_POLICY = Policy.full(
    limits=Limits(
        cell_seconds=MODULE_SECONDS,
        grace_seconds=5.0,
        memory_bytes=3 << 30,
        lab_bytes=1 << 30,
        file_bytes=8 << 30,
        lab_files=100_000,
        processes=512,
        open_files=1024,
        output_characters=1 << 26,
        output_bytes=1 << 28,
    ),
)


class Outcome(NamedTuple):
    name: str
    """"pass", "fail", "error" or "skip"."""
    used: tuple[str, ...]
    """"network" if the test opens a network socket."""
    detail: str


@dataclass(frozen=True)
class Difference:
    """A test that passes in plain CPython and not in the jail."""

    test: str
    outcome: str
    detail: str


@dataclass(frozen=True)
class Compared:
    """What one module's tests gave. `counted` and `excluded` are those that pass in plain
    CPython; excluded ones open network sockets there."""

    module: str
    counted: int
    excluded: int
    differences: tuple[Difference, ...]
    ending: str
    """How the module's run in the jail ended early, or an empty string."""

    @property
    def passed(self) -> int:
        return self.counted - len(self.differences)


def compare(modules: Iterable[str]) -> Iterator[Compared]:
    """Run those modules that this Python has, two at a time."""
    modules = [
        module
        for module in modules
        if module.startswith("test_multiprocessing_") or find_spec(f"test.{module}") is not None
    ]
    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(_compare, modules)


def _compare(module: str) -> Compared:
    plain, _ending = _rows(_run_plain(module))
    passing = {test: row for test, row in plain.items() if row.name == "pass"}
    left_out = {test for test, row in plain.items() if row.used}
    jailed, ending = _rows(_run_jailed(module, left_out))
    counted = [test for test, row in passing.items() if not row.used]
    missing = Outcome("missing", (), ending)
    differences = tuple(
        Difference(test, row.name, row.detail)
        for test in counted
        if (row := jailed.get(test, missing)).name != "pass"
    )
    return Compared(module, len(counted), len(passing) - len(counted), differences, ending)


def _rows(output: tuple[str, str]) -> tuple[dict[str, Outcome], str]:
    """The outcomes in the output of a collector, and how it ended if that was early."""
    text, ending = output
    rows: dict[str, Outcome] = {}
    for line in text.splitlines():
        if not line.startswith(_MARK):
            continue
        row = json.loads(line.removeprefix(_MARK))
        if row is None:
            return rows, ""
        test, outcome, used, detail = row
        rows[test] = Outcome(outcome, tuple(used), detail)
    return rows, ending or "the run ended early"


def _run_jailed(module: str, left_out: set[str]) -> tuple[str, str]:
    """Tests that open network sockets are left out: some wait for them for ever."""
    with LocalPythonExecutor(policy=_POLICY) as executor:
        execution = executor.run(_COLLECTOR + f"\ncollect({module!r}, {left_out!r})\n")
    error = execution.error
    return execution.logs, f"{execution.fault}: {error}"[-600:]


def _run_plain(module: str) -> tuple[str, str]:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        code = _COLLECTOR + f"\ncollect({module!r})\n"
        command = [sys.executable, "-B", "-c", code]
        environment = {"HOME": place, "TMPDIR": place, "PATH": os.defpath, "LC_ALL": "C.UTF-8"}
        if os.geteuid() == 0:
            os.chown(place, NOBODY, NOBODY)
            command = ["unshare", "--mount", "sh", "-c", _AS_NOBODY, "sh", *command]
            environment["PREFIXES"] = f"{sys.base_prefix} {sys.prefix}"
        try:
            done = subprocess.run(
                command,
                cwd=place,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=MODULE_SECONDS,
            )
        except subprocess.TimeoutExpired as slow:
            return (slow.stdout or b"").decode(errors="replace"), "timeout"
    return done.stdout.decode(errors="replace"), f"exit code {done.returncode}"


# Python may be below a directory that only root can enter: a mount namespace shows it alone there.
_AS_NOBODY = f"""
set -e
for prefix in $PREFIXES; do
    top=/$(echo "$prefix" | cut -d/ -f2)
    if [ "$(stat -c %a "$top" | tail -c 2)" -lt 5 ]; then
        mkdir prefix
        mount --bind "$prefix" prefix
        mount -t tmpfs -o mode=755 none "$top"
        mkdir -p "$prefix"
        mount --bind prefix "$prefix"
        umount prefix
        rmdir prefix
    fi
done
exec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups -- "$@"
"""
