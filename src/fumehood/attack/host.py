"""The host process that programs are run from: it holds the canaries and the executors, and tells
what became of them.

What a program may break is its own sandbox. If this process breaks, that is a finding, and whoever
asked (asking.py) makes it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TextIO

from fumehood.attack.asking import HostNeverBegan
from fumehood.attack.canaries import adopt_orphans
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import Program, read
from fumehood.attack.outcomes import Outcome


class Runs(Protocol):
    def run(self, program: Program) -> Outcome: ...

    def close(self) -> None: ...


def main() -> None:
    """Be the host of the configuration that the first argument tells."""
    configuration = Configuration.from_data(json.loads(sys.argv[1]))
    adopt_orphans()
    # Readable by everybody, as most of what a host has is.
    with tempfile.TemporaryDirectory(prefix="fumehood-attack-") as directory:
        Path(directory).chmod(0o755)
        runs = runs_of(configuration, Path(directory))
        answer_requests(lambda name: runs.run(read(name)))
        runs.close()


def runs_of(configuration: Configuration, directory: Path, mount_token: str | None = None) -> Runs:
    from fumehood.attack import inline, sandboxed  # late: a host has one of them

    if configuration.place == "inline":
        return inline.InlineRuns(configuration, directory)
    if configuration.place == "docker":
        return sandboxed.ContainedRuns(configuration, directory, mount_token)
    return LocalRuns(configuration, directory, mount_token)


class LocalRuns:
    """Programs of sandboxes, and those of clients, which attack a server that has such
    sandboxes."""

    def __init__(
        self, configuration: Configuration, directory: Path, mount_token: str | None = None
    ) -> None:
        from fumehood.attack.sandboxed import SandboxedRuns
        from fumehood.attack.server.runs import ServerRuns

        self._sandboxed = SandboxedRuns(configuration, directory, mount_token)
        self._served = ServerRuns(configuration, directory)

    def run(self, program: Program) -> Outcome:
        if program.is_of_a_client:
            return self._served.run(program)
        self._served.close()  # whose processes are not what a program leaves behind
        return self._sandboxed.run(program)

    def close(self) -> None:
        self._served.close()
        self._sandboxed.close()


def answer_requests(run: Callable[[str], Outcome]) -> None:
    """Answer requests on stdin, a program's name per line, until it closes."""
    answers = take_standard_output()
    answers.write(json.dumps({"ready": True}) + "\n")
    answers.flush()
    for line in sys.stdin:
        try:
            answer = run(line.strip()).as_data()
        except HostNeverBegan as error:
            answer = {"never": str(error)}
        except Exception:
            answer = {"died": traceback.format_exc()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def take_standard_output() -> TextIO:
    """A stream to whoever asked. What anybody else prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


if __name__ == "__main__":
    main()
