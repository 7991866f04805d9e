from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fumehood.cli.app import app
from fumehood.errors import JailUnavailable
from fumehood.executors import supervisor
from fumehood.executors.local import LocalPythonExecutor

PATIENCE_SECONDS = 120
"""After this, silence is a failure and not a slow machine. Nothing is measured by it."""

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def fumehood(tmp_path: Path) -> Command:
    """Runs the real command in a process of its own, in an empty directory and with a home of its
    own."""

    def call(
        *arguments: str | Path,
        stdin: str | bytes = "",
        environment: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "fumehood.cli", *map(str, arguments)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env={
                **os.environ,
                "HOME": str(tmp_path),
                "XDG_STATE_HOME": "",
                "COLUMNS": "100",
                **(environment or {}),
            },
            check=False,
            timeout=PATIENCE_SECONDS,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return call


@pytest.fixture
def fumehood_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The same command in this process: quicker, as one zygote serves all tests, and for commands
    that run nothing."""

    def call(*arguments: str | Path, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(
            sys, "path", [*sys.path]
        )  # the agent's tools may be beside where one works
        done = CliRunner().invoke(app, [*map(str, arguments)], input=stdin, catch_exceptions=False)
        return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)

    return call


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Writes a program to a file."""

    def write(content: str | bytes, name: str = "program.py") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture(scope="session")
def jail() -> None:
    """For tests that need the jail; skips them where there is none."""
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as error:
        pytest.skip(f"no jail on this machine: {error}")


@pytest.fixture
def no_jail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that cannot give one. Only for commands in this process."""

    def refuse(policy: object) -> None:
        raise JailUnavailable("this kernel is from another century. Use DockerExecutor")

    monkeypatch.setattr(supervisor, "start_sandbox", refuse)
