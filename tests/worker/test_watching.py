"""Seeing what happens to files, by the kernel's word and by looking: both tell the same of what
they both can see."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fumehood.jail import kernel
from fumehood.worker import file_server
from fumehood.worker.file_server import Lab, Looker, Watcher, watch

Make = Callable[..., Watcher | Looker]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # a watcher goes where it looks, and a test comes back from there
    directory = tmp_path / "lab" / "home"
    directory.mkdir(parents=True)
    return directory


@pytest.fixture(params=[Watcher, Looker])
def make(place: Path, request: pytest.FixtureRequest) -> Iterator[Make]:
    root = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    made: list[Watcher | Looker] = []

    def make(path: str = "", *, recursive: bool = False) -> Watcher | Looker:
        made.append(request.param(Lab(root), path, recursive=recursive))
        return made[-1]

    yield make
    os.close(root)
    for one in made:
        if one.descriptor >= 0:
            os.close(one.descriptor)


def test_what_is_made_written_closed_and_removed_is_told(place: Path, make: Make) -> None:
    (place / "old").write_text("old")
    watcher = make()
    assert watcher.happened() == []
    (place / "new").touch()
    (place / "d").mkdir()
    assert sorted(watcher.happened()) == [("d", "create"), ("new", "create")]
    (place / "old").write_text("longer than it was")
    assert watcher.happened() == [("old", "write")]
    (place / "old").chmod(0o600)
    assert watcher.happened() == [("old", "chmod")]
    (place / "new").unlink()
    (place / "d").rmdir()
    assert sorted(watcher.happened()) == [("d", "remove"), ("new", "remove")]
    assert watcher.happened() == []


def test_directories_below_are_looked_into_only_if_asked_for(place: Path, make: Make) -> None:
    (place / "a").mkdir()
    flat, deep = make(), make(recursive=True)
    (place / "a" / "b").mkdir()
    (place / "a" / "b" / "c").touch()
    assert flat.happened() == []
    assert [*dict.fromkeys(deep.happened())] == [("a/b", "create"), ("a/b/c", "create")]


def test_a_directory_that_is_watched_goes_away(place: Path, make: Make) -> None:
    (place / "a").mkdir()
    (place / "a" / "b").touch()
    watcher = make("a")
    (place / "a" / "b").unlink()
    (place / "a").rmdir()
    assert watcher.happened()[-1] in [("a", "remove"), ("a/b", "remove")]
    (place / "a").mkdir()
    assert [kind for _path, kind in watcher.happened() if kind not in ("create", "remove")] == []


def test_no_link_is_gone_into(place: Path, make: Make) -> None:
    outside = place.parent / "outside"
    outside.mkdir()
    watcher = make(recursive=True)
    (place / "link").symlink_to(outside)
    assert watcher.happened() == [("link", "create")]
    (outside / "x").touch()
    assert watcher.happened() == []
    with pytest.raises(NotADirectoryError):
        make("link")


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
    assert "lost" in {kind for _path, kind in watcher.happened()}


def test_something_renamed_within_and_out_of_what_is_watched(place: Path, make: Make) -> None:
    (place / "a" / "b").mkdir(parents=True)
    watcher = make(recursive=True)
    (place / "a").rename(place / "z")
    told = watcher.happened()
    assert (
        told[0] in [("a", "rename"), ("a", "remove")]
        and ("z", "create") in told
        and ("z/b", "create") in told
    )
    (place / "z" / "b" / "new").touch()
    assert watcher.happened() == [("z/b/new", "create")]
    (place / "z").rename(place.parent / "gone")
    assert watcher.happened()[-1][0].startswith("z")
    (place.parent / "gone" / "b" / "more").touch()
    assert watcher.happened() == []


def test_where_the_kernel_gives_no_word_somebody_looks(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> int:
        raise OSError(24, "no more")

    monkeypatch.setattr(kernel, "inotify", refuse)
    root = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    watcher = watch(Lab(root), "", recursive=False)
    (place / "a").touch()
    assert isinstance(watcher, Looker) and watcher.happened() == [("a", "create")]
    with pytest.raises(FileNotFoundError):
        watch(Lab(root), "missing", recursive=False)
    os.close(root)
