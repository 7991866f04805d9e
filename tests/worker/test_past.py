"""Copies of a directory, and images that are put back: equal to what was there, whatever the tree is like."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import mmap
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fumehood.worker import past, trees
from fumehood.worker.descriptors import move_descriptors
from fumehood.worker.past import Image
from fumehood.worker.trees import copy_tree

MEMORY = Path("/dev/shm")


class Place:
    """A live directory, and room beside it."""

    def __init__(self) -> None:
        # A sandbox's directory is in memory; stamps and access times differ between kinds of file systems.
        self.root = Path(tempfile.mkdtemp(dir=MEMORY if os.access(MEMORY, os.W_OK) else None, prefix="past-"))
        self.live = self.root / "live"
        self.copy = self.root / "copy"
        self.live.mkdir()
        self.image = Image(str(self.live), str(self.root / "image"))

    def close(self) -> None:
        with contextlib.suppress(OSError):
            past.Image(str(self.live), str(self.live)).discard()  # rmtree does not reach what is too deep
        shutil.rmtree(self.root, ignore_errors=True)


@pytest.fixture
def place() -> Iterator[Place]:
    place = Place()
    yield place
    place.close()


def tree(root: Path) -> dict[str, Any]:
    """All there is to know about a tree that a copy must keep."""
    found: dict[str, Any] = {}
    groups: dict[int, str] = {}
    for path in [root, *sorted(root.rglob("*"))]:
        status = path.lstat()
        name = str(path.relative_to(root))
        about: list[Any] = [stat.filemode(status.st_mode), status.st_mtime_ns]
        if path.is_symlink():
            about.append(str(path.readlink()))
        elif path.is_file():
            about += [path.read_bytes(), groups.setdefault(status.st_ino, name)]
        found[name] = about
    return found


def fill(root: Path) -> None:
    (root / "a").write_bytes(b"first")
    (root / "empty").write_bytes(b"")
    (root / "d" / "e").mkdir(parents=True)
    (root / "d" / "e" / "f").write_bytes(b"deep" * 1000)
    (root / "d" / "same").hardlink_to(root / "a")
    (root / "link").symlink_to("d/e/f")
    (root / "outside").symlink_to("/nowhere/at/all")
    (root / "dangling").symlink_to("nowhere/at/all")
    (root / "d").chmod(0o750)
    (root / "empty").chmod(0o4711)
    os.utime(root / "a", ns=(5, 1_000_000_007))
    os.utime(root / "d", ns=(5, 2_000_000_009))


def descriptors() -> int:
    return len(listing(Path("/proc/self/fd")))


def listing(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


# -- whole copies --------------------------------------------------------------------------------------------------------------------


def test_a_copy_has_contents_modes_times_links_and_hard_links(place: Place) -> None:
    fill(place.live)
    before = descriptors()
    copy_tree(str(place.live), str(place.copy))
    assert tree(place.copy) == tree(place.live)
    assert (place.copy / "a").stat().st_ino == (place.copy / "d" / "same").stat().st_ino != (place.live / "a").stat().st_ino
    assert descriptors() == before


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
    place.image.refresh()
    (place.live / name / name).unlink()
    place.image.put_back()
    assert listing(place.live / name) == [name]


def test_copying_works_where_the_kernel_does_not_do_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EXDEV, "other file system")

    monkeypatch.setattr(os, "copy_file_range", refuse)
    content = os.urandom(trees.CHUNK * 2 + 17)
    (place.live / "a").write_bytes(content)
    copy_tree(str(place.live), str(place.copy))
    assert (place.copy / "a").read_bytes() == content


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_copy_that_fails_leaves_nothing_and_the_original_as_it_was(place: Place, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    fill(place.live)
    before, open_before = tree(place.live), descriptors()

    def fail(source: int, *_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "copy_file_range", fail)
    with pytest.raises(OSError, match="does not fit" if number != errno.EIO else "Input/output") as raised:
        copy_tree(str(place.live), str(place.copy))
    assert raised.value.errno == number and "\n" not in str(raised.value)
    assert not place.copy.exists() and tree(place.live) == before and descriptors() == open_before


# -- images --------------------------------------------------------------------------------------------------------------------------


def test_what_was_there_is_put_back(place: Place) -> None:
    fill(place.live)
    place.image.refresh()
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
    place.image.put_back()
    assert tree(place.live) == before and descriptors() == open_before


def test_it_is_put_back_as_often_as_one_likes(place: Place) -> None:
    fill(place.live)
    place.image.refresh()
    before = tree(place.live)
    for number in range(3):
        (place.live / "a").write_bytes(b"%d" % number)
        (place.live / "d" / "same").unlink()
        (place.live / "d" / "e").rename(place.live / "moved")
        place.image.put_back()
        assert tree(place.live) == before
    place.image.refresh()
    assert tree(place.live) == before


def test_only_what_changed_is_copied_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "_has_fine_stamps", lambda _: True)
    for number in range(20):
        (place.live / str(number)).write_bytes(b"content")
    place.image.refresh()
    poured = []
    pour = trees.pour
    monkeypatch.setattr(trees, "pour", lambda source, target: (poured.append(os.fstat(source).st_ino), pour(source, target)))
    place.image.refresh()
    assert poured == []
    (place.live / "7").write_bytes(b"changed")
    place.image.refresh()
    assert poured == [(place.live / "7").stat().st_ino]
    place.image.put_back()
    place.image.refresh()
    assert len(poured) == 1


def test_a_change_in_the_tick_of_the_image_is_seen_where_stamps_are_coarse(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "_has_fine_stamps", lambda _: False)
    monkeypatch.setattr(past, "_stamp", lambda status: (status.st_ino, 1 << 62, status.st_size, status.st_mtime_ns, status.st_atime_ns))
    file = place.live / "a"
    file.write_bytes(b"one")
    times = (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    place.image.refresh()
    times = (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    file.write_bytes(b"two")
    os.utime(file, ns=times)
    place.image.put_back()
    assert file.read_bytes() == b"one"


def test_a_forged_time_of_change_hides_nothing(place: Place) -> None:
    file = place.live / "a"
    file.write_bytes(b"one")
    place.image.refresh()
    times = (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    with file.open("r+b", buffering=0) as opened:
        opened.write(b"two")
    os.utime(file, ns=times)
    place.image.put_back()
    assert file.read_bytes() == b"one"


def test_an_empty_directory_is_only_looked_at(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.image.refresh()

    def fail(*_: object) -> None:
        raise AssertionError("the directory was walked")

    with monkeypatch.context() as patched:
        patched.setattr(trees, "walk", fail)
        for _ in range(3):  # others use the file system, too, and then it is worth a look
            with contextlib.suppress(AssertionError):
                place.image.refresh()
                break
        else:
            pytest.skip("others make files here all the time")
    (place.live / "a").write_bytes(b"x")
    place.image.put_back()
    assert listing(place.live) == []
    (place.live / "a").write_bytes(b"x")
    place.image.refresh()
    (place.live / "a").unlink()
    place.image.put_back()
    assert (place.live / "a").read_bytes() == b"x"


def test_without_an_image_nothing_is_touched(place: Place) -> None:
    fill(place.live)
    before = tree(place.live)
    with pytest.raises(OSError, match="no image"):
        place.image.put_back()
    place.image.refresh()
    place.image.discard()
    with pytest.raises(OSError, match="no image"):
        place.image.put_back()
    assert tree(place.live) == before and not (place.root / "image").exists()


def test_an_image_that_does_not_fit_is_none_and_the_next_may_fit(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(place.live)
    before = tree(place.live)

    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patched:
        patched.setattr(os, "copy_file_range", fail)
        with pytest.raises(OSError, match="does not fit"):
            place.image.refresh()
    with pytest.raises(OSError, match="no image"):
        place.image.put_back()
    assert tree(place.live) == before
    place.image.refresh()
    shutil.rmtree(place.live / "d")
    place.image.put_back()
    assert tree(place.live) == before


def test_an_image_keeps_no_content_of_files_that_are_gone(place: Place) -> None:
    fill(place.live)
    place.image.refresh()
    for path in place.live.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    place.image.refresh()
    assert listing(place.root / "image") == []


def test_a_pipe_that_was_there_is_left_alone_and_a_new_one_is_removed(place: Place) -> None:
    os.mkfifo(place.live / "old")
    place.image.refresh()
    os.mkfifo(place.live / "new")
    place.image.put_back()
    assert listing(place.live) == ["old"]


def test_a_file_that_became_sparse_gets_its_content_back_and_the_reverse(place: Place) -> None:
    full, sparse = place.live / "full", place.live / "sparse"
    full.write_bytes(b"x" * 100_000)
    with sparse.open("wb") as file:
        file.truncate(1 << 20)
        file.seek(500_000)
        file.write(b"data")
    expected = sparse.read_bytes()
    place.image.refresh()
    os.truncate(full, 0)
    os.truncate(full, 100_000)
    with sparse.open("r+b") as file:
        file.write(b"y" * (2 << 20))
    place.image.put_back()
    assert full.read_bytes() == b"x" * 100_000 and sparse.read_bytes() == expected


# -- any sequence of operations -------------------------------------------------------------------------------------------------------

NAMES = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "x", "x/a"]
paths = st.sampled_from(NAMES)
contents = st.sampled_from([b"", b"1", b"22", b"1" * 5000])
# The operations follow links. So a link leads within the tree, or to where nothing is and nothing can be made.
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
    return os.pread(descriptor, 100_000, 0), os.lseek(descriptor, 0, os.SEEK_CUR), how(descriptor), status.st_nlink


rounds = st.lists(st.tuples(st.lists(operations, max_size=12), st.lists(operations, max_size=12)), min_size=1, max_size=3)


@pytest.mark.long
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rounds)
def test_whatever_was_done_is_undone(rounds: list[tuple[list[Any], list[Any]]]) -> None:
    place, opened = Place(), list[int]()
    try:
        for kept, undone in rounds:
            for operation in kept:
                operate(place.live, operation, opened)
            place.image.refresh()
            before, seen, count = tree(place.live), [through(one) for one in opened], len(opened)
            place.image.refresh()  # nothing is left behind by looking twice, or by reading
            for operation in undone:
                operate(place.live, operation, opened)
            while len(opened) > count:
                os.close(opened.pop())
            place.image.put_back()
            assert tree(place.live) == before
            assert [through(one) for one in opened] == seen
            copy_tree(str(place.live), str(place.copy))
            assert tree(place.copy) == before
            shutil.rmtree(place.copy)
    finally:
        for one in opened:
            os.close(one)
        place.close()


# -- descriptors ---------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(place: Place) -> Iterator[dict[str, int]]:
    """Descriptors of several kinds on what is in the directory."""
    fill(place.live)
    numbers = {
        "reading": os.open(place.live / "a", os.O_RDONLY),
        "writing": os.open(place.live / "d" / "e" / "f", os.O_RDWR),
        "appending": os.open(place.live / "d" / "e" / "f", os.O_WRONLY | os.O_APPEND),
        "directory": os.open(place.live / "d", os.O_RDONLY),
        "path": os.open(place.live, os.O_PATH),
    }
    os.lseek(numbers["reading"], 2, os.SEEK_SET)
    os.lseek(numbers["writing"], 40, os.SEEK_SET)
    os.set_inheritable(numbers["writing"], True)
    yield numbers
    for number in numbers.values():
        os.close(number)


def how(number: int) -> tuple[int, bool]:
    return fcntl.fcntl(number, fcntl.F_GETFL) & ~os.O_NOFOLLOW, os.get_inheritable(number)


def test_descriptors_move_to_the_copy_with_position_and_flags(place: Place, opened: dict[str, int]) -> None:
    copy_tree(str(place.live), str(place.copy))
    before, count = {name: how(number) for name, number in opened.items()}, descriptors()
    move_descriptors(str(place.live), str(place.copy))
    assert {name: how(number) for name, number in opened.items()} == before and descriptors() == count
    for name, path in {"reading": "a", "writing": "d/e/f", "appending": "d/e/f", "directory": "d", "path": ""}.items():
        assert os.path.samestat(os.fstat(opened[name]), (place.copy / path).stat()), name
    assert os.read(opened["reading"], 10) == b"rst"
    os.write(opened["writing"], b"HERE")
    os.write(opened["appending"], b"THE END")
    assert (place.copy / "d" / "e" / "f").read_bytes() == b"deep" * 10 + b"HERE" + b"deep" * 989 + b"THE END"
    assert (place.live / "d" / "e" / "f").read_bytes() == b"deep" * 1000
    assert tree(place.copy).keys() == tree(place.live).keys()


def test_a_descriptor_of_a_deleted_file_gets_its_own_content(place: Place, opened: dict[str, int]) -> None:
    (place.live / "d" / "e" / "f").unlink()
    copy_tree(str(place.live), str(place.copy))
    old = os.open(f"/proc/self/fd/{opened['writing']}", os.O_RDWR)
    with os.fdopen(old, "r+b") as outside:
        os.lseek(opened["writing"], 8, os.SEEK_SET)
        before = os.fstat(old).st_ino
        move_descriptors(str(place.live), str(place.copy))
        assert os.fstat(opened["writing"]).st_ino != before
        os.write(opened["writing"], b"mine")
        assert os.pread(opened["writing"], 16, 0) == b"deepdeepminedeep"
        os.write(opened["appending"], b"end")
        assert os.pread(opened["writing"], 100, 4000) == b"end"
        assert outside.read(4) == b"deep"
    assert os.fstat(opened["writing"]).st_nlink == 0
    assert tree(place.copy) == tree(place.live)


def test_a_descriptor_opened_by_a_name_that_is_gone_is_found_by_another_name(place: Place, opened: dict[str, int]) -> None:
    (place.live / "a").unlink()
    copy_tree(str(place.live), str(place.copy))
    move_descriptors(str(place.live), str(place.copy))
    assert os.path.samestat(os.fstat(opened["reading"]), (place.copy / "d" / "same").stat())


def test_a_file_whose_name_ends_like_a_deleted_one_is_not_taken_for_one(place: Place) -> None:
    name = "a (deleted)"
    (place.live / name).write_bytes(b"x")
    with (place.live / name).open("rb") as file:
        copy_tree(str(place.live), str(place.copy))
        move_descriptors(str(place.live), str(place.copy))
        assert os.path.samestat(os.fstat(file.fileno()), (place.copy / name).stat())


def test_descriptors_elsewhere_are_left_alone(place: Place) -> None:
    (place.root / "live2").write_bytes(b"a name that begins like the directory's")
    with (place.root / "live2").open("rb") as file, Path("/dev/null").open("rb") as null:
        copy_tree(str(place.live), str(place.copy))
        before = [os.fstat(one.fileno()) for one in (file, null)]
        move_descriptors(str(place.live), str(place.copy))
        assert [os.fstat(one.fileno()) for one in (file, null)] == before


def test_copies_of_a_descriptor_still_have_one_position_and_others_their_own(place: Place) -> None:
    (place.live / "a").write_bytes(b"0123456789")
    first = os.open(place.live / "a", os.O_RDWR)
    twin, other = os.dup(first), os.open(place.live / "a", os.O_RDWR)
    try:
        copy_tree(str(place.live), str(place.copy))
        move_descriptors(str(place.live), str(place.copy))
        assert (os.read(first, 3), os.read(twin, 3), os.read(other, 3)) == (b"012", b"345", b"012")
        assert os.path.samestat(os.fstat(twin), (place.copy / "a").stat())
        image = Image(str(place.copy), str(place.root / "second"))
        image.refresh()
        os.read(twin, 2)
        (place.copy / "a").unlink()
        image.put_back()
        assert (os.read(first, 1), os.read(twin, 1), os.read(other, 1)) == (b"6", b"7", b"3")
    finally:
        for number in (first, twin, other):
            os.close(number)


def test_the_working_directory_moves_and_is_put_back(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(place.live)
    monkeypatch.chdir(place.live / "d" / "e")
    place.image.refresh()
    shutil.rmtree(place.live / "d")
    place.image.put_back()
    assert Path.cwd() == place.live / "d" / "e"
    copy_tree(str(place.live), str(place.copy))
    move_descriptors(str(place.live), str(place.copy))
    assert Path.cwd() == place.copy / "d" / "e"


def test_descriptors_are_put_back_to_where_they_were(place: Place, opened: dict[str, int]) -> None:
    place.image.refresh()
    before, count = {name: how(number) for name, number in opened.items()}, descriptors()
    os.read(opened["reading"], 2)
    os.write(opened["writing"], b"changed")
    inode = os.fstat(opened["reading"]).st_ino
    shutil.rmtree(place.live / "d")
    place.image.put_back()
    assert {name: how(number) for name, number in opened.items()} == before and descriptors() == count
    assert os.fstat(opened["reading"]).st_ino == inode, "a file that is still there is rewritten, not replaced"
    assert os.read(opened["reading"], 10) == b"rst"
    assert os.read(opened["writing"], 4) == b"deep" and os.lseek(opened["writing"], 0, os.SEEK_CUR) == 44
    os.write(opened["appending"], b"end")
    assert (place.live / "d" / "e" / "f").read_bytes() == b"deep" * 1000 + b"end"
    assert os.path.samestat(os.fstat(opened["directory"]), (place.live / "d").stat())


def test_a_number_that_stands_for_something_else_by_now_is_left_alone(place: Place, opened: dict[str, int]) -> None:
    place.image.refresh()
    (place.root / "other").write_bytes(b"other")
    other = os.open(place.root / "other", os.O_RDONLY)
    os.dup2(other, opened["reading"])
    os.close(other)
    (place.live / "a").unlink()
    place.image.put_back()
    assert os.read(opened["reading"], 10) == b"other"


def test_a_file_that_never_had_a_name_is_put_back(place: Place) -> None:
    with tempfile.TemporaryFile(dir=place.live) as file:
        place.image.refresh()
        file.write(b"kept")
        file.flush()
        place.image.refresh()
        file.seek(0)
        file.write(b"lost and more")
        file.flush()
        place.image.put_back()
        assert os.pread(file.fileno(), 100, 0) == b"kept" and os.lseek(file.fileno(), 0, os.SEEK_CUR) == 4


def test_a_file_without_a_name_is_seen_in_a_directory_that_stays_empty(place: Place) -> None:
    if not os.statvfs(place.live).f_files:
        pytest.skip("this file system does not count its files")
    place.image.refresh()
    with tempfile.TemporaryFile(dir=place.live, buffering=0) as file:
        file.write(b"kept")
        place.image.refresh()
        file.write(b" and lost")
        place.image.put_back()
        assert os.pread(file.fileno(), 100, 0) == b"kept"


def test_writing_to_mapped_memory_is_undone(place: Place) -> None:
    (place.live / "a").write_bytes(b"x" * 10_000)
    with (place.live / "a").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[0] = mapped[5000] = ord("1")
        place.image.refresh()
        place.image.refresh()
        mapped[0] = mapped[5000] = ord("2")  # leaves no stamp: the pages are writable already
        place.image.put_back()
        assert mapped[:1] == b"1" and mapped[5000:5001] == b"1"
        mapped[0] = ord("3")
        place.image.refresh()
        mapped[0] = ord("4")
    place.image.put_back()
    assert (place.live / "a").read_bytes()[:2] == b"3x"


def test_an_image_has_what_was_written_to_mapped_memory(place: Place) -> None:
    file = place.live / "a"
    file.write_bytes(b"x" * 10_000)
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as mapped:
        mapped[0] = ord("1")
        place.image.refresh()
        for digit in b"23":
            mapped[0] = digit
            place.image.refresh()
        mapped[0] = ord("4")
    place.image.refresh()  # the mapping is gone, and was written to since the last look
    file.unlink()
    place.image.put_back()
    assert file.read_bytes()[:2] == b"4x"


def test_a_mapping_that_came_and_went_is_undone(place: Place) -> None:
    if os.statvfs(place.live).f_flag & os.ST_NOATIME:
        pytest.skip("this file system does not keep times of access")
    (place.live / "a").write_bytes(b"x" * 10_000)
    place.image.refresh()
    place.image.refresh()
    for _ in range(2):
        with (place.live / "a").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
            mapped[0] = mapped[0] + 1  # read first: the write leaves no stamp
        place.image.put_back()
        assert (place.live / "a").read_bytes() == b"x" * 10_000


# -- hostile trees -------------------------------------------------------------------------------------------------------------------


def dig(root: Path, depth: int) -> None:
    """Directories within directories, far beyond the longest path, with a file at the bottom."""
    directory = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("a-rather-long-name", dir_fd=directory)
        below = os.open("a-rather-long-name", os.O_RDONLY, dir_fd=directory)
        os.close(directory)
        directory = below
    with os.fdopen(os.open("bottom", os.O_CREAT | os.O_RDWR, dir_fd=directory), "wb") as file:
        file.write(b"deep down")
    os.link("bottom", "again", src_dir_fd=directory, dst_dir_fd=directory)
    os.close(directory)


def bottom(root: Path, depth: int) -> bytes:
    number, _ = trees.open_below(str(root), ["a-rather-long-name"] * depth + ["bottom"], os.O_RDONLY)
    with os.fdopen(number, "rb") as file:
        return file.read()


def test_a_tree_deeper_than_the_longest_path_is_copied_moved_and_put_back(place: Place) -> None:
    depth = 300  # more than the descriptors a sandbox may have, and more than the longest path
    dig(place.live, depth)
    number, _ = trees.open_below(str(place.live), ["a-rather-long-name"] * depth + ["bottom"], os.O_RDONLY)
    with os.fdopen(number, "rb", buffering=0) as file:
        assert file.read(5) == b"deep "
        place.image.refresh()
        with trees.Spot(str(place.live)) as spot:
            trees.empty(spot)
        place.image.put_back()
        assert bottom(place.live, depth) == b"deep down" and file.read() == b"down"
        copy_tree(str(place.live), str(place.copy))
        before = os.fstat(number).st_ino
        move_descriptors(str(place.live), str(place.copy))
        assert os.fstat(number).st_ino != before and os.pread(number, 100, 0) == b"deep down"
    with trees.Spot(str(place.copy)) as spot:
        trees.empty(spot)
    assert listing(place.copy) == []


def test_no_link_is_followed(place: Place) -> None:
    outside = place.root / "outside"
    outside.mkdir(mode=0o755)
    (outside / "f").write_bytes(b"outside")
    (place.live / "d").mkdir()
    (place.live / "f").write_bytes(b"inside")
    place.image.refresh()
    before = tree(outside)
    (place.live / "d").rmdir()
    (place.live / "d").symlink_to(outside)
    (place.live / "f").unlink()
    (place.live / "f").symlink_to(outside / "f")
    (place.live / "new").symlink_to(outside)
    copy_tree(str(place.live), str(place.copy))
    assert (place.copy / "d").is_symlink() and (place.copy / "f").is_symlink()
    place.image.put_back()
    assert tree(outside) == before
    assert (place.live / "d").is_dir() and not (place.live / "d").is_symlink() and (place.live / "f").read_bytes() == b"inside"


def test_files_that_vanish_during_the_walk_are_left_out(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (place.live / name).write_bytes(b"x")
        (place.live / f"dir-{name}").mkdir()
    entries = trees.Spot.entries

    def vanish(spot: trees.Spot) -> list[os.DirEntry[str]]:
        found = entries(spot)
        if not spot.names:
            (place.live / "a").unlink(missing_ok=True)
            shutil.rmtree(place.live / "dir-a", ignore_errors=True)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(trees.Spot, "entries", vanish)
        copy_tree(str(place.live), str(place.copy))
    assert listing(place.copy) == ["b", "dir-b"]
    (place.live / "a").write_bytes(b"x")
    (place.live / "dir-a").mkdir()
    with monkeypatch.context() as patched:
        patched.setattr(trees.Spot, "entries", vanish)
        place.image.refresh()
    place.image.put_back()
    assert listing(place.live) == ["b", "dir-b"]


@pytest.mark.parametrize("what", ["pipe", "link", "directory"])
@pytest.mark.parametrize("name", ["file", "folder"])
def test_what_turns_into_something_else_during_the_walk_is_neither_followed_nor_waited_for(
    place: Place, monkeypatch: pytest.MonkeyPatch, name: str, what: str
) -> None:
    outside = place.root / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")

    def prepare() -> None:
        for path in list(place.live.iterdir()):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        (place.live / "file").write_bytes(b"x")
        (place.live / "folder").mkdir()

    real = trees.open_anyway

    def swap(asked: str, flags: int, directory: int | None = None) -> tuple[int, int | None]:
        path = place.live / name
        if asked == name and path.lstat().st_ino == original:
            path.rmdir() if name == "folder" else path.unlink()
            if what == "pipe":
                os.mkfifo(path)
            elif what == "link":
                path.symlink_to(outside if name == "folder" else outside / "secret")
            else:
                path.mkdir()
        return real(asked, flags, directory)

    for use in (lambda: copy_tree(str(place.live), str(place.copy)), place.image.refresh):
        prepare()
        original = (place.live / name).lstat().st_ino
        with monkeypatch.context() as patched:
            patched.setattr(trees, "open_anyway", swap)
            use()
    assert b"secret" not in [path.read_bytes() for path in (*place.copy.rglob("*"), *(place.root / "image").iterdir()) if path.is_file()]
    assert (outside / "secret").read_bytes() == b"secret"


def run_unprivileged(place: Place, body: str) -> None:
    """In a process that permissions hold for."""
    place.root.chmod(0o777)
    place.live.rmdir()
    program = f"""
        import os
        from pathlib import Path
        from fumehood.worker.descriptors import move_descriptors
        from fumehood.worker.past import Image
        from fumehood.worker.trees import copy_tree
        root = {str(place.root)!r}
        os.chdir("/")
        if not os.geteuid():
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
    """
    program = textwrap.dedent(program) + textwrap.dedent(body)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_nobody_may_read_is_copied_and_put_back_with_its_mode(place: Place) -> None:
    run_unprivileged(
        place,
        """
        live, copy = Path(root, "live"), Path(root, "copy")
        (live / "d" / "e").mkdir(parents=True)
        (live / "d" / "e" / "f").write_bytes(b"secret")
        (live / "f").write_bytes(b"closed")
        number = os.open(live / "f", os.O_RDWR)
        closed = [live / "f", live / "d/e/f", live / "d/e", live / "d"]
        for path in closed:
            path.chmod(0)
        def check(where):
            assert where.stat().st_mode & 0o777 == 0o755
            for path in reversed(closed):
                path = where / path.relative_to(live)
                assert path.stat().st_mode & 0o777 == 0, path
                path.chmod(0o700)
            assert (where / "d/e/f").read_bytes() == b"secret" and (where / "f").read_bytes() == b"closed"
            for path in closed:
                (where / path.relative_to(live)).chmod(0)
        live.chmod(0o755)
        copy_tree(str(live), str(copy))
        check(copy)
        check(live)
        image = Image(str(live), root + "/image")
        image.refresh()
        check(live)
        image.put_back()
        check(live)
        (live / "f").unlink()
        (live / "d").chmod(0o700)
        (live / "d/e").chmod(0o700)
        (live / "d/e/f").unlink()
        (live / "d/e").rename(live / "moved")
        (live / "moved").chmod(0)
        live.chmod(0)
        image.put_back()
        check(live)
        move_descriptors(str(live), str(copy))
        assert os.pread(number, 10, 0) == b"closed" and os.path.samestat(os.fstat(number), (copy / "f").stat())
        check(copy)
        """,
    )


def test_many_files_in_few_descriptors(place: Place) -> None:
    for number in range(600):
        directory = place.live / str(number % 300)
        directory.mkdir(exist_ok=True)
        (directory / str(number)).write_bytes(b"x")
    before, count = tree(place.live), descriptors()
    place.image.refresh()
    shutil.rmtree(place.live / "7")
    place.image.put_back()
    assert tree(place.live) == before and descriptors() == count


FULL = """
import errno, os, sys
from fumehood.worker.past import Image
from fumehood.worker.trees import copy_tree
from pathlib import Path
live, copy = Path(sys.argv[1], "live"), Path(sys.argv[1], "copy")
live.mkdir()
for name in ("kept", "grown", "kept too"):  # whatever the order in which they are listed, something comes before its room is free
    (live / name).write_bytes(b"k" * 100_000)
