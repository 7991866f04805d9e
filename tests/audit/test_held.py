"""The line that is kept back for a moment: it is one, in its place, and there for whoever looks."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fumehood.audit import AuditLog, held, read, verify
from fumehood.events import CellFinished, CellSubmitted
from fumehood.results import Execution


def finished(value: Any = None, cell: int = 1) -> CellFinished:
    return CellFinished(at=time.time(), session="s", cell=cell, execution=Execution(value=value))


def submitted(cell: int = 1) -> CellSubmitted:
    return CellSubmitted(at=time.time(), session="s", cell=cell, code="1")


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n")


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes to write what is kept back, be it for the log of another test, does nothing."""
    monkeypatch.setattr(held, "release_all", lambda: None)


@pytest.mark.usefixtures("asleep")
def test_one_line_is_kept_back_and_the_next_event_brings_it(path: Path) -> None:
    with AuditLog(path) as log:
        log(submitted())
        before = lines_in(path)
        log(finished(1))
        assert lines_in(path) == before and log.has_held
        log(finished(2))
        assert lines_in(path) == before + 2, "it is never more than one"
        log(finished(3))
        log(submitted(2))
        assert lines_in(path) == before + 4 and not log.has_held
    assert [
        record.fields["execution"]["value"]
        for record in read(path)
        if record.event == "CellFinished"
    ] == [1, 2, 3]
    assert verify(path).ok


@pytest.mark.usefixtures("asleep")
@pytest.mark.parametrize("look", ["read", "verify", "last_hash", "flush", "close"])
def test_whoever_looks_finds_it(path: Path, look: str) -> None:
    log = AuditLog(path)
    log(submitted())
    log(finished(1))
    if look == "read":
        assert [record.event for record in read(path)][-1] == "CellFinished"
    elif look == "verify":
        assert verify(path).lines == 3
    else:
        getattr(log, look)() if look != "last_hash" else log.last_hash
    assert not log.has_held and lines_in(path) == (4 if look == "close" else 3)
    log.close()


@pytest.mark.usefixtures("asleep")
@pytest.mark.parametrize("value", [[1], {"a": 1}, object()])
def test_what_may_change_is_written_at_once(path: Path, value: Any) -> None:
    with AuditLog(path) as log:
        log(submitted())
        log(finished(value))
        assert lines_in(path) == 3


def test_the_end_of_the_program_writes_it(path: Path) -> None:
    code = (
        "import sys, time\n"
        "from fumehood.audit import AuditLog, held\n"
        "from fumehood.events import CellFinished\n"
        "from fumehood.results import Execution\n"
        "held.is_awake = True\n"
        "log = AuditLog(sys.argv[1])\n"
        "log(CellFinished(at=time.time(), execution=Execution(value=1)))\n"
        "log(CellFinished(at=time.time(), execution=Execution(value=2)))\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert [record.event for record in read(path)] == [
        "LogOpened",
        "CellFinished",
        "CellFinished",
        "LogClosed",
    ]


@pytest.mark.usefixtures("asleep")
def test_one_that_cannot_be_written_is_reported_and_counted(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = AuditLog(path)
    log(submitted())
    log(finished(1))
    real = os.write
    with monkeypatch.context() as patched:
        patched.setattr(
            os, "write", lambda *args: (_ for _ in ()).throw(OSError(28, "No space left on device"))
        )
        with pytest.warns(RuntimeWarning, match="No space left"):
            log.release()
    assert os.write is real
    log(submitted(2))
    log.close()
    gaps = [record.fields["events"] for record in read(path) if record.event == "LogGap"]
    assert gaps == [1] and verify(path).ok
