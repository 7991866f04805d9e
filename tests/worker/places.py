"""Directories to be copied and put back, and what there is to know about one."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Any

from fumehood.worker.checkpoint import FileSnapshot

MEMORY = Path("/dev/shm")


class Place:
    """A live directory, and room beside it."""

    def __init__(self) -> None:
        # A sandbox's directory is in memory; stamps and access times differ between kinds of file
        # systems.
        self.root = Path(
            tempfile.mkdtemp(dir=MEMORY if os.access(MEMORY, os.W_OK) else None, prefix="past-")
        )
        self.live = self.root / "live"
        self.copy = self.root / "copy"
        self.live.mkdir()
        self.image = FileSnapshot(str(self.live), str(self.root / "image"))

    def close(self) -> None:
        with contextlib.suppress(OSError):
            FileSnapshot(
                str(self.live), str(self.live)
            ).discard()  # rmtree does not reach what is too deep
        shutil.rmtree(self.root, ignore_errors=True)


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


def how(number: int) -> tuple[int, bool]:
    return fcntl.fcntl(number, fcntl.F_GETFL) & ~os.O_NOFOLLOW, os.get_inheritable(number)
