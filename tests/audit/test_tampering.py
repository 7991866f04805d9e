"""Whatever is done to a log behind its back is found: at random places, hundreds of times."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fumehood.audit import AuditLog, files_of, verify
from fumehood.audit.chain import NOTHING, Hasher, make_line
from fumehood.errors import AuditError
from fumehood.events import CellFinished, CellSubmitted

CASES = 200
KEY = b"a key that nobody knows"


@pytest.fixture(params=[None, KEY], ids=["without a key", "with a key"])
def key(request: pytest.FixtureRequest) -> bytes | None:
    key: bytes | None = request.param
    return key


@pytest.fixture
def log(
    path: Path,
    submitted: Callable[..., CellSubmitted],
    finished: Callable[..., CellFinished],
    key: bytes | None,
) -> Path:
    """A log of two sittings, with lines of several kinds, two of which are the same but for their
    numbers."""
    for _ in range(2):
        with AuditLog(path, key=key) as log:
            twice = submitted("twice")
            for event in (
                submitted(),
                finished(1),
                twice,
                twice,
                finished((1, 2), logs="é\n" * 20),
                submitted(""),
            ):
                log(event)
    assert verify(path, key).ok
    return path


def is_found(path: Path, key: bytes | None) -> bool:
    """Whether it is seen that something is wrong, in one way or another."""
    try:
        return not verify(path, key).ok
    except AuditError:
        return True


def test_every_bit_that_is_flipped_is_found(log: Path, key: bytes | None) -> None:
    content = log.read_bytes()
    dice = random.Random(1)
    places = {dice.randrange(len(content)) for _ in range(CASES)} | {
        0,
        len(content) - 1,
        len(content) - 2,
        content.index(b"\n"),
    }
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1 << dice.randrange(8)
        log.write_bytes(changed)
        assert is_found(log, key), place


def test_the_line_in_which_a_bit_is_flipped_is_pointed_at(log: Path, key: bytes | None) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        changed = bytearray(line)
        changed[line.index(b'"event":"') + 9] ^= 1
        log.write_bytes(b"".join([*lines[: number - 1], changed, *lines[number:]]))
        broken = verify(log, key).broken
        assert broken is not None and broken.line == number
        assert str(broken).startswith(f"{log}, line {number}: ")


def test_every_line_that_is_deleted_is_found(log: Path, key: bytes | None) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    for number in range(len(lines)):
        log.write_bytes(b"".join(lines[:number] + lines[number + 1 :]))
        assert is_found(log, key), number


def test_lines_cut_off_at_the_end_are_missed(log: Path, key: bytes | None) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    for kept in range(len(lines) // 2 + 1, len(lines)):
        log.write_bytes(b"".join(lines[:kept]))
        checked = verify(log, key)
        assert checked.intact and not checked.sealed and not checked.ok
        assert "has no end: the host is still writing, was killed, or lines were cut off" in str(
            checked
        )


def test_a_file_cut_off_anywhere_in_a_line_is_found(log: Path, key: bytes | None) -> None:
    content = log.read_bytes()
    dice = random.Random(2)
    for _ in range(CASES):
        kept = dice.randrange(len(content))
        if content[:kept].endswith(b"\n"):
            continue  # between lines: the test before this one
        log.write_bytes(content[:kept])
        assert is_found(log, key), kept


def test_lines_that_are_swapped_are_found(log: Path, key: bytes | None) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    for one in range(len(lines)):
        for other in range(one + 1, len(lines)):
            swapped = [*lines]
            swapped[one], swapped[other] = swapped[other], swapped[one]
            log.write_bytes(b"".join(swapped))
            assert is_found(log, key), (one, other)


def test_lines_that_are_here_twice_are_found(log: Path, key: bytes | None) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines):
        for place in range(len(lines) + 1):
            log.write_bytes(b"".join([*lines[:place], line, *lines[place:]]))
            assert is_found(log, key), (number, place)


def test_lines_that_are_put_in_are_found(log: Path, key: bytes | None) -> None:
    """Made by somebody who knows how lines are made, but has not got the key; then with numbers and
    hashes that fit where they are put."""
    lines = log.read_bytes().splitlines(keepends=True)
    for place in range(1, len(lines) + 1):
        before = json.loads(lines[place - 1])
        for number in (before["n"], before["n"] + 1):
            fields = b'{"at":1.5,"session":"s","cell":1,"run":"","code":"import os"}'
            made, _digest = make_line(
                Hasher(), number, before["hash"].encode(), "CellSubmitted", fields
            )
            log.write_bytes(b"".join([*lines[:place], made, *lines[place:]]))
            assert is_found(log, key), place


@pytest.mark.parametrize(
    "junk", [b"\n", b"{}\n", b"\0", b"x", b" ", b"\r\n", b"\xef\xbb\xbf"], ids=repr
)
def test_anything_else_that_is_put_in_is_found(log: Path, key: bytes | None, junk: bytes) -> None:
    content = log.read_bytes()
    dice = random.Random(3)
    for place in [0, len(content), *(dice.randrange(len(content)) for _ in range(CASES // 10))]:
        log.write_bytes(content[:place] + junk + content[place:])
        assert is_found(log, key), place


def test_a_log_written_anew_by_somebody_without_the_key_is_found(
    path: Path, write: Callable[..., Path]
) -> None:
    write(key=KEY)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    for keyed in (True, False):
        for key in (None, b"another key"):
            forged, previous = b"", NOTHING
            for line in lines:
                if line["event"] == "CellSubmitted":
                    line["code"] = "nothing to see here"
                if line["event"] == "LogOpened":
                    line["keyed"] = keyed
                fields = {
                    name: value
                    for name, value in line.items()
                    if name not in ("n", "previous", "event", "hash")
                }
                made, previous = make_line(
                    Hasher(key), line["n"], previous, line["event"], json.dumps(fields).encode()
                )
                forged += made
            path.write_bytes(forged)
            broken = verify(path, KEY).broken
            assert broken is not None and broken.line == 1


def test_a_log_written_anew_without_a_key_is_seen_by_its_last_hash(
    path: Path, write: Callable[..., Path]
) -> None:
    write()
    kept = verify(path).last_hash
    path.unlink()
    write()
    assert verify(path).ok
    checked = verify(path, expect=kept)
    assert (
        not checked.ok
        and checked.broken is not None
        and "none before it has the hash" in checked.broken.why
    )


def test_a_whole_sitting_cut_off_is_seen_by_its_last_hash(
    path: Path, write: Callable[..., Path]
) -> None:
    write()
    first = path.read_bytes()
    early = verify(path).last_hash
    write()
    kept = verify(path).last_hash
    assert verify(path, expect=kept).ok and verify(path, expect=early).ok
    path.write_bytes(first)
    assert verify(path).ok and not verify(path, expect=kept).ok


def test_another_key_does_not_fit(write: Callable[..., Path]) -> None:
    checked = verify(write(key="one"), "another")
    assert not checked.ok and checked.broken is not None
    assert "the key is another one" in checked.broken.why


def test_a_log_with_a_key_is_not_verified_without(write: Callable[..., Path]) -> None:
    checked = verify(write(key="one"))
    assert not checked.ok and checked.broken is not None
    assert "was written with a key: give it" in checked.broken.why


# -- several files


@pytest.fixture
def rotated(write: Callable[..., Path]) -> Path:
    path = write(60, rotate_bytes=4096)
    assert len(files_of(path)) > 3 and verify(path).ok
    return path


def test_a_file_that_is_missing_is_found(rotated: Path) -> None:
    for file in files_of(rotated):
        aside = file.rename(file.with_name("aside"))
        assert not verify(rotated).ok, file
        aside.rename(file)
    assert verify(rotated).ok


def test_the_newest_files_gone_and_an_older_one_in_their_place_is_found(rotated: Path) -> None:
    files = files_of(rotated)
    shutil.move(files[-2], rotated)
    assert not verify(rotated).ok
    for file in files[:-2]:
        file.unlink()
    assert not verify(rotated).ok


def test_files_that_are_swapped_are_found(rotated: Path) -> None:
    files = files_of(rotated)
    one, other = files[1].read_bytes(), files[2].read_bytes()
    files[1].write_bytes(other)
    files[2].write_bytes(one)
    assert not verify(rotated).ok


def test_a_bit_that_is_flipped_in_an_old_file_is_found(rotated: Path) -> None:
    file = files_of(rotated)[1]
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 4
    file.write_bytes(content)
    broken = verify(rotated).broken
    assert broken is not None and broken.file == file


def test_an_old_file_cut_off_in_a_line_is_found(rotated: Path) -> None:
    file = files_of(rotated)[1]
    file.write_bytes(file.read_bytes()[:-10])
    broken = verify(rotated).broken
    assert broken is not None and broken.file == file and "incomplete" in broken.why


def test_more_old_files_missing_than_were_removed_is_found(write: Callable[..., Path]) -> None:
    path = write(100, rotate_bytes=4096, keep_files=3)
    assert verify(path).ok
    files_of(path)[0].unlink()
    broken = verify(path).broken
    assert broken is not None and "is missing" in broken.why


def test_an_emptied_file_is_found(rotated: Path) -> None:
    for file in files_of(rotated):
        content = file.read_bytes()
        file.write_bytes(b"")
        assert is_found(rotated, None), file
        file.write_bytes(content)


def test_a_file_of_another_log_is_found(
    rotated: Path, tmp_path: Path, submitted: Callable[..., CellSubmitted]
) -> None:
    other = tmp_path / "other.jsonl"
    with AuditLog(other, rotate_bytes=4096) as log:
        for _ in range(60):
            log(submitted())
    shutil.copy(files_of(other)[0], files_of(rotated)[0])
    assert not verify(rotated).ok
