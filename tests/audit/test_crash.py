"""A host that is killed while it logs: every complete line is there and fits, and the next start
says what was lost."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from fumehood.audit import AuditLog, files_of, read, verify
from fumehood.errors import ObserverFailed
from fumehood.events import CellSubmitted

Submitted = Callable[..., CellSubmitted]


# -- killed at random moments


def log_from_threads(
    path: Path, attempt: int, key: bytes | None, rotate_bytes: int, told: int
) -> None:
    """What a host does until it is killed: it logs from two threads, and tells what has been
    logged."""
    log = AuditLog(path, key=key, rotate_bytes=rotate_bytes)

    def work(name: str) -> None:
        for number in range(1_000_000):
            word = f"{attempt}{name}{number}"
            log(
                CellSubmitted(
                    at=time.time(),
                    session="s",
                    cell=number,
                    code=f"{word} " + "x" * (number * 7919 % 3000),
                )
            )
            os.write(told, f"{word}\n".encode())

    threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def killed_after(lines: int, seconds: float, action: Callable[[int], None]) -> set[str]:
    """Run an action in a process that is killed so long after it has told so many lines. Gives all
    that it has told."""
    reading, told = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that other threads may run
        pid = os.fork()
    if not pid:
        with contextlib.suppress(BaseException):
            signal.alarm(60)  # should nobody kill it
            warnings.simplefilter("ignore")
            action(told)
        os._exit(1)
    os.close(told)
    text = b""
    while text.count(b"\n") < lines:
        part = os.read(reading, 65_536)
        assert part, "the process has ended by itself"
        text += part
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    while part := os.read(reading, 65_536):
        text += part
    os.close(reading)
    return set(text.decode().rpartition("\n")[0].splitlines())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_a_host_killed_ten_times_while_it_logs_loses_no_complete_line(
    tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    path = tmp_path / "audit.jsonl"
    key = b"k" if seed % 2 else None
    rotate_bytes = 8192 if seed % 3 else 10_000_000
    crashes = 0
    for attempt in range(10):
        lines = dice.choice([0, 0, 1, 10, 100])
        told = killed_after(
            lines,
            dice.uniform(0, 0.005),
            lambda fd, n=attempt: log_from_threads(path, n, key, rotate_bytes, fd),
        )
        if not path.exists() or not path.stat().st_size:
            assert not told and files_of(path) == [path]  # killed before it had begun
            continue
        before = verify(path, key)
        assert before.intact, str(before)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            AuditLog(path, key=key, rotate_bytes=rotate_bytes).close()
        assert [warning.category for warning in warned] == (
            [] if before.sealed else [ObserverFailed]
        )
        crashes += not before.sealed
        after = verify(path, key)
        assert after.ok and len(after.recovered) >= crashes, str(after)
        there = {
            record.fields["code"].split()[0]
            for record in read(path)
            if record.event == "CellSubmitted"
        }
        assert told <= there, f"lines that were written are not there: {sorted(told - there)[:5]}"
    assert crashes


HOST = """
import sys
from fumehood import LocalPythonExecutor
from fumehood.audit import AuditLog

with AuditLog(sys.argv[1]) as log, LocalPythonExecutor(audit=log) as executor:
    executor.send_tools({"add": lambda a, b: a + b})
    for number in range(1_000_000):
        executor.run(f"print({number}); add({number}, 1)")
"""


@pytest.mark.long
def test_a_host_killed_while_cells_run_loses_no_complete_line(path: Path) -> None:
    dice = random.Random(5)
    for attempt in range(1, 4):
        size = path.stat().st_size if path.exists() else 0
        host = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", HOST, str(path)],
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            while not (
                path.exists() and path.stat().st_size > size + dice.randrange(10_000, 30_000)
            ):
                if host.poll() is not None:
                    error = host.stderr.read() if host.stderr else ""
                    if "JailUnavailable" in error:
                        pytest.skip(f"no jail here: {error.strip().splitlines()[-1]}")
                    pytest.fail(error)
                time.sleep(0.01)
        finally:
            host.kill()
            host.communicate()
        checked = verify(path)
        assert checked.intact and not checked.sealed
        assert len(checked.recovered) == attempt - 1
    with pytest.warns(ObserverFailed, match="it has no end"):
        AuditLog(path).close()
    assert verify(path).ok
    numbers = [record.cell for record in read(path) if record.event == "CellFinished"]
    assert len(numbers) > 10 and numbers[0] == 1


# -- what a start finds


@pytest.fixture
def unfinished(path: Path, submitted: Submitted) -> Path:
    """A log as a host that was killed leaves it."""
    log = AuditLog(path)
    for code in ("a", "b", "ü" * 20):
        log(submitted(code))
    assert log._file is not None
    log._file.abandon()
    log._file = None
    return path


def gone_on_with(path: Path, submitted: Submitted) -> list[str]:
    with AuditLog(path) as log:
        log(submitted("after"))
    return [record.event for record in read(path)]


def test_a_log_without_an_end_is_gone_on_with_and_says_so(
    unfinished: Path, submitted: Submitted, caplog: pytest.LogCaptureFixture
) -> None:
    assert not verify(unfinished).ok and verify(unfinished).intact
    with pytest.warns(
        ObserverFailed,
        match="it has no end: the host was killed, or lines were cut off or taken away",
    ):
        names = gone_on_with(unfinished, submitted)
    assert names[4:] == ["LogRecovered", "LogOpened", "CellSubmitted", "LogClosed"]
    assert "it has no end" in caplog.text
    checked = verify(unfinished)
    assert (
        checked.ok
        and len(checked.recovered) == 1
        and checked.recovered[0].fields["lost_bytes"] == 0
    )
    assert "line 5: it has no end" in str(checked)


def test_an_incomplete_last_line_is_taken_away_and_kept_in_the_line_that_says_so(
    unfinished: Path, submitted: Submitted
) -> None:
    content = unfinished.read_bytes()
    last = content.splitlines(keepends=True)[-1]
    for kept in range(1, len(last), 5):
        unfinished.write_bytes(content[: len(content) - len(last) + kept])
        checked = verify(unfinished)
        assert checked.intact and not checked.ok and "its last line is incomplete" in str(checked)
        with pytest.warns(ObserverFailed, match=f"{kept} bytes of an incomplete line were lost"):
            names = gone_on_with(unfinished, submitted)
        assert names[3:] == ["LogRecovered", "LogOpened", "CellSubmitted", "LogClosed"]
        checked = verify(unfinished)
        assert checked.ok
        (recovered,) = checked.recovered
        assert recovered.fields["lost_bytes"] == kept
        assert recovered.fields["lost"] == last[:kept].decode("utf-8", "backslashreplace")


def test_what_a_lost_machine_leaves_after_the_last_line_is_taken_away(
    unfinished: Path, submitted: Submitted
) -> None:
    with unfinished.open("ab") as file:
        file.write(b"\0" * 3_000_000)
    with pytest.warns(ObserverFailed, match="3,000,000 bytes of an incomplete line were lost"):
        gone_on_with(unfinished, submitted)
    checked = verify(unfinished)
    assert checked.ok and len(checked.recovered[0].fields["lost"]) < 100_000
