"""Descriptors and mappings that were on what is copied or put back, and trees that somebody made to
do harm."""

from __future__ import annotations

import mmap
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood.worker import trees
from fumehood.worker.checkpoint import copy_tree, move_descriptors

from .places import Place, descriptors, fill, how, listing, tree

# -- descriptors


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


def test_descriptors_move_to_the_copy_with_position_and_flags(
    place: Place, opened: dict[str, int]
) -> None:
    paths = copy_tree(str(place.live), str(place.copy))
    before, count = {name: how(number) for name, number in opened.items()}, descriptors()
    move_descriptors(str(place.live), str(place.copy), paths)
    assert {
        name: how(number) for name, number in opened.items()
    } == before and descriptors() <= count
    for name, path in {
        "reading": "a",
        "writing": "d/e/f",
        "appending": "d/e/f",
        "directory": "d",
        "path": "",
    }.items():
        assert os.path.samestat(os.fstat(opened[name]), (place.copy / path).stat()), name
    assert os.read(opened["reading"], 10) == b"rst"
    os.write(opened["writing"], b"HERE")
    os.write(opened["appending"], b"THE END")
    assert (
        place.copy / "d" / "e" / "f"
    ).read_bytes() == b"deep" * 10 + b"HERE" + b"deep" * 989 + b"THE END"
    assert (place.live / "d" / "e" / "f").read_bytes() == b"deep" * 1000
    assert tree(place.copy).keys() == tree(place.live).keys()


def test_a_descriptor_of_a_deleted_file_gets_its_own_content(
    place: Place, opened: dict[str, int]
) -> None:
    (place.live / "d" / "e" / "f").unlink()
    paths = copy_tree(str(place.live), str(place.copy))
    old = os.open(f"/proc/self/fd/{opened['writing']}", os.O_RDWR)
    with os.fdopen(old, "r+b") as outside:
        os.lseek(opened["writing"], 8, os.SEEK_SET)
        before = os.fstat(old).st_ino
        move_descriptors(str(place.live), str(place.copy), paths)
        assert os.fstat(opened["writing"]).st_ino != before
        os.write(opened["writing"], b"mine")
        assert os.pread(opened["writing"], 16, 0) == b"deepdeepminedeep"
        os.write(opened["appending"], b"end")
        assert os.pread(opened["writing"], 100, 4000) == b"end"
        assert outside.read(4) == b"deep"
    assert os.fstat(opened["writing"]).st_nlink == 0
    assert tree(place.copy) == tree(place.live)


def test_a_descriptor_opened_by_a_name_that_is_gone_is_found_by_another_name(
    place: Place, opened: dict[str, int]
) -> None:
    (place.live / "a").unlink()
    paths = copy_tree(str(place.live), str(place.copy))
    move_descriptors(str(place.live), str(place.copy), paths)
    assert os.path.samestat(os.fstat(opened["reading"]), (place.copy / "d" / "same").stat())


def test_a_file_whose_name_ends_like_a_deleted_one_is_not_taken_for_one(place: Place) -> None:
    name = "a (deleted)"
    (place.live / name).write_bytes(b"x")
    with (place.live / name).open("rb") as file:
        paths = copy_tree(str(place.live), str(place.copy))
        move_descriptors(str(place.live), str(place.copy), paths)
        assert os.path.samestat(os.fstat(file.fileno()), (place.copy / name).stat())


def test_descriptors_elsewhere_are_left_alone(place: Place) -> None:
    (place.root / "live2").write_bytes(b"a name that begins like the directory's")
    with (place.root / "live2").open("rb") as file, Path("/dev/null").open("rb") as null:
        paths = copy_tree(str(place.live), str(place.copy))
        before = [os.fstat(one.fileno()) for one in (file, null)]
        move_descriptors(str(place.live), str(place.copy), paths)
        assert [os.fstat(one.fileno()) for one in (file, null)] == before


