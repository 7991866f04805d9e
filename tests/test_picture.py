"""The picture of the README is what an agent's run looks like now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"


@pytest.mark.long
def test_the_stored_picture_is_what_the_run_draws_now(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    drawn = tmp_path / "drawn.svg"
    done = subprocess.run(
        [sys.executable, str(PICTURES / "agent_run.py"), str(drawn)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "JailUnavailable" in done.stderr:
        pytest.skip(f"no jail here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    assert drawn.read_text() == (PICTURES / "agent_run.svg").read_text(), (
        "it looks different now: `make picture`, and look at it"
    )
