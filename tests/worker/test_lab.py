"""Files of the lab: regular ones, below it, no link followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fumehood.worker import lab


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lab of the test's own."""
    directory = tmp_path / "lab"
    directory.mkdir()
    monkeypatch.setattr(lab, "LAB", str(directory))
    return directory


def test_a_file_is_written_with_its_directories_and_read(place: Path) -> None:
    lab.write("a/b/c", b"content")
    lab.write(f"{place}/d", b"")
    assert lab.read("a/b/c", 100) == b"content"
    assert lab.listing(10) == [("a/b/c", 7), ("d", 0)]


def test_a_file_is_replaced_and_not_added_to(place: Path) -> None:
    lab.write("a", b"long content")
    lab.write("a", b"short")
    assert (place / "a").read_bytes() == b"short"


def test_a_file_of_exactly_the_most_is_read_and_one_byte_more_is_not(place: Path) -> None:
    lab.write("a", b"12345")
    assert lab.read("a", 5) == b"12345"
    with pytest.raises(ValueError, match="longer than 4 bytes"):
        lab.read("a", 4)


@pytest.mark.parametrize("path", ["", ".", "..", "../x", "a/../../x", "/", "/etc/passwd", "a/../..", "//etc/passwd", "./.."])
def test_a_path_that_is_not_below_is_refused(place: Path, path: str) -> None:
    (place.parent / "x").write_bytes(b"outside")
    for use in (lambda: lab.read(path, 100), lambda: lab.write(path, b"changed")):
        with pytest.raises((ValueError, OSError)):
            use()
    assert (place.parent / "x").read_bytes() == b"outside"


@pytest.mark.parametrize("path", ["..a", "...", "a..b", "-", " ", "ü", "a\nb"])
def test_a_name_that_only_looks_odd_is_a_name(place: Path, path: str) -> None:
    lab.write(path, b"x")
    assert lab.read(path, 1) == b"x"
    assert lab.listing(5) == [(path, 1)]


def test_no_link_is_followed_on_the_way_or_at_its_end(place: Path) -> None:
    outside = place.parent / "outside"
    outside.mkdir()
    (outside / "f").write_bytes(b"outside")
    (place / "link").symlink_to(outside / "f")
    (place / "dir").symlink_to(outside)
    (place / "dangling").symlink_to(place.parent / "new")
    for path in ("link", "dir/f", "dir/new", "dangling"):
        with pytest.raises(OSError, match=r"symbolic links|Not a directory"):
            lab.read(path, 100)
        with pytest.raises(OSError, match=r"symbolic links|Not a directory"):
            lab.write(path, b"changed")
    assert (outside / "f").read_bytes() == b"outside"
    assert {path.name for path in place.parent.iterdir()} == {"lab", "outside"}
    assert lab.listing(10) == []


def test_what_is_no_regular_file_is_refused_without_waiting(place: Path) -> None:
    os.mkfifo(place / "pipe")
    (place / "directory").mkdir()
    for path in ("pipe", "directory"):
        with pytest.raises((ValueError, OSError)):
            lab.read(path, 100)
        with pytest.raises((ValueError, OSError)):
            lab.write(path, b"x")


def test_more_files_than_asked_for_are_an_error(place: Path) -> None:
    for number in range(4):
        lab.write(str(number), b"")
    assert len(lab.listing(4)) == 4
    with pytest.raises(ValueError, match="more than 3"):
        lab.listing(3)


def test_no_descriptor_is_left_open(place: Path) -> None:
    before = _descriptors()
    for _ in range(5):
        lab.write("a/b", b"x")
        lab.read("a/b", 5)
        with pytest.raises(FileNotFoundError):
            lab.read("a/missing/c", 5)
        with pytest.raises(ValueError, match="longer than 0"):
            lab.read("a/b", 0)
    assert _descriptors() == before


def _descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
