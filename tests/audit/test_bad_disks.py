"""What cannot be written: reported once, counted, and written again as soon as that works."""

from __future__ import annotations

import contextlib
import resource
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fumehood.audit import AuditLog, files_of, read, verify
from fumehood.errors import AuditError
from fumehood.events import CellSubmitted
from fumehood.observing import Subscription

Submitted = Callable[..., CellSubmitted]


def names(path: Path) -> list[str]:
    return [record.event for record in read(path)]


def codes(path: Path) -> list[str]:
    return [record.fields["code"] for record in read(path) if record.event == "CellSubmitted"]


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """As on a full disk: a write past this size is done in part, then refused."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_reported_once_and_what_is_missing_is_counted(
    path: Path, submitted: Submitted, caplog: pytest.LogCaptureFixture
) -> None:
    with AuditLog(path) as log:
        log(submitted("before"))
        size = path.stat().st_size
        with files_of_at_most(size + 100):
            with pytest.raises(AuditError, match="cannot be written: OSError"):
                log(submitted("lost"))
            for _ in range(4):
                log(submitted("lost"))
            assert path.stat().st_size == size
        log(submitted("after"))
    assert names(path) == ["LogOpened", "CellSubmitted", "LogGap", "CellSubmitted", "LogClosed"]
    assert codes(path) == ["before", "after"]
    checked = verify(path)
    assert checked.ok and checked.missing == 5 and "5 events are missing: OSError" in str(checked)
    assert caplog.text.count("cannot be written") == 1 and "5 events are missing" in caplog.text


def test_an_end_that_cannot_be_written_is_an_error_and_the_file_is_let_go(
    path: Path, submitted: Submitted
) -> None:
    log = AuditLog(path)
    with files_of_at_most(path.stat().st_size), pytest.raises(AuditError, match="has no end"):
        log.close()
    log.close()
    with pytest.warns(RuntimeWarning, match="it has no end"):
        AuditLog(path).close()


def test_a_small_disk_that_is_full_harms_no_line(tmp_path: Path, submitted: Submitted) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        path = disk / "audit.jsonl"
        with AuditLog(path, rotate_bytes=16_384) as log:
            failures = 0
            for _ in range(400):
                try:
                    log(submitted())
                except AuditError:
                    failures += 1
            assert failures == 1
            files_of(path)[0].unlink()
            for _ in range(20):
                log(submitted())
        events = [record for record in read(path) if record.event == "LogGap"]
        assert len(events) == 1 and events[0].fields["events"] > 100
        assert verify(files_of(path)[0]).intact
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def at(event: CellSubmitted, seconds: float) -> CellSubmitted:
    return CellSubmitted(
        at=event.at + seconds, session=event.session, cell=event.cell, code=event.code
    )


def test_a_file_that_was_moved_is_followed_by_a_new_one(path: Path, submitted: Submitted) -> None:
    with AuditLog(path) as log:
        log(submitted("before"))
        moved = path.rename(path.with_name("moved"))
        log(at(submitted("after"), 10))
    assert codes(moved) == ["before"] and codes(path) == ["after"]
    assert verify(moved).ok
    checked = verify(path)
    assert (
        checked.ok and checked.first_number == verify(moved).last_number + 1 and not checked.missing
    )


def test_a_file_that_was_removed_is_begun_anew_and_what_is_missing_is_counted(
    path: Path, submitted: Submitted
) -> None:
    with AuditLog(path) as log:
        log(submitted("before"))
        log(at(submitted("seen"), 10))
        path.unlink()
        log(at(submitted("lost"), 10.1))
        log(at(submitted("after"), 20))
    assert codes(path) == ["after"]
    checked = verify(path)
    assert checked.ok and checked.missing == 2  # since it was last looked at
    assert checked.first_number == 5 and "the file was removed while it was written" in str(checked)


def test_a_run_goes_on_when_its_log_cannot_be_written(path: Path, submitted: Submitted) -> None:
    """As observers are told: what one raises is reported once, and goes no further."""
    with AuditLog(path) as log, Subscription(log) as subscription:
        with (
            files_of_at_most(path.stat().st_size),
            pytest.warns(RuntimeWarning, match="cannot be written"),
        ):
            subscription.deliver(submitted())
        with files_of_at_most(path.stat().st_size):
            subscription.deliver(submitted())
        assert subscription.failures == 1
        subscription.deliver(submitted("after"))
    assert codes(path) == ["after"] and verify(path).missing == 2
