"""`fumehood audit replay` on the command line: what it says and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fumehood import LocalPythonExecutor, Policy
from fumehood.audit.log import AuditLog
from fumehood.errors import JailUnavailable
from fumehood.executors import supervisor


@pytest.fixture
def record(tmp_path: Path, jail: None) -> Callable[..., Path]:
    def write(*codes: str, seed: int | None = 1) -> Path:
        with (
            AuditLog(tmp_path / "audit.jsonl") as log,
            LocalPythonExecutor(policy=Policy(seed=seed), audit=log) as executor,
        ):
            executor.send_tools({"double": lambda n: 2 * n})
            for code in codes:
                executor.run(code)
        return tmp_path / "audit.jsonl"

    return write


def test_the_same_is_exit_code_0(fumehood, record):
    done = fumehood("audit", "replay", record("x = double(4)", "print(x)\nx"))
    assert (done.returncode, done.stderr) == (0, "")
    first, *notes = done.stdout.splitlines()
    assert first == "same: 2 cells of 1 session did what the log says"
    assert notes == ["note: the policy fixed no clock: what code drew or read of it may differ"]


def test_a_difference_is_exit_code_1_and_shown(fumehood_here, record):
    done = fumehood_here(
        "audit", "replay", record("1", "import secrets\nprint(secrets.token_hex())", seed=None)
    )
    assert done.returncode == 1
    head, old, new, *_, last = [
        line for line in done.stdout.splitlines() if not line.startswith("note")
    ]
    assert head.startswith("cell 2 of session ") and ": logs (audit.jsonl, line " in head
    assert (old[:4], new[:4]) == ("  - ", "  + ")
    assert last.startswith(
        "different: 2 cells of 1 session ran again; the first difference is in cell 2 of session "
    )


def test_a_log_that_cannot_be_replayed_is_exit_code_2(fumehood_here, record):
    path = record("1")
    path.write_bytes(path.read_bytes().replace(b'"code":"1"', b'"code":"2"'))
    done = fumehood_here("audit", "replay", path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "the log is broken" in done.stderr
    assert fumehood_here("audit", "replay", "--force", path).returncode == 1


def test_no_isolation_is_exit_code_3(fumehood_here, record, monkeypatch):
    path = record("1")

    def refuse(policy: object) -> None:
        raise JailUnavailable("this kernel is from another century")

    monkeypatch.setattr(supervisor, "start_sandbox", refuse)
    done = fumehood_here("audit", "replay", path)
    assert (done.returncode, done.stdout, done.stderr) == (
        3,
        "",
        "fumehood: this kernel is from another century (fumehood doctor tells more)\n",
    )


def test_hostile_output_does_not_reach_the_terminal(fumehood_here, record):
    code = (
        "import secrets\nprint('\\x1b[2J\\x07' + secrets.token_hex())\n'\\x1b[2J' +"
        " secrets.token_hex()"
    )
    done = fumehood_here("audit", "replay", record(code, seed=None))
    assert done.returncode == 1
    assert not any(sign in done.stdout for sign in "\x1b\x07")
