"""Files of /lab, on behalf of the host: regular files only, no link followed, so that nothing in there can point anywhere else."""

from __future__ import annotations

import contextlib
import os
import stat

from fumehood.jail.filesystem import LAB


def write(path: str, content: bytes) -> None:
    """Write a file, making the directories it is in. A file that is there is replaced."""
    with _parent(path, make=True) as (directory, name):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        descriptor = os.open(name, flags, 0o644, dir_fd=directory)
        with open(descriptor, "wb") as file:
            _must_be_regular(descriptor, path)
            file.write(content)


def read(path: str, most: int) -> bytes:
    """The content of a file, if it is not longer than `most`."""
    with _parent(path) as (directory, name):
        # Not blocking: opening a named pipe would wait for somebody to write into it.
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=directory)
        with open(descriptor, "rb") as file:
            _must_be_regular(descriptor, path)
            content = file.read(min(most, os.fstat(descriptor).st_size) + 1)  # not more room than it needs
    if len(content) > most:
        raise ValueError(f"{path!r} is longer than {most:,} bytes")
    return content


def listing(most: int) -> list[tuple[str, int]]:
    """Path and size of every regular file, in order of their paths."""
    found: list[tuple[str, int]] = []
    directories = [LAB]
    while directories:
        with contextlib.suppress(OSError), os.scandir(directories.pop()) as entries:  # a name may be too deep to be reached by its path
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    directories.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    found.append((entry.path[len(LAB) + 1 :], entry.stat(follow_symlinks=False).st_size))
                if len(found) > most:
                    raise ValueError(f"there are more than {most:,} files")
    return sorted(found)


@contextlib.contextmanager
def _parent(path: str, *, make: bool = False):  # type: ignore[no-untyped-def]
    """The directory a path is in, opened one step at a time without following links, and the last part of the path."""
    relative = os.path.normpath(path[len(LAB) + 1 :] if path.startswith(LAB + "/") else path)
    parts = relative.split("/")
    if relative.startswith(("/", "../")) or relative in ("", ".", ".."):
        raise ValueError(f"{path!r} is not a path below {LAB}")
    directory = os.open(LAB, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, 0o755, dir_fd=directory)
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
            os.close(directory)
            directory = inner
        yield directory, parts[-1]
    finally:
        os.close(directory)


def _must_be_regular(descriptor: int, path: str) -> None:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise ValueError(f"{path!r} is not a regular file")
