"""Where the output goes is somebody else's business: it may be closed, full, or read no further."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMANDS = ["rules", "rules --json", "--help", "run {program}"]


@pytest.fixture
def shell(program):
    def run(command: str) -> subprocess.CompletedProcess[str]:
        words = command.format(
            program=program("print('one\\n' * 3)"), fumehood=f"{sys.executable} -m fumehood.cli"
        )
        return subprocess.run(["/bin/sh", "-c", words], capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_output_to_a_full_disk_is_one_line(shell, command):
    done = shell(f"{{fumehood}} {command} > /dev/full")
    assert (done.returncode, done.stderr) == (
        1,
        "fumehood: the output could not be written: No space left on device\n",
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_output_that_is_closed_is_for_nobody(shell, command):
    done = shell(f"{{fumehood}} {command} >&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_errors_that_are_closed_are_for_nobody(shell, command):
    done = shell(f"{{fumehood}} {command} 2>&-")
    assert done.returncode == 0 and done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_output_that_nobody_reads_is_no_error_to_speak_of(shell, command):
    assert shell(f"{{fumehood}} {command} | true").stderr == ""
