"""A newcomer on a bare machine gets through with the README's two commands. tests/newcomer.sh is
the newcomer."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("newcomer.sh")
NOT_TRIED = 77


@pytest.mark.long
def test_two_commands_are_enough_on_a_bare_machine() -> None:
    """Some of the tests stand for all of them: they are run anyway, and what is new here is the
    machine."""
    if not os.environ.get("NEWCOMER"):
        pytest.skip("takes minutes and downloads a bare machine; set NEWCOMER=1")
    environment = {
        **os.environ,
        "PYTEST_ARGS": "tests/wire tests/executors/test_local.py -m 'not long'",
    }
    done = subprocess.run([SCRIPT], capture_output=True, text=True, check=False, env=environment)
    if done.returncode == NOT_TRIED:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "the chart is in sales-chart.png" in done.stdout
    assert " passed" in done.stdout and "no jail" not in done.stdout


def test_a_newcomer_who_is_not_root_is_told_so_and_that_is_no_failure() -> None:
    """What the script needs it says in a line, with the exit code that means it was not tried."""
    other = ["setpriv", "--reuid", "65534", "--clear-groups"] if os.getuid() == 0 else []
    # By its text: somebody else may not be able to read this checkout.
    done = subprocess.run(
        [*other, "bash", "-s"],
        input=SCRIPT.read_text(),
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    assert (done.returncode, done.stderr) == (
        NOT_TRIED,
        "newcomer.sh: only root can make a bare root and move into it\n",
    )
