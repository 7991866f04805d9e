"""What is installed while code runs, as the host holds it: what was asked for, what came of it, and
what a zygote was given."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO, Any

from fumehood.packages.requirements import Request


@dataclass(frozen=True, slots=True)
class Installed:
    """What came of an installation."""

    packages: dict[str, str]
    """Names and versions: of what was asked for, and of what else was needed and was not there."""
    modules: tuple[str, ...]
    """What code may import for it: the modules of the packages that were asked for. What those need
    they import themselves."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Bundle:
    """Packages as they are handed to a zygote."""

    requests: frozenset[Request]
    installed: Installed
    name: str
    """By their content; empty if nothing of them is new there."""
    size: int = 0
    file: IO[bytes] | None = field(default=None, repr=False)
    users: weakref.WeakSet[Any] = field(default_factory=weakref.WeakSet, repr=False)
    """Workers whose code imports from it."""
    path: str = ""
    """Where they are, if its sandboxes see them already: a zygote shows them an environment that
    was there before it was."""
    holds: Any = field(default=None, repr=False)
    """What keeps them there."""


def together(bundles: Iterable[Bundle]) -> Installed:
    made = [bundle.installed for bundle in bundles]
    packages = {name: version for each in made for name, version in each.packages.items()}
    return Installed(
        packages, tuple(dict.fromkeys(module for each in made for module in each.modules))
    )


class Holdings:
    """What a zygote has of packages, and what was fetched for it: that the same is asked for again,
    by another executor, is likely."""

    def __init__(self) -> None:
        self.fetching = threading.Lock()
        self.fetched: dict[Any, Bundle] = {}
        self.putting = threading.Lock()
        self.there: dict[str, tuple[str, weakref.WeakSet[Bundle]]] = {}
        """By name: the directory, and the bundles that hold the same."""

    def unused(self) -> list[str]:
        """Names of what nobody uses any more."""
        return [
            name
            for name, (_path, bundles) in self.there.items()
            if not any(bundle.users for bundle in [*bundles])
        ]

    def forget(self, names: Iterable[str]) -> None:
        for name in names:
            del self.there[name]
        self.fetched = {key: bundle for key, bundle in self.fetched.items() if bundle.users}
