"""`--audit FILE`: what run, repl and agent log when asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fumehood.audit import read, verify


def kinds(path: Path) -> list[str]:
    return [record.event for record in read(path)]


def test_a_program_is_logged(fumehood, tmp_path):
    done = fumehood("run", "-", "--audit", str(tmp_path / "log"), stdin="print(6 * 7)\n")
    assert (done.returncode, done.stdout) == (0, "42\n")
    assert kinds(tmp_path / "log") == [
        "LogOpened",
        "SessionOpened",
        "CellSubmitted",
        "CellFinished",
        "SessionClosed",
        "LogClosed",
    ]
    assert verify(tmp_path / "log").ok


def test_each_cell_of_a_session_is_logged_and_a_second_session_goes_on_in_the_same_file(
    fumehood, tmp_path
):
    for cell in ("x = 1\n", "1 / 0\n"):
        fumehood("repl", "--audit", str(tmp_path / "log"), stdin=cell)
    assert kinds(tmp_path / "log").count("CellFinished") == 2 and verify(tmp_path / "log").ok


def test_an_agent_is_logged(fumehood, tmp_path):
    (tmp_path / "turns").write_text(
        json.dumps({"fumehood recording": 1, "turns": ["```python\nfinal_answer(1)\n```"]})
    )
    done = fumehood(
        "agent",
        "Go.",
        "--replay",
        str(tmp_path / "turns"),
        "--audit",
        str(tmp_path / "log"),
        "--quiet",
    )
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr
    assert kinds(tmp_path / "log").count("AgentRunFinished") == 1


@pytest.mark.parametrize("where", ["no/such/directory/log", "."])
def test_a_log_that_cannot_be_written_is_one_line_and_nothing_runs(fumehood, tmp_path, where):
    done = fumehood("run", "-", "--audit", str(tmp_path / where), stdin="print('ran')\n")
    assert (done.returncode, done.stdout) == (2, "") and len(done.stderr.splitlines()) == 1
