"""Files, as commands reach them. The one room in which the shell opens, lists or changes anything
by its name.

Where the language is guarded, a cell reaches the sandbox's own directory and what is mounted, and
nothing else; so a command does not either. Where it is not, a cell reaches what the jail shows, and
so does a command. Links are followed before a path is judged, and what was opened is judged again,
as somebody may have swapped a link in between.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence

# Names that stand for what a process has open, or for devices that every sandbox has. They are
# given, wherever they are.
STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")

_OPEN = os.O_CLOEXEC | os.O_NOCTTY


def _name_of_open(directory: str) -> str:
    """What /proc calls a directory that is open: a root may be mounted in a second place."""
    descriptor = os.open(directory, os.O_PATH)
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    finally:
        os.close(descriptor)


class Places:
    """`roots` are the directories below which everything lies that may be reached; None for
    whatever the jail shows. `home` is where commands begin, which is a link to where it is in
    truth; what lies there is told in terms of it."""

    def __init__(self, roots: Sequence[str] | None, home: str) -> None:
        self._roots: tuple[str, ...] | None = None
        if roots is not None:
            self._roots = (*map(os.path.realpath, roots), *map(_name_of_open, roots))
        self.home = home
        self._real_home = os.path.realpath(home)
        self.here = home
        """Where the shell is, by the name it went there."""

    def path(self, name: str) -> str:
        """A path as the kernel is told it."""
        if not name:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        return os.path.join(self.here, name)

    def _judged(self, name: str, *, follows: bool = True) -> str:
        path = self.path(name)
        if self._roots is None:
            return path
        if follows:
            real = os.path.realpath(path)
        else:
            head, tail = os.path.split(path.rstrip("/") or "/")
            real = (
                os.path.realpath(path)
                if tail in ("", ".", "..")
                else os.path.join(os.path.realpath(head), tail)
            )
        if not self._is_within(real):
            raise self._outside(name)
        return path

    def _is_within(self, real: str) -> bool:
        assert self._roots is not None
        return real in DEVICES or any(
            real == root or real.startswith(root + "/") for root in self._roots
        )

    def _outside(self, name: str) -> PermissionError:
        if self._roots:
            return PermissionError(
                errno.EACCES,
                f"not below {self.home}, and the policy gives code no other place",
                name,
            )
        return PermissionError(errno.EACCES, "the policy gives code no files (Policy.files)", name)

    # -- reading and writing

    def open(self, name: str, flags: int = os.O_RDONLY) -> int:
        """A descriptor. Without a wait: a file is emptied only when it is known to be one that may
        be written to."""
        if name in STANDARD:
            return os.dup(STANDARD[name])
        descriptor = os.open(self._judged(name), (flags & ~os.O_TRUNC) | _OPEN, 0o666)
        try:
            if self._roots is not None:
                real = os.readlink(f"/proc/self/fd/{descriptor}").removesuffix(" (deleted)")
                if not self._is_within(real):
                    raise self._outside(name)
            mode = os.fstat(descriptor).st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
            if flags & os.O_TRUNC and stat.S_ISREG(mode):
                os.ftruncate(descriptor, 0)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def write(self, name: str, *, append: bool = False) -> int:
        return self.open(name, os.O_WRONLY | os.O_CREAT | (os.O_APPEND if append else os.O_TRUNC))

    # -- looking

    def stat(self, name: str) -> os.stat_result:
        return os.fstat(STANDARD[name]) if name in STANDARD else os.stat(self._judged(name))

    def lstat(self, name: str) -> os.stat_result:
        return os.lstat(self._judged(name, follows=False))

    def exists(self, name: str) -> bool:
        try:
            self.stat(name)
        except (OSError, ValueError):
            return False
        return True

    def is_directory(self, name: str) -> bool:
        try:
            return stat.S_ISDIR(self.stat(name).st_mode)
        except (OSError, ValueError):
            return False

    def may(self, name: str, mode: int) -> bool:
        try:
            return os.access(self._judged(name), mode)
        except (OSError, ValueError):
            return False

    def names(self, name: str) -> list[str]:
        """What is in a directory, in no order."""
        return os.listdir(self._judged(name))

    def link(self, name: str) -> str:
        """Where a link leads."""
        return os.readlink(self._judged(name, follows=False))

    def real(self, name: str, *, must_be: bool) -> str:
        """A path without links, in the terms that commands have for it."""
        real = os.path.realpath(self._judged(name), strict=must_be)
        if real == self._real_home or real.startswith(self._real_home + "/"):
            return self.home + real[len(self._real_home) :]
        return real

    def room(self, name: str) -> os.statvfs_result:
        return os.statvfs(self._judged(name))

    # -- changing

    def go(self, name: str) -> None:
        """Be in another directory, and know it by the name it was reached by."""
        path = os.path.normpath(self.path(name))
        os.chdir(self._judged(path))
        self.here = path

    def make_directory(self, name: str, mode: int = 0o777) -> None:
        os.mkdir(self._judged(name, follows=False), mode)

    def remove_directory(self, name: str) -> None:
        os.rmdir(self._judged(name, follows=False))

    def remove(self, name: str) -> None:
        os.unlink(self._judged(name, follows=False))

    def rename(self, old: str, new: str) -> None:
        os.rename(self._judged(old, follows=False), self._judged(new, follows=False))

    def make_link(self, target: str, name: str) -> None:
        """A symbolic link. Where it leads is judged when somebody goes there."""
        os.symlink(target, self._judged(name, follows=False))

    def make_name(self, old: str, new: str) -> None:
        """One more name for a file."""
        os.link(
            self._judged(old, follows=False),
            self._judged(new, follows=False),
            follow_symlinks=False,
        )

    def set_times(self, name: str, times: tuple[float, float] | None) -> None:
        os.utime(self._judged(name), times)

    def set_mode(self, name: str, mode: int) -> None:
        os.chmod(self._judged(name), mode)
