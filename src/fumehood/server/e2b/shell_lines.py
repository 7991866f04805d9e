"""Cells that notebooks take and Python does not: lines for a shell (`!pip install x`), and magics
that ask for what is so anyway.

A cell is either all shell or all Python: what a shell prints cannot be a part of Python's text
here.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any, Final

from fumehood.errors import FumehoodError
from fumehood.results import ErrorInfo, Execution
from fumehood.server.sandbox import Context, Sandbox

_MAGIC: Final = re.compile(
    r"^%(matplotlib\b.*|config\s+InlineBackend\b.*|load_ext\s+autoreload|autoreload\b.*)$",
    re.MULTILINE,
)
"""Asks for what sandboxes do without being asked."""
_PIP: Final = re.compile(r"[!%]\s*(?:python3?\s+-m\s+)?pip3?\s+install\s+(.*)")
_REQUIREMENT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

Print = Callable[[Any, str], None]


def of_cell(code: str) -> list[str] | None:
    """The lines of a cell that is for a shell; None for one that is Python."""
    if "!" not in code and "%" not in code:
        return None
    lines = [line.strip() for line in code.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    return (
        lines
        if lines and all(line.startswith("!") or _PIP.fullmatch(line) for line in lines)
        else None
    )


def without_magics(code: str) -> str:
    """Python without magics that ask for nothing. Lines keep their numbers."""
    return _MAGIC.sub("", code) if "%" in code else code


def run(
    executor: Any,
    place: Sandbox | Context,
    lines: list[str],
    environment: Mapping[str, str],
    printed: Print,
) -> Execution:
    """Run lines of a shell, one after the other, as a notebook does: whatever becomes of one, the
    next is run."""
    key = (place.sandbox if isinstance(place, Context) else place).key
    for line in lines:
        pip = _PIP.fullmatch(line)
        if pip is not None:
            _install(executor, pip[1], key.may_install, printed)
            continue
        try:
            command = executor.command(
                line[1:].strip(),
                environment=dict(environment),
                timeout_seconds=executor.policy.limits.cell_seconds,
            )
            for stream, piece in command:
                printed(stream, piece.decode("utf-8", "replace"))
            command.wait()
        except FumehoodError as error:
            return Execution(
                error=ErrorInfo(
                    type(error).__name__, str(error), f"{type(error).__name__}: {error}"
                )
            )
    return Execution()


def _install(executor: Any, arguments: str, may_install: bool, printed: Print) -> None:
    """What `pip install` says: that it is there already, that it is there now, or why it is not."""
    try:
        words = [word for word in shlex.split(arguments) if not word.startswith("-")]
    except ValueError as error:
        printed("stderr", f"ERROR: {error}\n")
        return
    missing = []
    for word in words:
        name = _REQUIREMENT.match(word)
        version = _version(name[0]) if name is not None and name[0] == word else None
        if version is None:
            missing.append(word)
        else:
            printed("stdout", f"Requirement already satisfied: {word} ({version})\n")
    if not missing:
        return
    if not may_install:
        printed(
            "stderr",
            f"ERROR: {', '.join(missing)}: this key's sandboxes have what the server has, and may"
            " install nothing\n",
        )
        return
    try:
        installed = executor.install(*missing)
    except FumehoodError as error:
        printed("stderr", f"ERROR: {error}\n")
    else:
        printed(
            "stdout",
            "Successfully installed"
            f" {' '.join(f'{name}-{version}' for name, version in installed.packages.items())}\n",
        )


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except (metadata.PackageNotFoundError, ValueError):
        return None
