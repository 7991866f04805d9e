"""A warm process that forks once per attempt: plainly, by `exec`, or guarded, as fumehood.attack
does it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import Program, read
from fumehood.attack.host import take_standard_output
from fumehood.attack.inline import InlineRuns, attempt, in_a_child, note_text
from fumehood.attack.outcomes import Outcome


class AttemptServer:
    """The test's end: start it, ask for attempts, close it."""

    def __init__(self) -> None:
        package = Path(__file__).parent
        # Named by place and not by import: how pytest named this module depends on its import mode.
        start = f"from {package.name}.{Path(__file__).stem} import serve; serve()"
        paths = os.pathsep.join([str(package.parent), *filter(None, sys.path)])
        self._process = subprocess.Popen(
            [sys.executable, "-c", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONWARNINGS": "ignore"},
            text=True,
        )

    def attempt(self, name: str, how: str) -> Outcome:
        """Run program `name` in a fresh child. RuntimeError if the child died or had to be
        killed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"name": name, "how": how}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "died" in answer:
            raise RuntimeError(f"{name}, {how}: {answer['died']}")
        return Outcome(**answer)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)


def serve() -> None:
    """Answer requests on stdin, one JSON line each, until it closes."""
    answers = take_standard_output()
    runs = InlineRuns(Configuration("inline"), Path("/nowhere"))
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = _answer(read(request["name"]), request["how"], runs).as_data()
        except Exception:
            answer = {"died": traceback.format_exc()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _answer(program: Program, how: str, runs: InlineRuns) -> Outcome:
    if how == "guarded":
        return runs.run(program)
    runs.prepare({*program.imports})
    return in_a_child(lambda: attempt(program, _run_plain, None))


def _run_plain(
    program: Program, session: tuple[str, ...], given: dict[str, Any], outcome: Outcome
) -> None:
    namespace = {"__name__": "escape_program", **given}
    for number, cell in enumerate(session, 1):
        try:
            exec(
                compile(cell, f"{program.name} cell {number}", "exec", dont_inherit=True), namespace
            )
        except BaseException as error:  # SystemExit too: the run goes on to its verdict
            outcome.error = f"{type(error).__name__}: {error}"
            note_text(outcome, "traceback", traceback.format_exc())
