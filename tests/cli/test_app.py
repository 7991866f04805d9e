"""The command as a whole: version, help, usage, and what happens without its extra."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from fumehood.cli.app import app


def test_help_names_every_command():
    shown = CliRunner().invoke(app, ["--help"])
    assert shown.exit_code == 0
    for command in ("run", "agent", "check", "rules", "repl", "doctor", "audit", "docker"):
        assert f" {command} " in shown.stdout


@pytest.mark.parametrize(
    "arguments", [["run"], ["walk"], ["run", "--fast", "-"], ["check", "a", "b"]]
)
def test_wrong_usage_is_exit_code_2(arguments):
    shown = CliRunner().invoke(app, arguments)
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert "Usage:" in shown.stderr


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra_one_line_says_what_to_install(missing, tmp_path):
    # A module that is not there, whatever is installed: an import hook stands in for an environment
    # without it.
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules[{missing!r}] = None\n")
    done = subprocess.run(
        [sys.executable, "-m", "fumehood.cli", "--version"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == f"fumehood: the command line needs {missing}: pip install 'fumehood[cli]'\n"
    )


def test_the_library_does_not_import_the_command_line():
    program = (
        "import sys, fumehood.executors.local\nprint([m for m in sys.modules if m in ('typer',"
        " 'rich')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
