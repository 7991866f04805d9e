"""The host process that attacks are run from in a container: it holds the canaries, a container, and the executors in it.

As tests/jail/attack_child.py, whose runs these are; only where they run is another.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from jail import identities
from jail.attack_child import JailedRuns, policy
from jail.canaries import canary
from jail.corpus import read


def serve() -> None:
    """Answer requests on stdin, an attack's name per line, until it closes."""
    _, base, directory = sys.argv
    token = canary("mount")
    if os.geteuid() == 0:
        identities.prepare("root", Path(directory), token)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    host = ContainedRuns(base, Path(directory), token)
    for line in sys.stdin:
        try:
            answer = host.run(read(line.strip()))
        except Exception:
            answer = {"died": traceback.format_exc()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    host.close()


class ContainedRuns(JailedRuns):
    """Runs attacks in sandboxes of one container, beside a neighbour in it that must not notice."""

    def __init__(self, base: str, directory: Path, mount_token: str) -> None:
        from fumehood.executors.containers import DockerContainer

        self._container = DockerContainer(base=base, sandboxes=3)
        super().__init__(directory, mount_token)

    def executor(self, limits: dict[str, float], **more: Any) -> Any:
        from fumehood import DockerExecutor

        return DockerExecutor(policy=policy(limits), on_fault="keep", container=self._container, **more)

    def processes(self) -> Counter[str]:
        from fumehood.docker.engine import connect

        told = connect().ask("GET", f"/containers/{self._container.id}/top", {"ps_args": "-eo pid,comm"})
        return Counter(row[-1] for row in told["Processes"])

    def close(self) -> None:
        super().close()
        self._container.close()
