"""Which of our own files another place needs: what runs untrusted code, which imports nothing but
the standard library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

# fmt: off
PARTS = (
    ("__init__.py", "the package; what is public is imported when first used, and so never in there"),  # noqa: E501
    ("errors.py",   "what is raised"),
    ("results.py",  "what comes back"),
    ("grants.py",   "which modules code may import"),
    ("policy.py",   "what code may do"),
    ("ceilings.py", "what it may do at most, where that is not the caller's to say"),
    ("wire",        "messages and values"),
    ("language",    "the guarded language"),
    ("jail",        "what holds code, in a container too"),
    ("worker",      "what runs code"),
    ("tunnel",      "the far end of the line to the host"),
)
# fmt: on

SOURCE = Path(__file__).resolve().parents[1]


def files() -> Iterator[tuple[str, bytes]]:
    """Each file of the inside: its name below the package, and its text."""
    for part, _reason in PARTS:
        path = SOURCE / part
        if path.is_dir():
            for file in sorted(path.rglob("*.py")):
                yield file.relative_to(SOURCE).as_posix(), file.read_bytes()
        elif path.is_file():
            yield part, path.read_bytes()