def test_the_working_directory_moves_and_is_put_back(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(place.live)
    monkeypatch.chdir(place.live / "d" / "e")
    place.image.take()
    shutil.rmtree(place.live / "d")
    place.image.restore()
    assert Path.cwd() == place.live / "d" / "e"
    paths = copy_tree(str(place.live), str(place.copy))
    move_descriptors(str(place.live), str(place.copy), paths)
    assert Path.cwd() == place.copy / "d" / "e"


def test_descriptors_are_put_back_to_where_they_were(place: Place, opened: dict[str, int]) -> None:
    place.image.take()
    before, count = {name: how(number) for name, number in opened.items()}, descriptors()
    os.read(opened["reading"], 2)
    os.write(opened["writing"], b"changed")
    inode = os.fstat(opened["reading"]).st_ino
    shutil.rmtree(place.live / "d")
    place.image.restore()
    assert {
        name: how(number) for name, number in opened.items()
    } == before and descriptors() <= count
    assert os.fstat(opened["reading"]).st_ino == inode, (
        "a file that is still there is rewritten, not replaced"
    )
    assert os.read(opened["reading"], 10) == b"rst"
    assert (
        os.read(opened["writing"], 4) == b"deep"
        and os.lseek(opened["writing"], 0, os.SEEK_CUR) == 44
    )
    os.write(opened["appending"], b"end")
    assert (place.live / "d" / "e" / "f").read_bytes() == b"deep" * 1000 + b"end"
    assert os.path.samestat(os.fstat(opened["directory"]), (place.live / "d").stat())


def test_a_number_that_stands_for_something_else_by_now_is_left_alone(
    place: Place, opened: dict[str, int]
) -> None:
    place.image.take()
    (place.root / "other").write_bytes(b"other")
    other = os.open(place.root / "other", os.O_RDONLY)
    os.dup2(other, opened["reading"])
    os.close(other)
    (place.live / "a").unlink()
    place.image.restore()
    assert os.read(opened["reading"], 10) == b"other"


def test_a_file_that_never_had_a_name_is_put_back(place: Place) -> None:
    with tempfile.TemporaryFile(dir=place.live) as file:
        place.image.take()
        file.write(b"kept")
        file.flush()
        place.image.take()
        file.seek(0)
        file.write(b"lost and more")
        file.flush()
        place.image.restore()
        assert (
            os.pread(file.fileno(), 100, 0) == b"kept"
            and os.lseek(file.fileno(), 0, os.SEEK_CUR) == 4
        )


def test_a_file_without_a_name_is_seen_in_a_directory_that_stays_empty(place: Place) -> None:
    if not os.statvfs(place.live).f_files:
        pytest.skip("this file system does not count its files")
    place.image.take()
    with tempfile.TemporaryFile(dir=place.live, buffering=0) as file:
        file.write(b"kept")
        place.image.take()
        file.write(b" and lost")
        place.image.restore()
        assert os.pread(file.fileno(), 100, 0) == b"kept"


def test_writing_to_mapped_memory_is_undone(place: Place) -> None:
    (place.live / "a").write_bytes(b"x" * 10_000)
    with (place.live / "a").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[0] = mapped[5000] = ord("1")
        place.image.take()
        place.image.take()
        mapped[0] = mapped[5000] = ord("2")  # leaves no stamp: the pages are writable already
        place.image.restore()
        assert mapped[:1] == b"1" and mapped[5000:5001] == b"1"
        mapped[0] = ord("3")
        place.image.take()
        mapped[0] = ord("4")
    place.image.restore()
    assert (place.live / "a").read_bytes()[:2] == b"3x"


def test_an_image_has_what_was_written_to_mapped_memory(place: Place) -> None:
    file = place.live / "a"
    file.write_bytes(b"x" * 10_000)
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as mapped:
        mapped[0] = ord("1")
        place.image.take()
        for digit in b"23":
            mapped[0] = digit
            place.image.take()
        mapped[0] = ord("4")
    place.image.take()  # the mapping is gone, and was written to since the last look
    file.unlink()
    place.image.restore()
    assert file.read_bytes()[:2] == b"4x"


def test_a_mapping_that_came_and_went_is_undone(place: Place) -> None:
    if os.statvfs(place.live).f_flag & os.ST_NOATIME:
        pytest.skip("this file system does not keep times of access")
    (place.live / "a").write_bytes(b"x" * 10_000)
    place.image.take()
    place.image.take()
    for _ in range(2):
        with (place.live / "a").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
            mapped[0] = mapped[0] + 1  # read first: the write leaves no stamp
        place.image.restore()
        assert (place.live / "a").read_bytes() == b"x" * 10_000


# -- hostile trees


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
    number, _ = trees.open_below(
        str(root), ["a-rather-long-name"] * depth + ["bottom"], os.O_RDONLY
    )
    with os.fdopen(number, "rb") as file:
        return file.read()


def test_a_tree_deeper_than_the_longest_path_is_copied_moved_and_put_back(place: Place) -> None:
    depth = 300  # more than the descriptors a sandbox may have, and more than the longest path
    dig(place.live, depth)
    number, _ = trees.open_below(
        str(place.live), ["a-rather-long-name"] * depth + ["bottom"], os.O_RDONLY
    )
    with os.fdopen(number, "rb", buffering=0) as file:
        assert file.read(5) == b"deep "
        place.image.take()
        with trees.Spot(str(place.live)) as spot:
            trees.empty(spot)
        place.image.restore()
        assert bottom(place.live, depth) == b"deep down" and file.read() == b"down"
        paths = copy_tree(str(place.live), str(place.copy))
        before = os.fstat(number).st_ino
        move_descriptors(str(place.live), str(place.copy), paths)
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
    place.image.take()
    before = tree(outside)
    (place.live / "d").rmdir()
    (place.live / "d").symlink_to(outside)
    (place.live / "f").unlink()
    (place.live / "f").symlink_to(outside / "f")
    (place.live / "new").symlink_to(outside)
    copy_tree(str(place.live), str(place.copy))
    assert (place.copy / "d").is_symlink() and (place.copy / "f").is_symlink()
    place.image.restore()
    assert tree(outside) == before
    assert (
        (place.live / "d").is_dir()
        and not (place.live / "d").is_symlink()
        and (place.live / "f").read_bytes() == b"inside"
    )


def test_files_that_vanish_during_the_walk_are_left_out(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        place.image.take()
    place.image.restore()
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

    for use in (lambda: copy_tree(str(place.live), str(place.copy)), place.image.take):
        prepare()
        original = (place.live / name).lstat().st_ino
        with monkeypatch.context() as patched:
            patched.setattr(trees, "open_anyway", swap)
            use()
    assert b"secret" not in [
        path.read_bytes()
        for path in (*place.copy.rglob("*"), *(place.root / "image").iterdir())
        if path.is_file()
    ]
    assert (outside / "secret").read_bytes() == b"secret"


def run_unprivileged(place: Place, body: str) -> None:
    """In a process that permissions hold for."""
    place.root.chmod(0o777)
    place.live.rmdir()
    program = f"""
        import os
        from pathlib import Path
        from fumehood.worker.checkpoint import move_descriptors
        from fumehood.worker.checkpoint import FileSnapshot
        from fumehood.worker.checkpoint import copy_tree
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
        image = FileSnapshot(str(live), root + "/image")
        image.take()
        check(live)
        image.restore()
        check(live)
        (live / "f").unlink()
        (live / "d").chmod(0o700)
        (live / "d/e").chmod(0o700)
        (live / "d/e/f").unlink()
        (live / "d/e").rename(live / "moved")
        (live / "moved").chmod(0)
        live.chmod(0)
        image.restore()
        check(live)
        other = Path(root, "other")
        paths = copy_tree(str(live), str(other))
        move_descriptors(str(live), str(other), paths)
        assert os.pread(number, 10, 0) == b"closed" and os.path.samestat(os.fstat(number), (other / "f").stat())
        check(other)
        """,
    )


def test_many_files_in_few_descriptors(place: Place) -> None:
    for number in range(600):
        directory = place.live / str(number % 300)
        directory.mkdir(exist_ok=True)
        (directory / str(number)).write_bytes(b"x")
    before, count = tree(place.live), descriptors()
    place.image.take()
    shutil.rmtree(place.live / "7")
    place.image.restore()
    assert (
        tree(place.live) == before and descriptors() <= count
    )  # what others left may be closed meanwhile


FULL = """
import errno, os, sys
from fumehood.worker.checkpoint import FileSnapshot
from fumehood.worker.checkpoint import copy_tree
from pathlib import Path
live, copy = Path(sys.argv[1], "live"), Path(sys.argv[1], "copy")
live.mkdir()
for name in ("kept", "grown", "kept too"):  # whatever the order in which they are listed, something comes before its room is free
    (live / name).write_bytes(b"k" * 100_000)
(live / "d").mkdir()
image = FileSnapshot(str(live), sys.argv[1] + "/image")
image.take()
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
image.restore()
assert {path.name for path in live.iterdir()} == {"kept", "grown", "kept too", "d"}
assert {path.read_bytes() for path in live.iterdir() if path.is_file()} == {b"k" * 100_000}
(live / "grown").write_bytes(bytes(500_000))
try:
    image.take()
except OSError as error:
    assert "does not fit" in str(error), error
else:
    raise AssertionError("it was full")
assert not os.path.exists(sys.argv[1] + "/image") and (live / "kept").read_bytes() == b"k" * 100_000
"""


def test_a_file_system_that_is_full_is_put_back_all_the_same_and_a_copy_leaves_nothing_there(
    tmp_path: Path,
) -> None:
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("there is no unshare program")
    mount = 'mount -t tmpfs -o size=1m tmpfs "$1" || exit 99; exec "$2" -c "$3" "$1"'
    command = [
        unshare,
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        mount,
        "sh",
        str(tmp_path),
        sys.executable,
        FULL,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 99 or "unshare failed" in done.stderr:
        pytest.skip(f"no file system of its own can be had: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
