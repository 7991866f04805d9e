"""Lines as records, from files that anybody may have written."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from fumehood.audit import AuditLog, read, verify
from fumehood.audit.chain import MAX_LINE_BYTES, NOTHING, Hasher, make_line
from fumehood.audit.reading import Broken
from fumehood.errors import AuditError
from fumehood.events import CellFinished, CellSubmitted


def test_a_record_has_everything_that_a_line_says(
    path: Path, finished: Callable[..., CellFinished]
) -> None:
    event = finished((1, 2), logs="printed")
    with AuditLog(path) as log:
        log(event)
    opened, record, _closed = read(path)
    assert (record.file, record.line, record.number, record.event) == (path, 2, 2, "CellFinished")
    assert (record.at, record.session, record.cell, record.run) == (event.at, "5e5510", 1, "")
    assert record.previous == opened.hash
    assert [*record.fields] == ["execution"] and record.fields["execution"]["logs"] == "printed"
    assert json.loads(record.raw)["hash"] == record.hash
    assert record.decoded() == event


@pytest.mark.parametrize(
    ("junk", "why"),
    [
        (b"\n", "is no line of an audit log"),
        (b"\xff\xfe\0\n", "is no line of an audit log"),
        (b'{"n":1}\n', "is no line of an audit log"),
        (b"[" * 100_000 + b"\n", "is no line of an audit log"),
    ],
)
def test_a_line_that_cannot_be_read_is_one_clear_error_or_left_out(
    write: Callable[..., Path], junk: bytes, why: str
) -> None:
    path = write(3)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], junk, *lines[2:]]))
    with pytest.raises(AuditError, match=why) as caught:
        list(read(path))
    assert f"{path}, line 3: " in str(caught.value) and "\n" not in str(caught.value)
    damaged: list[Broken] = []
    assert len(list(read(path, damaged=damaged.append))) == len(lines)
    assert [broken.line for broken in damaged] == [3]


@pytest.mark.parametrize(
    "fields",
    [
        b'{"at":"now","session":"","cell":0,"run":""}',
        b'{"at":1,"session":1,"cell":0,"run":""}',
        b'{"at":1,"session":"","cell":null,"run":""}',
        b'{"at":1,"session":""}',
        b'{"at":1e999,"session":"","cell":0,"run":""}',
        b'{"at":1,"session":"","cell":0,"run":"",nonsense}',
        b'{"at":1,"session":"","cell":0,"run":"","a":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    ],
    ids=["time", "session", "cell", "missing", "endless", "nonsense", "deep"],
)
def test_a_line_that_fits_its_hash_and_makes_no_sense_is_one_clear_error(
    path: Path, fields: bytes
) -> None:
    path.write_bytes(make_line(Hasher(), 1, NOTHING, "CellSubmitted", fields)[0])
    with pytest.raises(AuditError, match="line 1: is no line of an audit log"):
        list(read(path))


def test_a_line_that_is_too_long_is_one_clear_error_and_takes_bounded_memory(
    write: Callable[..., Path],
) -> None:
    path = write(2)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(size + MAX_LINE_BYTES + 5_000_000)  # a hole: nothing is written
        file.seek(0, os.SEEK_END)
        file.write(b"\n")
    with pytest.raises(AuditError, match="is longer than"):
        list(read(path))
    broken = verify(path).broken
    assert broken is not None and "is longer than" in broken.why


@pytest.mark.parametrize("what", ["missing", "directory", "empty", "text", "binary", "fifo"])
def test_what_is_no_log_is_one_clear_error(path: Path, what: str) -> None:
    if what == "directory":
        path.mkdir()
    elif what == "fifo":
        os.mkfifo(path)
    elif what != "missing":
        path.write_bytes(
            {"empty": b"", "text": b"hello\nworld\n", "binary": os.urandom(1000)}[what]
        )
    with pytest.raises(AuditError) as caught:
        verify(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_a_log_can_be_read_and_verified_while_it_is_written(
    path: Path, submitted: Callable[..., CellSubmitted]
) -> None:
    stop = threading.Event()
    event = submitted()
    with AuditLog(path, rotate_bytes=50_000) as log:

        def work() -> None:
            while not stop.wait(0.0002):
                log(event)

        writer = threading.Thread(target=work)
        writer.start()
        try:
            for _ in range(10):
                checked = verify(path)
                assert checked.ok and checked.is_open, str(checked)
                list(read(path))
        finally:
            stop.set()
            writer.join()
    checked = verify(path)
    assert checked.ok and checked.sealed and not checked.is_open


def test_what_verify_says_of_a_sound_log(write: Callable[..., Path]) -> None:
    path = write(5, key="k")
    checked = verify(path, "k")
    assert str(checked) == f"{path}: ok, 7 lines, keyed"
    assert (checked.lines, checked.first_number, checked.last_number, checked.files) == (
        7,
        1,
        7,
        (path,),
    )
