"""Rich results (pictures, tables): a line for the terminal, a file, or JSON. The program made them,
so nothing in them is believed."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fumehood.cli.terminal import BAD_INPUT, fail, one_line, printable

Bundle = Mapping[str, str | bytes]

# What a display is saved as: the first of these formats that it has.
SAVED_AS = (
    ("image/png", ".png"),
    ("image/jpeg", ".jpg"),
    ("image/gif", ".gif"),
    ("image/svg+xml", ".svg"),
    ("application/pdf", ".pdf"),
    ("text/html", ".html"),
    ("text/markdown", ".md"),
    ("text/latex", ".tex"),
    ("application/json", ".json"),
    ("text/plain", ".txt"),
)
_UNKNOWN = ".bin"

_LONGEST_TEXT = 10_000
_LONGEST_NAME = 80
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")


def shown(bundle: Bundle, value: str) -> str:
    """Its formats in brackets, with its text beside or below them. A text that says the same as the
    cell's value is left out."""
    formats = [
        f"{one_line(kind)[:_LONGEST_NAME]} {len(_bytes(data)):,} bytes"
        for kind, data in bundle.items()
        if kind != "text/plain"
    ]
    label = f"[{', '.join(formats)}]" if formats else ""
    text = bundle.get("text/plain", "")
    plain = printable(text[:_LONGEST_TEXT]).rstrip("\n") if isinstance(text, str) else ""
    # Addresses differ between the sandbox and the copy of the value here.
    if not plain or formats and _ADDRESS.sub("", plain) == _ADDRESS.sub("", value):
        return label
    return f"{label} {plain}".strip() if "\n" not in plain else f"{label}\n{plain}".strip("\n")


def as_json(displays: Iterable[Bundle]) -> list[dict[str, Any]]:
    """Each format with its data: text as it is, bytes as {"base64": ...}."""
    return [
        {
            kind: data if isinstance(data, str) else {"base64": base64.b64encode(data).decode()}
            for kind, data in bundle.items()
        }
        for bundle in displays
    ]


def prepare(directory: Path) -> None:
    """Make the directory before anything runs, so that one that cannot be is found out in time."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"{directory}: displays cannot be saved there: {error.strerror or error}", BAD_INPUT)


def save(displays: Iterable[Bundle], directory: Path, first: int = 1) -> list[Path]:
    """Write each display to a file called after its number, in place of one of that name."""
    saved = []
    for number, bundle in enumerate(displays, first):
        kind, ending = _best(bundle)
        path = directory / f"{number:02}{ending}"
        try:
            _write(path, _bytes(bundle[kind]) if kind else b"")
        except OSError as error:
            fail(f"{path}: cannot be written: {error.strerror or error}", BAD_INPUT)
        saved.append(path)
    return saved


def _best(bundle: Bundle) -> tuple[str, str]:
    for kind, ending in SAVED_AS:
        if kind in bundle:
            return kind, ending
    return next(iter(bundle), ""), _UNKNOWN


def _bytes(data: str | bytes) -> bytes:
    return data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data


def _write(path: Path, data: bytes) -> None:
    # The program may write to the same directory if it is mounted, and may have put a link or a
    # pipe there: what is there is removed, and what appears there meanwhile is an error.
    path.unlink(missing_ok=True)
    descriptor = os.open(
        path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644
    )
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
