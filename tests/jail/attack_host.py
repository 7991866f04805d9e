"""The test's end of a host process: start it, ask for attacks, close it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from . import attack_child
from .canaries import ENVIRONMENT_VARIABLE, canary

# Ample: a host that takes this long hangs.
DEADLINE_SECONDS = 45


class HostDied(Exception):
    """The host process ended or fell silent during an attack."""


class AttackHost:
    """The test's end: start it, ask for attacks, close it. After HostDied it is closed."""

    def __init__(self, identity: str, start: str | None = None, deadline: float = DEADLINE_SECONDS) -> None:
        """`start` is a program that begins a host of another sort; it finds the identity and a directory for canaries in its arguments."""
        self.has_answered = False
        self._deadline = deadline
        self._directory = tempfile.TemporaryDirectory(prefix="fumehood-attack-")
        Path(self._directory.name).chmod(0o755)
        package = Path(__file__).parent
        start = start or f"from {package.name}.{Path(attack_child.__file__).stem} import become; become()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", start, identity, self._directory.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd="/",
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(package.parent), *filter(None, sys.path)]),
                "PYTHONWARNINGS": "ignore",
                "PYTHONDONTWRITEBYTECODE": "1",
                ENVIRONMENT_VARIABLE: canary("environment"),
            },
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def run(self, name: str) -> dict[str, Any]:
        """What became of the attack. HostDied if the host did not answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(name.encode() + b"\n")
            self._process.stdin.flush()
            ready, _, _ = select.select([self._process.stdout], [], [], self._deadline)
            line = self._process.stdout.readline() if ready else b""
        except BrokenPipeError:
            ready, line = [self._process.stdout], b""
        if not line:
            self.close(patience=0 if not ready else 10)
            raise HostDied(f"{name}: the host {f'ended with {self._process.returncode}' if ready else 'fell silent and was killed'}")
        self.has_answered = True
        answer: dict[str, Any] = json.loads(line)
        if "died" in answer:
            raise HostDied(f"{name}: {answer['died']}")
        return answer

    def leave_running(self) -> list[int]:
        """Have the host run a cell that never ends; the processes that then exist below the host."""
        pids: list[int] = self.run(attack_child.ENDLESS)["pids"]
        return pids

    def kill(self) -> None:
        """End the host as a crash would: it can do nothing more for what it started."""
        self._process.kill()
        self._process.wait()

    def close(self, patience: float = 10) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            self._process.wait(timeout=patience)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._directory.cleanup()
