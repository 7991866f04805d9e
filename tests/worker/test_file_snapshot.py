"""Copies of a directory, and images that are put back: equal to what was there, whatever was done
meanwhile."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fumehood.worker.checkpoint import copy_tree

from .places import Place, descriptors, fill, how, listing, tree

# -- whole copies


def test_a_copy_has_contents_modes_times_links_and_hard_links(place: Place) -> None:
    fill(place.live)
    before = descriptors()
    copy_tree(str(place.live), str(place.copy))
    assert tree(place.copy) == tree(place.live)
    assert (
        (place.copy / "a").stat().st_ino
        == (place.copy / "d" / "same").stat().st_ino
        != (place.live / "a").stat().st_ino
    )
    assert descriptors() <= before


def test_a_copy_is_private(place: Place) -> None:
    fill(place.live)
    copy_tree(str(place.live), str(place.copy))
    before = tree(place.live)
    (place.copy / "a").write_bytes(b"changed")
    (place.copy / "d" / "e" / "f").unlink()
    assert tree(place.live) == before


def test_an_empty_target_may_be_there(place: Place) -> None:
    fill(place.live)
    place.copy.mkdir()
    copy_tree(str(place.live), str(place.copy))
    assert tree(place.copy) == tree(place.live)


def test_what_is_no_file_is_left_out_without_waiting(place: Place) -> None:
    os.mkfifo(place.live / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place.live / "socket"))
        (place.live / "file").write_bytes(b"x")
        copy_tree(str(place.live), str(place.copy))
    assert [path.name for path in place.copy.iterdir()] == ["file"]


def test_a_sparse_file_stays_sparse_and_the_same(place: Place) -> None:
    with (place.live / "sparse").open("wb") as file:
        for start in (1 << 20, 50 << 20):
            file.seek(start)
            file.write(b"data")
        file.truncate(100 << 20)
    copy_tree(str(place.live), str(place.copy))
    status = (place.copy / "sparse").stat()
    assert status.st_size == 100 << 20 and status.st_blocks * 512 < 8 << 20
    with (place.copy / "sparse").open("rb") as file:
        file.seek((50 << 20) - 2)
        assert file.read(8) == b"\0\0data\0\0"


def test_names_that_are_no_text_are_kept(place: Place) -> None:
    name = os.fsdecode(b"\xff\xfe name\n")
    (place.live / name).mkdir()
    (place.live / name / name).write_bytes(b"x")
    copy_tree(str(place.live), str(place.copy))
    assert listing(place.copy / name) == [name]
    place.image.take()
    (place.live / name / name).unlink()
    place.image.restore()
    assert listing(place.live / name) == [name]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_copy_that_fails_leaves_nothing_and_the_original_as_it_was(
    place: Place, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    fill(place.live)
    before, open_before = tree(place.live), descriptors()

    def fail(source: int, *_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "copy_file_range", fail)
    with pytest.raises(
        OSError, match="does not fit" if number != errno.EIO else "Input/output"
    ) as raised:
        copy_tree(str(place.live), str(place.copy))
    assert raised.value.errno == number and "\n" not in str(raised.value)
    assert not place.copy.exists() and tree(place.live) == before and descriptors() <= open_before


# -- images


def test_what_was_there_is_put_back(place: Place) -> None:
    fill(place.live)
    place.image.take()
    before, open_before = tree(place.live), descriptors()
    (place.live / "a").write_bytes(b"other")
    (place.live / "empty").unlink()
    (place.live / "new").mkdir()
    (place.live / "new" / "file").write_bytes(b"x")
    shutil.rmtree(place.live / "d")
    (place.live / "d").write_bytes(b"a file where a directory was")
    (place.live / "link").unlink()
    (place.live / "link").mkdir()
    (place.live / "outside").unlink()
    (place.live / "outside").symlink_to("/elsewhere")
    place.live.chmod(0o711)
    place.image.restore()
    assert tree(place.live) == before and descriptors() <= open_before


def test_it_is_put_back_as_often_as_one_likes(place: Place) -> None:
    fill(place.live)
    place.image.take()
    before = tree(place.live)
    for number in range(3):
        (place.live / "a").write_bytes(b"%d" % number)
        (place.live / "d" / "same").unlink()
        (place.live / "d" / "e").rename(place.live / "moved")
        place.image.restore()
        assert tree(place.live) == before
    place.image.take()
    assert tree(place.live) == before


def test_a_forged_time_of_change_hides_nothing(place: Place) -> None:
    file = place.live / "a"
    file.write_bytes(b"one")
    place.image.take()
    times = (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    with file.open("r+b", buffering=0) as opened:
        opened.write(b"two")
    os.utime(file, ns=times)
    place.image.restore()
    assert file.read_bytes() == b"one"


@pytest.mark.extended
def test_a_change_right_after_an_empty_directory_was_looked_at_is_seen(place: Place) -> None:
    other = place.root / "other"
    other.write_bytes(b"x")
    for _ in range(50):
        place.image.take()
        (place.live / "a").hardlink_to(other)  # no inode more than before
        place.image.take()
        (place.live / "a").unlink()
        place.image.restore()
        assert (place.live / "a").read_bytes() == b"x"
        (place.live / "a").unlink()


def test_without_an_image_nothing_is_touched(place: Place) -> None:
    fill(place.live)
    before = tree(place.live)
    with pytest.raises(OSError, match="no copy of the files"):
        place.image.restore()
    place.image.take()
    place.image.discard()
    with pytest.raises(OSError, match="no copy of the files"):
        place.image.restore()
    assert tree(place.live) == before and not (place.root / "image").exists()


def test_an_image_that_does_not_fit_is_none_and_the_next_may_fit(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(place.live)
    before = tree(place.live)

    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patched:
        patched.setattr(os, "copy_file_range", fail)
        with pytest.raises(OSError, match="does not fit"):
            place.image.take()
    with pytest.raises(OSError, match="no copy of the files"):
        place.image.restore()
    assert tree(place.live) == before
    place.image.take()
    shutil.rmtree(place.live / "d")
    place.image.restore()
    assert tree(place.live) == before


def test_an_image_keeps_no_content_of_files_that_are_gone(place: Place) -> None:
    fill(place.live)
    place.image.take()
    for path in place.live.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    place.image.take()
    assert not [path for path in (place.root / "image").rglob("*") if not path.is_dir()]


def test_a_pipe_that_was_there_is_left_alone_and_a_new_one_is_removed(place: Place) -> None:
    os.mkfifo(place.live / "old")
    place.image.take()
    os.mkfifo(place.live / "new")
    place.image.restore()
    assert listing(place.live) == ["old"]


def test_a_file_that_became_sparse_gets_its_content_back_and_the_reverse(place: Place) -> None:
    full, sparse = place.live / "full", place.live / "sparse"
    full.write_bytes(b"x" * 100_000)
    with sparse.open("wb") as file:
        file.truncate(1 << 20)
        file.seek(500_000)
        file.write(b"data")
    expected = sparse.read_bytes()
    place.image.take()
    os.truncate(full, 0)
    os.truncate(full, 100_000)
    with sparse.open("r+b") as file:
        file.write(b"y" * (2 << 20))
    place.image.restore()
    assert full.read_bytes() == b"x" * 100_000 and sparse.read_bytes() == expected


# -- any sequence of operations

NAMES = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "x", "x/a"]
paths = st.sampled_from(NAMES)
contents = st.sampled_from([b"", b"1", b"22", b"1" * 5000])
# The operations follow links. So a link leads within the tree, or to where nothing is and nothing
# can be made.
targets = st.sampled_from(["a", "d", "d/e", "/nowhere/at/all"])
operations = st.one_of(
    st.tuples(st.just("write"), paths, contents),
    st.tuples(st.just("append"), paths, contents),
    st.tuples(st.just("truncate"), paths, st.integers(0, 3)),
    st.tuples(st.just("rename"), paths, paths),
    st.tuples(st.just("unlink"), paths),
    st.tuples(st.just("mkdir"), paths),
    st.tuples(st.just("rmtree"), paths),
    st.tuples(st.just("symlink"), paths, targets),
    st.tuples(st.just("chmod"), paths, st.sampled_from([0o600, 0o644, 0o755, 0o700])),
    st.tuples(st.just("link"), paths, paths),
    st.tuples(st.just("utime"), paths, st.integers(0, 10**18)),
    st.tuples(st.just("open"), paths, st.sampled_from([os.O_RDWR, os.O_RDWR | os.O_APPEND])),
    st.tuples(st.just("use"), contents),
)


def operate(root: Path, operation: tuple[Any, ...], opened: list[int]) -> None:
    kind, *rest = operation
    path = root / rest[0] if isinstance(rest[0], str) else root
    with contextlib.suppress(OSError):
        match kind:
            case "write":
                path.write_bytes(rest[1])
            case "append":
                with path.open("ab") as file:
                    file.write(rest[1])
            case "truncate":
                os.truncate(path, rest[1])
            case "rename":
                path.rename(root / rest[1])
            case "unlink":
                path.unlink()
            case "mkdir":
                path.mkdir()
            case "rmtree":
                shutil.rmtree(path)
            case "symlink":
                path.symlink_to(rest[1])
            case "chmod" if not path.is_symlink():
                path.chmod(rest[1])
            case "link":
                os.link(path, root / rest[1], follow_symlinks=False)
            case "utime":
                os.utime(path, ns=(rest[1], rest[1]), follow_symlinks=False)
            case "open":
                opened.append(os.open(path, rest[1] | os.O_NOFOLLOW))
            case "use":
                os.write(opened[0], rest[0]) if opened else None


def through(descriptor: int) -> tuple[Any, ...]:
    """What a descriptor gives to read, and where it stands."""
    status = os.fstat(descriptor)
    return (
        os.pread(descriptor, 100_000, 0),
        os.lseek(descriptor, 0, os.SEEK_CUR),
        how(descriptor),
        status.st_nlink,
    )


rounds = st.lists(
    st.tuples(st.lists(operations, max_size=12), st.lists(operations, max_size=12)),
    min_size=1,
    max_size=3,
)


@pytest.mark.long
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rounds)
@pytest.mark.extended
def test_whatever_was_done_is_undone(rounds: list[tuple[list[Any], list[Any]]]) -> None:
    place, opened = Place(), list[int]()
    try:
        for kept, undone in rounds:
            for operation in kept:
                operate(place.live, operation, opened)
            place.image.take()
            before, seen, count = tree(place.live), [through(one) for one in opened], len(opened)
            place.image.take()  # nothing is left behind by looking twice, or by reading
            for operation in undone:
                operate(place.live, operation, opened)
            while len(opened) > count:
                os.close(opened.pop())
            place.image.restore()
            assert tree(place.live) == before
            assert [through(one) for one in opened] == seen
            copy_tree(str(place.live), str(place.copy))
            assert tree(place.copy) == before
            shutil.rmtree(place.copy)
    finally:
        for one in opened:
            os.close(one)
        place.close()
