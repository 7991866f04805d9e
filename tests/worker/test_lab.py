"""Files of the lab: regular ones, below it, no link followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood.worker.file_server import Workspace

from ..executors.hosts import wait_until


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The home of a lab."""
    for part in ("tmp", "home"):
        (tmp_path / "lab" / part).mkdir(parents=True)
    return tmp_path / "lab" / "home"


@pytest.fixture
def lab(place: Path) -> Iterator[Workspace]:
    root = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    yield Workspace(root)
    os.close(root)


def test_a_file_is_written_with_its_directories_and_read(lab: Workspace, place: Path) -> None:
    lab.write("a/b/c", b"content")
    lab.write("/home/user/d", b"")
    lab.write("/tmp/e", b"temporary")
    assert lab.read("a/b/c", 100)[:2] == (b"content", 7)
    assert lab.listing(10) == [("a/b/c", 7), ("d", 0)]
    assert [row[0] for row in lab.entries("/tmp", 1, 10)] == ["/tmp/e"]
    assert (place.parent / "tmp/e").read_bytes() == b"temporary"


def test_a_file_is_replaced_and_not_added_to(lab: Workspace, place: Path) -> None:
    lab.write("a", b"long content")
    lab.write("a", b"short")
    assert (place / "a").read_bytes() == b"short"


def test_a_file_is_read_in_pieces_and_each_tells_which_file_it_is_of(
    lab: Workspace, place: Path
) -> None:
    lab.write("a", b"12345")
    number = (place / "a").stat().st_ino
    assert [lab.read("a", 2, at) for at in (0, 2, 4, 6)] == [
        (piece, 5, number) for piece in (b"12", b"34", b"5", b"")
    ]


def test_a_file_is_written_from_somewhere_on(lab: Workspace, place: Path) -> None:
    lab.write("a", b"1234567")
    lab.write("a", b"xy", 4)
    assert (place / "a").read_bytes() == b"1234xy"
    with pytest.raises(FileNotFoundError):
        lab.write("b", b"xy", 4)


@pytest.mark.parametrize(
    "path",
    ["", ".", "..", "../x", "a/../../x", "/", "/etc/passwd", "a/../..", "//etc/passwd", "./.."],
)
def test_a_path_that_is_not_below_is_refused(lab: Workspace, place: Path, path: str) -> None:
    (place.parent / "x").write_bytes(b"outside")
    for use in (lambda: lab.read(path, 100), lambda: lab.write(path, b"changed")):
        with pytest.raises((ValueError, OSError)):
            use()
    assert (place.parent / "x").read_bytes() == b"outside"


@pytest.mark.parametrize("path", ["..a", "...", "a..b", "-", " ", "ü", "a\nb"])
def test_a_name_that_only_looks_odd_is_a_name(lab: Workspace, place: Path, path: str) -> None:
    lab.write(path, b"x")
    assert lab.read(path, 1)[0] == b"x"
    assert lab.listing(5) == [(path, 1)]


def test_no_link_is_followed_on_the_way_or_at_its_end(lab: Workspace, place: Path) -> None:
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
    assert {path.name for path in place.parent.iterdir()} == {"home", "outside", "tmp"}
    assert lab.listing(10) == []


def test_what_is_no_regular_file_is_refused_without_waiting(lab: Workspace, place: Path) -> None:
    os.mkfifo(place / "pipe")
    (place / "directory").mkdir()
    for path in ("pipe", "directory"):
        with pytest.raises((ValueError, OSError)):
            lab.read(path, 100)
        with pytest.raises((ValueError, OSError)):
            lab.write(path, b"x")


def test_more_files_than_asked_for_are_an_error(lab: Workspace, place: Path) -> None:
    for number in range(4):
        lab.write(str(number), b"")
    assert len(lab.listing(4)) == 4
    with pytest.raises(ValueError, match="more than 3"):
        lab.listing(3)


def test_no_descriptor_is_left_open(lab: Workspace) -> None:
    before = _descriptors()
    for _ in range(5):
        lab.write("a/b", b"x")
        lab.read("a/b", 5)
        with pytest.raises(FileNotFoundError):
            lab.read("a/missing/c", 5)
        with pytest.raises(NotADirectoryError):
            lab.entries("a/b", 1, 5)
        lab.entries("", 3, 5)
        lab.rename("a/b", "c/d")
        lab.remove("c")
    wait_until(lambda: _descriptors() <= before, "all are closed")


def _descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
