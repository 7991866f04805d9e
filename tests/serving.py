"""A real `fumehood serve`, in a process of its own, for tests that talk to it over loopback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_READY = re.compile(r"fumehood: listening on (http://\S+:(\d+))")


@dataclass
class Served:
    """A server that runs."""

    process: subprocess.Popen[str]
    url: str
    port: int
    key: str
    """A key that it knows; empty if it needs none."""
    stderr: Path

    @property
    def headers(self) -> dict[str, str]:
        return {"X-API-Key": self.key} if self.key else {}

    def end(self, how: int = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; gives the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(60)


@contextmanager
def served(
    directory: Path,
    *arguments: str,
    keys: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    log: str | None = None,
    before_exec: Callable[[], None] | None = None,
) -> Iterator[Served]:
    """A server on a free port, with these keys and arguments, that keeps what it must in the
    directory. It is over afterwards."""
    stderr = directory / "stderr.txt"
    env = {
        **os.environ,
        **(environment or {}),
        "FUMEHOOD_API_KEYS": ",".join(keys),
        "TMPDIR": str(directory),
    }
    command = [
        sys.executable,
        "-m",
        "fumehood.cli",
        "serve",
        "--port",
        "0",
        "--log",
        log or str(directory / "access.jsonl"),
        *arguments,
    ]
    with stderr.open("w") as errors:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=env,
            preexec_fn=before_exec,
        )
    try:
        assert process.stdout is not None
        found = None
        for line in process.stdout:
            found = _READY.match(line)
            if found:
                break
        assert found is not None, f"the server did not start: {stderr.read_text()}"
        yield Served(process, found[1], int(found[2]), keys[0] if keys else "", stderr)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(60)
        assert process.stdout is not None
        process.stdout.close()
