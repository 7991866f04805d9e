"""A full file is followed by another: the chain goes on, whatever happens in between."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fumehood.audit import AuditLog, files_of, read, verify
from fumehood.errors import ObserverFailed
from fumehood.events import CellSubmitted

Submitted = Callable[..., CellSubmitted]


def codes(path: Path) -> list[str]:
    return [record.fields["code"] for record in read(path) if record.event == "CellSubmitted"]


def test_a_full_file_is_followed_by_another_and_the_chain_goes_on(
    path: Path, submitted: Submitted
) -> None:
    with AuditLog(path, rotate_bytes=4096) as log:
        for number in range(100):
            log(submitted(str(number)))
    files = files_of(path)
    assert [file.name for file in files[:2]] == ["audit.jsonl.000001", "audit.jsonl.000002"]
    assert files[-1] == path and len(files) > 5
    assert all(file.stat().st_size < 4096 + 1000 for file in files)
    assert codes(path) == [str(number) for number in range(100)]
    checked = verify(path)
    assert checked.ok and checked.files == tuple(files)
    assert [record.number for record in read(path)] == [*range(1, checked.lines + 1)]


def test_only_so_many_full_files_are_kept(path: Path, submitted: Submitted) -> None:
    with AuditLog(path, rotate_bytes=4096, keep_files=2) as log:
        for _ in range(100):
            log(submitted())
    assert len(files_of(path)) == 3
    checked = verify(path)
    assert checked.ok and checked.removed > 3 and "older files are not kept" in str(checked)


def test_a_log_of_several_files_is_gone_on_with(path: Path, submitted: Submitted) -> None:
    for _ in range(3):
        with AuditLog(path, rotate_bytes=4096, key="k") as log:
            for _ in range(30):
                log(submitted())
    assert verify(path, "k").ok
    assert len(codes(path)) == 90


@pytest.mark.parametrize("step", ["before the names", "between the names", "without a link"])
def test_a_crash_while_the_file_is_changed_loses_nothing(
    path: Path, submitted: Submitted, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    class Crash(BaseException):
        pass

    def crash(*_: object) -> None:
        raise Crash

    with AuditLog(path) as log:
        for number in range(5):
            log(submitted(str(number)))
        file = log._file
        assert file is not None
        before = path.read_bytes()
        with monkeypatch.context() as patch:
            if step == "between the names":
                patch.setattr(os, "rename", crash)
            else:
                patch.setattr(os, "link", crash)
            with pytest.raises(Crash):
                file._turn()
        if step == "without a link":
            path.rename(path.with_name(path.name + ".000001"))
        # A process that is gone: nothing of what it would have done after is done.
        file.abandon()
        log._file = None
    assert before in b"".join(other.read_bytes() for other in files_of(path))
    with pytest.warns(ObserverFailed, match="was not begun|is missing"), AuditLog(path) as log:
        log(submitted("5"))
    assert codes(path) == ["0", "1", "2", "3", "4", "5"]
    assert verify(path).ok
    assert len(verify(path).recovered) == 1


def test_if_no_other_file_can_be_begun_it_goes_on_in_the_same(
    path: Path,
    submitted: Submitted,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "not permitted")

    with AuditLog(path, rotate_bytes=4096) as log:
        with monkeypatch.context() as patch:
            patch.setattr(os, "link", refuse)
            patch.setattr(os, "rename", refuse)
            for number in range(40):
                log(submitted(str(number)))
        assert files_of(path) == [path]
        for number in range(40, 80):
            log(submitted(str(number)))
    assert len(files_of(path)) > 1
    assert codes(path) == [str(number) for number in range(80)]
    assert verify(path).ok
    assert "no other can be begun" in caplog.text