(live / "d").mkdir()
image = Image(str(live), sys.argv[1] + "/image")
image.refresh()
for name in ("kept", "kept too"):
    os.truncate(live / name, 0)
def stuff(path):
    try:
        with open(path, "ab", buffering=0) as file:
            while True:
                file.write(bytes(50_000))
    except OSError as error:
        assert error.errno == errno.ENOSPC
(live / "new").write_bytes(bytes(50_000))
stuff(live / "grown")
try:
    copy_tree(str(live), str(copy))
except OSError as error:
    assert "does not fit" in str(error), error
else:
    raise AssertionError("it was full")
assert not copy.exists()
image.put_back()
assert {path.name for path in live.iterdir()} == {"kept", "grown", "kept too", "d"}
assert {path.read_bytes() for path in live.iterdir() if path.is_file()} == {b"k" * 100_000}
(live / "grown").write_bytes(bytes(500_000))
try:
    image.refresh()
except OSError as error:
    assert "does not fit" in str(error), error
else:
    raise AssertionError("it was full")
assert not os.path.exists(sys.argv[1] + "/image") and (live / "kept").read_bytes() == b"k" * 100_000
"""


def test_a_file_system_that_is_full_is_put_back_all_the_same_and_a_copy_leaves_nothing_there(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("there is no unshare program")
    mount = 'mount -t tmpfs -o size=1m tmpfs "$1" || exit 99; exec "$2" -c "$3" "$1"'
    command = [unshare, "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", str(tmp_path), sys.executable, FULL]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 99 or "unshare failed" in done.stderr:
        pytest.skip(f"no file system of its own can be had: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
