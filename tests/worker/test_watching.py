"""Watching files, with and without inotify: both report the same changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fumehood.jail import kernel
from fumehood.worker import file_server
from fumehood.worker.file_server import Watch, Workspace

Make = Callable[..., Watch]


def refuse() -> int:
    raise OSError(24, "no more")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # a watcher goes where it looks, and a test comes back from there
    directory = tmp_path / "lab" / "home"
    directory.mkdir(parents=True)
    return directory


@pytest.fixture(params=["told by the kernel", "looking"])
def make(
    place: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Make]:
    if request.param == "looking":
        monkeypatch.setattr(kernel, "inotify", refuse)
    root = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    made: list[Watch] = []

    def make(path: str = "", *, recursive: bool = False) -> Watch:
        made.append(Watch(Workspace(root), path, recursive=recursive))
        return made[-1]

    yield make
    os.close(root)
    for one in made:
        if one.descriptor >= 0:
            os.close(one.descriptor)


def test_what_is_made_written_closed_and_removed_is_told(place: Path, make: Make) -> None:
    (place / "old").write_text("old")
    watcher = make()
    assert watcher.changes() == []
    (place / "new").touch()
    (place / "d").mkdir()
    assert sorted(watcher.changes()) == [("d", "create"), ("new", "create")]
    (place / "old").write_text("longer than it was")
    assert watcher.changes() == [("old", "write")]
    (place / "old").chmod(0o600)
    assert watcher.changes() == [("old", "chmod")]
    (place / "new").unlink()
    (place / "d").rmdir()
    assert sorted(watcher.changes()) == [("d", "remove"), ("new", "remove")]
    assert watcher.changes() == []


def test_directories_below_are_looked_into_only_if_asked_for(place: Path, make: Make) -> None:
    (place / "a").mkdir()
    flat, deep = make(), make(recursive=True)
    (place / "a" / "b").mkdir()
    (place / "a" / "b" / "c").touch()
    assert flat.changes() == []
    assert [*dict.fromkeys(deep.changes())] == [("a/b", "create"), ("a/b/c", "create")]


def test_a_directory_that_is_watched_goes_away(place: Path, make: Make) -> None:
    (place / "a").mkdir()
    (place / "a" / "b").touch()
    watcher = make("a")
    (place / "a" / "b").unlink()
    (place / "a").rmdir()
    assert watcher.changes()[-1] in [("a", "remove"), ("a/b", "remove")]
    (place / "a").mkdir()
    assert [kind for _path, kind in watcher.changes() if kind not in ("create", "remove")] == []


def test_no_link_is_gone_into(place: Path, make: Make) -> None:
    outside = place.parent / "outside"
    outside.mkdir()
    watcher = make(recursive=True)
    (place / "link").symlink_to(outside)
    assert watcher.changes() == [("link", "create")]
    (outside / "x").touch()
    assert watcher.changes() == []
    with pytest.raises(NotADirectoryError):
        make("link")
    with pytest.raises(FileNotFoundError):
        make("missing")


def test_more_than_can_be_known_is_told_as_lost(
    place: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_server, "MOST_NAMES", 5)
    monkeypatch.setattr(file_server, "MOST_DIRECTORIES", 3)
    watcher = make(recursive=True)
    for number in range(4):
        (place / str(number)).mkdir()
        for other in range(3):
            (place / str(number) / str(other)).touch()
    assert "lost" in {kind for _path, kind in watcher.changes()}


def test_something_renamed_within_and_out_of_what_is_watched(place: Path, make: Make) -> None:
    (place / "a" / "b").mkdir(parents=True)
    watcher = make(recursive=True)
    (place / "a").rename(place / "z")
    told = watcher.changes()
    assert (
        told[0] in [("a", "rename"), ("a", "remove")]
        and ("z", "create") in told
        and ("z/b", "create") in told
    )
    (place / "z" / "b" / "new").touch()
    assert watcher.changes() == [("z/b/new", "create")]
    (place / "z").rename(place.parent / "gone")
    assert watcher.changes()[-1][0].startswith("z")
    (place.parent / "gone" / "b" / "more").touch()
    assert watcher.changes() == []
