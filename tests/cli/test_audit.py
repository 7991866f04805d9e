"""`fumehood audit` over logs that a real AuditLog wrote: verify, stats and export."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood import CodeAgent, ReplayModel
from fumehood.audit.log import AuditLog
from fumehood.events import CellFinished, CellSubmitted, Event
from fumehood.results import Execution

COMMANDS = ("verify", "show", "stats", "replay", "export")


def cell(number: int, code: str = "x = 1", session: str = "5e55", **execution: Any) -> list[Event]:
    return [
        CellSubmitted(at=1_700_000_000.0 + number, session=session, cell=number, code=code),
        CellFinished(
            at=1_700_000_000.5 + number,
            session=session,
            cell=number,
            execution=Execution(**execution),
        ),
    ]


@pytest.fixture
def log(tmp_path: Path) -> Callable[..., Path]:
    """Writes a log of events."""

    def write(*events: Event, name: str = "audit.jsonl", **options: Any) -> Path:
        with AuditLog(tmp_path / name, **options) as made:
            for event in events:
                made(event)
        return tmp_path / name

    return write


@pytest.fixture
def agent_log(tmp_path: Path) -> Path:
    turns = [
        "Look.\n```python\nimport math\nprint(math.pi)\n```",
        "```python\n1/0\n```",
        "```python\nfinal_answer(42)\n```",
    ]
    with AuditLog(tmp_path / "agent.jsonl") as made:
        agent = CodeAgent(tools=[], model=ReplayModel(turns), executor_type="inline", audit=made)
        agent.run("What is it?")
        agent.close()
    return tmp_path / "agent.jsonl"


# -- all of them


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_not_there_is_one_line(fumehood_here, command):
    done = fumehood_here("audit", command, "none.jsonl")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "none.jsonl" in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "content",
    [b"", b"\0\xff\x1b[2J", b"{}\n", b"hello\n" * 3, b"[" * 100_000 + b"\n", b'{"n":1}\n'],
)
def test_a_file_that_is_no_log_is_a_few_clear_lines_and_never_a_traceback(
    fumehood_here, tmp_path, command, content
):
    (tmp_path / "odd.jsonl").write_bytes(content)
    done = fumehood_here("audit", command, "odd.jsonl")
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stdout + done.stderr
    assert not any(sign in done.stdout + done.stderr for sign in "\x1b\0\x07")
    assert len((done.stdout + done.stderr).splitlines()) < 25


# -- verify


def test_an_intact_log_is_ok(fumehood, log):
    done = fumehood("audit", "verify", log(*cell(1)))
    assert (done.returncode, done.stderr) == (0, "")
    first, last = done.stdout.splitlines()
    assert first.endswith("audit.jsonl: ok (4 lines, sealed)")
    assert last.startswith("  last hash ")


def test_the_first_broken_line_is_pointed_at(fumehood_here, log):
    path = log(*cell(1), *cell(2))
    path.write_bytes(path.read_bytes().replace(b'"code":"x = 1"', b'"code":"x = 2"'))
    done = fumehood_here("audit", "verify", path)
    assert done.returncode == 1
    assert "broken" in done.stdout.splitlines()[0]
    assert "audit.jsonl, line 2: " in done.stdout.splitlines()[1]


def test_a_keyed_log_needs_its_key(fumehood, log, tmp_path):
    path = log(*cell(1), key="secret")
    (tmp_path / "key").write_text("secret\n")
    (tmp_path / "wrong").write_text("other\n")
    assert fumehood("audit", "verify", path, "--key-file", "key").returncode == 0
    assert (
        fumehood("audit", "verify", path, environment={"FUMEHOOD_AUDIT_KEY": "secret"}).returncode
        == 0
    )
    assert fumehood("audit", "verify", path, "--key-file", "wrong").returncode == 1
    without = fumehood("audit", "verify", path)
    assert without.returncode != 0 and "key" in without.stdout + without.stderr


@pytest.mark.parametrize(
    ("content", "why"), [(None, "cannot be read"), (b"", "is empty"), (b"x" * 100_000, "too long")]
)
def test_a_key_that_is_none_is_one_line(fumehood_here, log, tmp_path, content, why):
    if content is not None:
        (tmp_path / "key").write_bytes(content)
    done = fumehood_here("audit", "verify", log(*cell(1)), "--key-file", "key")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert why in done.stderr


def test_a_hash_that_was_kept_elsewhere_finds_a_log_that_was_written_anew(fumehood_here, log):
    path = log(*cell(1), *cell(2))
    kept = json.loads(fumehood_here("audit", "verify", path, "--json").stdout)[0]["last_hash"]
    assert fumehood_here("audit", "verify", path, "--expect", kept).returncode == 0
    path.unlink()
    done = fumehood_here("audit", "verify", log(*cell(1), *cell(2, code="y = 2")), "--expect", kept)
    assert done.returncode == 1 and "written anew" in done.stdout
    done = fumehood_here("audit", "verify", path, path, "--expect", kept)
    assert (done.returncode, done.stdout) == (2, "") and "one file" in done.stderr


# -- stats


def test_stats_show_each_run_and_the_metrics_over_all(fumehood_here, agent_log, log):
    done = fumehood_here(
        "audit", "stats", agent_log, log(*cell(1, imports=("re",), fault="timeout"))
    )
    assert done.returncode == 0
    assert "What is it?" in done.stdout
    head = next(line for line in done.stdout.splitlines() if line.startswith("run "))
    assert head.split() == ["run", "task", "ended", "steps", "tokens", "time", "errors", "cells"]
    row = done.stdout.splitlines()[1]
    assert " success " in row and row.split()[-1] == "3"
    for words in (
        "median",
        "p95",
        "faults: timeout 1",
        "imports: ",
        "outside of runs: 1",
        "tools: none",
    ):
        assert words in done.stdout


def test_stats_as_json_have_the_specification_s_names(fumehood_here, agent_log):
    found = json.loads(fumehood_here("audit", "stats", "--json", agent_log).stdout)
    (run,) = found["runs"]
    assert (run["steps_used"], run["error_count"], run["code_cells"], run["imports_used"]) == (
        3,
        1,
        3,
        {"math": 1},
    )
    assert found["total"]["total_tokens"] == run["total_tokens"] > 0


# -- export


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ([], "agent_logs.json"),
        (["--out", "x.csv"], "x.csv"),
        (["-o", "x", "--format", "jsonl"], "x"),
    ],
)
def test_export_writes_the_entries(fumehood_here, agent_log, tmp_path, options, name):
    done = fumehood_here("audit", "export", agent_log, *options)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "",
        f"fumehood: 1 entry written to {name}\n",
    )
    assert "What is it?" in (tmp_path / name).read_text()
