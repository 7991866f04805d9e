"""AuditLog: an observer that writes. Who may write where, when it is full, when the disk is, and
after a fork."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import stat
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood.audit import AuditLog, read, verify
from fumehood.audit.exporting import export_events
from fumehood.errors import AuditError
from fumehood.events import CellSubmitted, SessionClosed

Submitted = Callable[..., CellSubmitted]


def names(path: Path) -> list[str]:
    return [record.event for record in read(path)]


def codes(path: Path) -> list[str]:
    return [record.fields["code"] for record in read(path) if record.event == "CellSubmitted"]


def test_nobody_else_may_read_the_file(write: Callable[..., Path]) -> None:
    assert stat.S_IMODE(write().stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"skip": ["Nothing"]}, "skip names no event: 'Nothing'"),
        ({"rotate_bytes": 5}, "rotate_bytes must be"),
        ({"rotate_bytes": "5"}, "rotate_bytes must be"),
        ({"keep_files": -1}, "keep_files must be"),
        ({"max_value_bytes": 1.5}, "max_value_bytes must be"),
        ({"fsync": "often"}, "fsync must be"),
        ({"fsync": 0}, "fsync must be"),
        ({"fsync": None}, "fsync must be"),
        ({"fsync": 10**400}, "fsync must be .* above 0, not 1000"),
        ({"fsync": ["line"]}, "fsync must be"),
        ({"skip": 3}, r"skip must be a list of names of events, such as \['Printed'\], not 3"),
        ({"skip": [["Printed"]]}, "skip names no event"),
        (
            {"max_value_bytes": None},
            "max_value_bytes must be a whole number of at least 0, not None",
        ),
        ({"key": ""}, "key of an audit log"),
    ],
    ids=repr,
)
def test_options_that_cannot_be_are_refused_before_a_file_is_made(
    path: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(AuditError, match=words) as caught:
        AuditLog(path, **options)
    assert "\n" not in str(caught.value)
    assert not path.exists()


def test_threads_write_lines_one_after_the_other(path: Path, submitted: Submitted) -> None:
    events = [[submitted(f"{thread} {number}") for number in range(200)] for thread in range(8)]
    with AuditLog(path, rotate_bytes=20_000) as log:
        threads = [
            threading.Thread(target=lambda some=some: [log(event) for event in some])
            for some in events
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert verify(path).ok
    assert sorted(codes(path)) == sorted(event.code for some in events for event in some)
    for thread in range(8):
        assert [code for code in codes(path) if code.startswith(f"{thread} ")] == [
            event.code for event in events[thread]
        ]


def test_a_log_closed_in_the_middle_of_a_line_has_the_line(
    path: Path, submitted: Submitted
) -> None:
    log = AuditLog(path)
    log(submitted("before"))
    assert log._file is not None
    original = log._file.write_line

    def interrupted(name: str, fields: bytes) -> None:
        log._file.write_line = original  # type: ignore[method-assign, union-attr]
        log.close()
        original(name, fields)

    log._file.write_line = interrupted  # type: ignore[method-assign]
    log(submitted("a"))
    assert codes(path) == ["before", "a"] and names(path)[-1] == "LogClosed"
    AuditLog(path).close()


@pytest.mark.parametrize("rotate_bytes", [None, 4096])
def test_interruptions_at_any_moment_leave_the_chain_whole(
    path: Path, submitted: Submitted, rotate_bytes: int | None
) -> None:
    class Interrupt(BaseException):
        pass

    is_armed = False

    def handler(*_: object) -> None:
        nonlocal is_armed
        if is_armed:
            is_armed = False
            raise Interrupt

    before = signal.signal(signal.SIGALRM, handler)
    told = interrupted = 0
    try:
        with AuditLog(path, rotate_bytes=rotate_bytes) as log:
            signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.00037)
            while interrupted < 100:
                try:
                    is_armed = True
                    while True:
                        event = submitted("x")
                        told += 1
                        log(event)
                except Interrupt:
                    interrupted += 1
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    checked = verify(path)
    assert checked.ok and not checked.recovered, str(checked)
    cells = [record.cell for record in read(path) if record.event == "CellSubmitted"]
    assert cells == sorted(set(cells))
    assert (
        0 <= told - len(cells) - checked.missing <= interrupted
    )  # an interruption may come before the log has heard of the event


# -- going on with a log


def test_a_log_that_was_closed_is_gone_on_with(path: Path, submitted: Submitted) -> None:
    for code in "ab":
        with AuditLog(path) as log:
            log(submitted(code))
    assert names(path) == ["LogOpened", "CellSubmitted", "LogClosed"] * 2
    assert [record.number for record in read(path)] == [1, 2, 3, 4, 5, 6]
    assert verify(path).ok and not verify(path).recovered


@pytest.mark.parametrize(
    "content", [b"hello\n", b"hello", b"{}\n", b"\0" * 100_000, b'{"n":1}\n', b"\n"]
)
def test_a_file_that_is_no_log_is_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(AuditError, match="is no audit log, and is left as it is"):
        AuditLog(path)
    assert path.read_bytes() == content


def test_a_log_whose_last_line_was_changed_is_left_as_it_is(write: Callable[..., Path]) -> None:
    path = write()
    content = path.read_bytes().replace(b"LogClosed", b"LogCl0sed")
    path.write_bytes(content)
    with pytest.raises(AuditError, match="last line does not fit its hash"):
        AuditLog(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("a", None, "was written with a key"),
        (None, "a", "was written without a key, and can only go on so: give none, or another path"),
        ("a", "b", "the key is another one"),
    ],
)
def test_a_log_is_gone_on_with_under_the_same_key_only(
    write: Callable[..., Path], first: Any, second: Any, words: str
) -> None:
    path = write(key=first)
    content = path.read_bytes()
    with pytest.raises(AuditError, match=words):
        AuditLog(path, key=second)
    assert path.read_bytes() == content


@pytest.mark.parametrize("wrong", [None, 3, "", "a\0b", "\ud800", ["x"]], ids=repr)
def test_what_is_no_path_is_told_in_one_line_by_all_who_take_one(
    wrong: Any, tmp_path: Path
) -> None:
    for take in (
        AuditLog,
        verify,
        lambda path: list(read(path)),
        lambda path: export_events([], path),
    ):
        with pytest.raises(AuditError, match=r"must be given as a path|cannot be '") as caught:
            take(wrong)
        assert str(caught.value).isprintable()


@pytest.mark.parametrize("kind", ["directory", "fifo"])
def test_what_is_no_file_is_refused(path: Path, kind: str) -> None:
    path.mkdir() if kind == "directory" else os.mkfifo(path)
    with pytest.raises(AuditError):
        AuditLog(path)


# -- two of them


def test_a_second_log_on_the_same_path_is_refused(path: Path, submitted: Submitted) -> None:
    with AuditLog(path) as log:
        with pytest.raises(
            AuditError, match="is being written by another process, or by another AuditLog"
        ):
            AuditLog(path)
        log(submitted())
    assert verify(path).ok
    AuditLog(path).close()


def test_a_second_process_on_the_same_path_is_refused(path: Path) -> None:
    code = f"from fumehood.audit import AuditLog; AuditLog({str(path)!r})"
    with AuditLog(path):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
    assert "is being written by another process" in done.stderr
    assert verify(path).ok


def test_a_log_that_is_dropped_ends_and_lets_go(path: Path, submitted: Submitted) -> None:
    log = AuditLog(path)
    log(submitted())
    del log
    gc.collect()
    assert verify(path).ok
    AuditLog(path).close()


def in_a_fork(action: Callable[[], None]) -> None:
    context = multiprocessing.get_context("fork")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that other threads may run
        process = context.Process(target=action)
        process.start()
    process.join()
    assert process.exitcode == 0


def test_a_forked_process_goes_on_in_a_file_of_its_own(path: Path, submitted: Submitted) -> None:
    with AuditLog(path) as log:
        log(submitted("before"))
        hash_before = log.last_hash

        def child() -> None:
            log(submitted("of the child"))
            assert ".child-" in log.path.name
            log.close()

        in_a_fork(child)
        log(submitted("after"))
    assert codes(path) == ["before", "after"]
    assert verify(path).ok
    (own,) = path.parent.glob("*.child-*")
    assert codes(own) == ["of the child"]
    assert verify(own).ok
    opened = next(read(own))
    assert opened.number == 1
    assert (opened.fields["parent"], opened.fields["parent_hash"]) == (str(path), hash_before)


def test_a_fork_while_threads_write_harms_nobody(path: Path, submitted: Submitted) -> None:
    event = submitted("x")
    with AuditLog(path) as log:
        stop = threading.Event()

        def work() -> None:
            while not stop.is_set():
                log(event)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(5):
                in_a_fork(lambda: log(event))
        finally:
            stop.set()
            for thread in threads:
                thread.join()
    assert verify(path).ok
    children = [*path.parent.glob("*.child-*")]
    assert len(children) == 5
    assert all(verify(child).intact for child in children)


# -- the end


def test_an_event_after_the_end_is_an_error_once(path: Path, submitted: Submitted) -> None:
    log = AuditLog(path)
    log.close()
    log.close()
    log(SessionClosed(at=time.time(), session="s"))
    with pytest.raises(AuditError, match="is closed"):
        log(submitted())
    log(submitted())
    assert names(path) == ["LogOpened", "LogClosed"]


AT_EXIT = """
import atexit, sys, time
from fumehood.events import SessionClosed
atexit.register(lambda: log(SessionClosed(at=time.time(), session="s")))
from fumehood.audit import AuditLog
log = AuditLog(sys.argv[1])
"""


def test_a_program_that_ends_ends_its_log_whatever_is_told_after(path: Path) -> None:
    subprocess.run([sys.executable, "-c", AT_EXIT, str(path)], check=True)
    assert names(path) == ["LogOpened", "LogClosed", "SessionClosed", "LogClosed"]
    assert verify(path).ok
