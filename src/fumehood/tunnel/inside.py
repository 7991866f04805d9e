"""Which files another place needs: our own that run untrusted code, which import nothing but the
standard library, and cloudpickle, which saves variables there."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

# fmt: off
PARTS = (
    ("__init__.py",          "the package; public names are imported when first used"),
    ("errors.py",            "what is raised"),
    ("results.py",           "what comes back"),
    ("default_imports.py",   "which modules code may import"),
    ("policy.py",            "what code may do"),
    ("policy_bounds.py",     "the widest policy that a caller may ask for"),
    ("wire",                 "messages and values"),
    ("language",             "how cells are compiled and run"),
    ("jail",                 "what holds code, in a container too"),
    ("worker",               "what runs code"),
    ("tunnel",               "the remote end of the line to the host"),
)
# fmt: on

SOURCE = Path(__file__).resolve().parents[1]


def files() -> Iterator[tuple[str, bytes]]:
    """Each file of the inside: its name below a directory of `sys.path`, and its text."""
    for part, _reason in PARTS:
        yield from _below(SOURCE / part, SOURCE.parent)
    library = importlib.util.find_spec("cloudpickle")
    assert library is not None and library.origin is not None
    directory = Path(library.origin).parent
    yield from _below(directory, directory.parent)


def _below(path: Path, root: Path) -> Iterator[tuple[str, bytes]]:
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in files:
        # The library is loaded where the architecture is the same, and else ignored.
        if file.suffix == ".py" or file.name == "_spawn.so":
            yield file.relative_to(root).as_posix(), file.read_bytes()
