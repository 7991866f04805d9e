"""Cells of a notebook that install packages (`%pip install x`): the server installs them for the
sandbox, if the key may. Other magic commands run in the sandbox (language/magics.py).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from importlib import metadata
from typing import Any, Final

from fumehood.errors import FumehoodError
from fumehood.results import Execution
from fumehood.server.sandbox import Context, Sandbox

_PIP: Final = re.compile(r"[!%]\s*(?:python3?\s+-m\s+)?pip3?\s+install\s+(.*)")
_REQUIREMENT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

Print = Callable[[Any, str], None]


def of_cell(code: str) -> list[str] | None:
    """The lines of a cell that only installs packages; None for any other."""
    if "pip" not in code:
        return None
    lines = [line.strip() for line in code.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    return lines if lines and all(map(_PIP.fullmatch, lines)) else None


def run(executor: Any, place: Sandbox | Context, lines: list[str], printed: Print) -> Execution:
    """Install what the lines ask for, one after the other."""
    key = (place.sandbox if isinstance(place, Context) else place).key
    for line in lines:
        found = _PIP.fullmatch(line)
        assert found is not None
        _install(executor, found[1], key.may_install, printed)
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
