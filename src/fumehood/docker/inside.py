"""What of our own is in a container's root, and where: the inside ring, and places for labs and
packages."""

from __future__ import annotations

import functools
import hashlib
import io
from pathlib import Path

from fumehood.tunnel.inside import SOURCE, files

HOME = "/opt/fumehood"
"""Where they are in an image; a directory for `sys.path`."""
LINKS = {"/home/user": "/proc/self/fd/15/home", "/tmp": "/proc/self/fd/15/tmp"}
"""The directories of a sandbox. building.py makes them: a base may have its own."""
LABS = "/labs"
PACKAGES = "/packages"
"""As in jail/filesystem.py, which the host does not import; a test compares."""

_WHEN = 1_000_000_000
"""The same for every file, so that the same files are the same archive."""


@functools.cache
def digest() -> str:
    """Stands for the version, and for any change in a checkout. Read once: a process runs the files
    that it has imported."""
    sum_ = hashlib.sha256()
    how = [
        (name, (SOURCE / "docker" / name).read_bytes()) for name in ("inside.py", "building.py")
    ]  # images are made by
    for name, text in [*files(), *how]:
        sum_.update(f"{name}\0{len(text)}\0".encode())
        sum_.update(text)
    return sum_.hexdigest()[:16]


def archive() -> bytes:
    """A tar of the inside and of what else our containers have in their root. No program of the
    base is needed to put it there."""
    import tarfile  # late: most of the time the image is there

    def add(name: str, kind: bytes, data: bytes = b"", mode: int = 0o755) -> None:
        entry = tarfile.TarInfo(name)
        entry.type, entry.size, entry.mtime = kind, len(data), _WHEN
        entry.mode = 0o644 if kind == tarfile.REGTYPE else mode
        tar.addfile(entry, io.BytesIO(data))

    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as tar:
        home = HOME.lstrip("/")
        known: set[str] = set()
        for name, text in files():
            for parent in reversed(Path(f"{home}/{name}").parents):
                directory = parent.as_posix()
                if directory.startswith(home) and directory not in known:
                    known.add(directory)
                    add(directory, tarfile.DIRTYPE)
            add(f"{home}/{name}", tarfile.REGTYPE, text)
        add(
            LABS.lstrip("/"), tarfile.DIRTYPE, mode=0o700
        )  # what is mounted there gets the mode of what it covers
        add(PACKAGES.lstrip("/"), tarfile.DIRTYPE)
    return made.getvalue()
