"""A bench on which command lines are run by the shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import fumehood


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


class Bench:
    def __init__(self) -> None:
        source = str(Path(fumehood.__file__).parents[1])
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("bench.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": source, "PATH": os.environ["PATH"]},
            text=True,
        )

    def run(self, line: str, home: Path, **more: Any) -> Outcome:
        """What comes of a command line in a directory. `roots` are the places it may reach;
        without, all."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"line": line, "home": str(home), **more}) + "\n")
        self._process.stdin.flush()
        return Outcome(**json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.close()
