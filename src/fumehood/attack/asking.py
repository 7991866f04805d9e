"""The other end of a host process (host.py): start it, ask for programs, close it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from fumehood.attack.canaries import ENVIRONMENT_VARIABLE, canary
from fumehood.attack.configurations import Configuration
from fumehood.attack.outcomes import Outcome

# Ample: a host that takes this long hangs.
DEADLINE_SECONDS = 45.0
# A container is made first, and its image perhaps.
START_SECONDS = 600.0
_MOST_COMPLAINTS = 2000


class HostDied(Exception):
    """The host process ended or fell silent during a program."""


class HostNeverBegan(Exception):
    """There is no host for this configuration: what it said."""


class AskedHost:
    """A host process. After HostDied it is closed."""

    def __init__(
        self, arguments: Sequence[str], deadline: float = DEADLINE_SECONDS, **environment: str
    ) -> None:
        """`arguments` are those of Python."""
        self._deadline = deadline
        # A file and not a pipe: nobody reads it meanwhile.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            cwd="/",
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "PYTHONWARNINGS": "ignore",
                "PYTHONDONTWRITEBYTECODE": "1",
                ENVIRONMENT_VARIABLE: canary("environment"),
                **environment,
            },
            start_new_session=True,  # Ctrl-C is for whoever asks
        )
        if not self._answer(START_SECONDS).get("ready"):
            raise HostNeverBegan(self._last_words())

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def run(self, name: str) -> Outcome:
        """What became of the program. HostDied if the host did not answer, HostNeverBegan if what
        it attacks could not be started."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(name.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it is over, and the answer says so
        answer = self._answer(self._deadline)
        if "died" in answer:
            self.close(patience=0)
            raise HostDied(answer["died"])
        if "never" in answer:
            self.close(patience=0)
            raise HostNeverBegan(answer["never"])
        return Outcome(**answer)

    def _answer(self, seconds: float) -> dict[str, Any]:
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        line = self._process.stdout.readline() if ready else b""
        if line:
            return dict(json.loads(line))
        if not ready:
            self._process.kill()
        code = self._process.wait(timeout=10)
        ended = f"the host ended with {code}: {self._last_words()}"
        return {"died": ended if ready else "the host fell silent and was ended"}

    def _last_words(self) -> str:
        self._complaints.seek(0)
        text = self._complaints.read()[-_MOST_COMPLAINTS:].decode(errors="replace")
        lines = text.strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def end(self) -> None:
        """End it at once, from any thread; whoever waits for an answer gets HostDied. What it
        started ends with it."""
        self._process.kill()

    def close(self, patience: float = 10.0) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(timeout=patience)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._complaints.close()


def ask_for(configuration: Configuration) -> AskedHost:
    """A host process of a configuration, in the same place as this one."""
    times = 3 if configuration.place == "docker" else 1  # a flood takes longer by a tunnel
    arguments = ["-m", "fumehood.attack.host", json.dumps(configuration.as_data())]
    return AskedHost(arguments, times * DEADLINE_SECONDS)
