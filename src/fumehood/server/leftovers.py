"""What a server has on disk while it runs: a directory of its own, in which everything temporary is
made.

It is locked as long as the server lives, by a lock that the kernel takes back from whoever dies,
however that happens. So the next server can tell what was left by one that crashed, and removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from fumehood.server.settings import Settings, SettingsError

_LOCK = "lock"
_PREFIX = "server-"


class Directory:
    """The directory of one server, among those of others of the same user."""

    def __init__(self, settings: Settings) -> None:
        self._parent = Path(
            settings.directory or Path(tempfile.gettempdir()) / f"fumehood-serve-{os.geteuid()}"
        )
        self.path = self._parent / f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
        self._lock = -1
        self._before = tempfile.tempdir, os.environ.get("TMPDIR")

    def __enter__(self) -> Self:
        try:
            self._parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._check_owner()
            with _locked(
                self._parent / _LOCK, wait=True
            ):  # nobody clears while another makes its own
                self._clear()
                self.path.mkdir(mode=0o700)
                self._lock = os.open(
                    self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
                )
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SettingsError(
                f"directory: {self._parent} cannot be used: {error.strerror}"
            ) from None
        return self

    def __exit__(self, *exc: object) -> None:
        tempfile.tempdir, environment = self._before
        if environment is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = environment
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)

    def use(self) -> None:
        """From now on, everything temporary that this process or one that it starts makes is made
        there."""
        tempfile.tempdir = str(self.path)
        os.environ["TMPDIR"] = str(self.path)

    def _check_owner(self) -> None:
        """What another user can write to, another user could have us remove or read."""
        status = self._parent.lstat()
        if (
            not stat.S_ISDIR(status.st_mode)
            or status.st_uid != os.geteuid()
            or status.st_mode & 0o022
        ):
            raise SettingsError(
                f"directory: {self._parent} must be a directory that only this user can write to;"
                " chmod 700 it, or give another"
            )

    def _clear(self) -> None:
        for other in self._parent.glob(f"{_PREFIX}*"):
            if other.is_symlink() or not other.is_dir():
                continue
            with contextlib.suppress(BlockingIOError), _locked(other / _LOCK, wait=False):
                shutil.rmtree(other, ignore_errors=True)


@contextlib.contextmanager
def _locked(path: Path, *, wait: bool) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(handle)
