"""Paths as E2B's clients write them, and as they are told of: home is /home/user, and there is
/tmp."""

from __future__ import annotations

import posixpath
from typing import Final

from fumehood.server.refusals import Invalid

HOME: Final = "/home/user"
_TEMPORARY: Final = "/tmp"

ABOVE: Final[dict[str, tuple[str, ...]]] = {"/": ("home", "tmp"), "/home": ("user",)}
"""Directories that hold nothing but the ways home: they can be looked at."""


def inside(path: str) -> str:
    """A path of a client's, as executor.files takes it: relative to home, empty for home itself, or
    absolute below /tmp. Invalid for one that is elsewhere."""
    if "\0" in path:
        raise Invalid("a path holds no null character")
    text = path.strip() if not path.strip() else path
    if text == "~" or text.startswith("~/"):
        text = HOME + text[1:]
    whole = posixpath.normpath(posixpath.join(HOME, text))
    whole = (
        whole[1:] if whole.startswith("//") else whole
    )  # POSIX lets two slashes mean something else
    if whole == HOME or whole.startswith(HOME + "/"):
        return whole[len(HOME) + 1 :]
    if whole == _TEMPORARY or whole.startswith(_TEMPORARY + "/"):
        return whole
    raise Invalid(f"{path[:200]!r} cannot be reached: a sandbox has {HOME} and {_TEMPORARY}")


def whole(path: str) -> str:
    """A path that `inside` gave, as clients are told of it."""
    if path.startswith("/"):
        return path
    return f"{HOME}/{path}" if path else HOME


def directory(path: str | None) -> str:
    """Where something is to work."""
    return HOME if not path else whole(inside(path))


def above(path: str) -> tuple[str, ...] | None:
    """What is in a directory that home is in; None for others."""
    text = posixpath.normpath(path) if path.startswith("/") else ""
    return ABOVE.get(text[1:] if text.startswith("//") else text)
