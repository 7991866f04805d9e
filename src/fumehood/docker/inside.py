"""Which of our own files a container needs: what runs untrusted code, which imports nothing but the standard library."""

from __future__ import annotations

import functools
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

# fmt: off
PARTS = (
    ("__init__.py", "the package; what is public is imported when first used, and so never in there"),
    ("errors.py",   "what is raised"),
    ("results.py",  "what comes back"),
    ("policy.py",   "what code may do"),
    ("wire",        "messages and values"),
    ("language",    "the guarded language"),
    ("jail",        "what holds code, in a container too"),
    ("worker",      "what runs code"),
    ("tunnel",      "the container's end of the line to the host"),
)
# fmt: on

HOME = "/opt/fumehood"
"""Where they are in an image; a directory for `sys.path`."""
LAB, LAB_LEADS_TO, LABS = "/lab", "/proc/self/fd/4", "/labs"
LAB_ALSO = "/home/user"
PACKAGES = "/packages"
"""As in jail/filesystem.py, which the host does not import; a test compares."""

_SOURCE = Path(__file__).resolve().parents[1]
_WHEN = 1_000_000_000
"""The same for every file, so that the same files are the same archive."""


def files() -> Iterator[tuple[str, bytes]]:
    """Each file of the inside: its name below the package, and its text."""
    for part, _reason in PARTS:
        path = _SOURCE / part
        if path.is_dir():
            for file in sorted(path.rglob("*.py")):
                yield file.relative_to(_SOURCE).as_posix(), file.read_bytes()
        elif path.is_file():
            yield part, path.read_bytes()


@functools.cache
def digest() -> str:
    """Stands for the version, and for any change in a checkout. Read once: a process runs the files that it has imported."""
    sum_ = hashlib.sha256()
    how = [(name, (_SOURCE / "docker" / name).read_bytes()) for name in ("inside.py", "building.py")]  # images are made by
    for name, text in [*files(), *how]:
        sum_.update(f"{name}\0{len(text)}\0".encode())
        sum_.update(text)
    return sum_.hexdigest()[:16]


def archive() -> bytes:
    """A tar of the inside and of what else our containers have in their root. No program of the base is needed to put it there."""
    import tarfile  # late: most of the time the image is there

    def add(name: str, kind: bytes, data: bytes = b"", leads_to: str = "", mode: int = 0o755) -> None:
        entry = tarfile.TarInfo(name)
        entry.type, entry.size, entry.mtime, entry.linkname = kind, len(data), _WHEN, leads_to
        entry.mode = 0o644 if kind == tarfile.REGTYPE else mode
        tar.addfile(entry, io.BytesIO(data))

    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as tar:
        home = HOME.lstrip("/")
        known: set[str] = set()
        for name, text in files():
            for parent in reversed(Path(f"{home}/fumehood/{name}").parents):
                directory = parent.as_posix()
                if directory.startswith(home) and directory not in known:
                    known.add(directory)
                    add(directory, tarfile.DIRTYPE)
            add(f"{home}/fumehood/{name}", tarfile.REGTYPE, text)
        add(LAB.lstrip("/"), tarfile.SYMTYPE, leads_to=LAB_LEADS_TO)
        add(LABS.lstrip("/"), tarfile.DIRTYPE, mode=0o700)  # what is mounted there gets the mode of what it covers
        add(PACKAGES.lstrip("/"), tarfile.DIRTYPE)
    return made.getvalue()
