"""Packages asked for → a directory that is there: one that was made before, or one that is made
now."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from fumehood.packages import building, installers, requirements, settings
from fumehood.packages.requirements import Packages, Request, canonical, identity
from fumehood.packages.store import SITE, Environment, Store, key_of
from fumehood.progress import told

LOG = logging.getLogger("fumehood.packages")
_SITES = ("site-packages", "dist-packages")
_MOST_HELD = 8
_held: dict[str, Environment] = {}
"""What was found last: to look again, for every executor, would take longer than starting a
sandbox."""


def obtain(
    packages: Packages | Iterable[str | os.PathLike[str]], store: Store | None = None
) -> Environment:
    """A directory with these packages, and with what they need that this Python has not got.
    InstallFailed says in one line why there is none; PolicyError, what cannot be asked for."""
    wanted = Packages.of(packages)
    requests = requests_of(wanted)
    store = store or Store()
    look = sorted(settings.of_pip().items()), sorted(settings.of_uv().items())
    memo = str((sorted(requests), wanted.builds, look, store.place, [*map(_stamp, sites())]))
    held = _held.get(memo)
    if held is not None and held.path.is_dir():
        return held
    store.open()
    environment = _held[memo] = _find_or_make(wanted, requests, store, look)
    for older in [*_held][:-_MOST_HELD]:
        _held.pop(older, None)
    return environment


def _find_or_make(
    wanted: Packages, requests: frozenset[Request], store: Store, look: object
) -> Environment:
    present = installed()
    with store.troubles():
        key = key_of(sorted(map(identity, requests)), wanted.builds, look)
        found = store.find(key, present)
        if found is not None:
            return found
        names = ", ".join(request.text for request in sorted(requests))
        with (
            told(f"packages for code: {names}", wanted.on_progress, LOG) as report,
            store.turn(key, report),
        ):
            found = store.find(key, present)  # somebody else may have made it meanwhile
            return found or _make(wanted, requests, store, key, present, report)


def requests_of(wanted: Packages) -> frozenset[Request]:
    return requirements.requests_of(wanted.names, addresses=wanted.addresses, builds=wanted.builds)


def _make(
    wanted: Packages,
    requests: frozenset[Request],
    store: Store,
    key: str,
    present: dict[str, str],
    report: Callable[[str], None],
) -> Environment:
    installer = installers.choose(wanted.installer)
    began = time.monotonic()
    with store.workplace() as place:
        site, scratch = place / SITE, place / "scratch"
        site.mkdir()
        scratch.mkdir()
        report(f"{installer} is fetching {', '.join(request.text for request in sorted(requests))}")
        made = building.build(
            installer,
            requests,
            site,
            scratch,
            present=present,
            sites=sites(),
            builds=wanted.builds,
            most_seconds=wanted.timeout_seconds,
            kept=store.uv,
            report=report,
        )
        environment = store.keep(key, place, made)
    names = ", ".join(f"{name} {version}" for name, version in environment.packages.items())
    report(f"{names}: {environment.size / 1e6:,.1f} MB in {time.monotonic() - began:.1f} s")
    return environment


# -- what there is already


def sites() -> list[str]:
    """Directories of packages that code sees in a jail: those of this Python."""
    return [
        path
        for path in dict.fromkeys(sys.path)
        if os.path.isabs(path) and os.path.basename(path) in _SITES  # noqa: PTH117, PTH119
    ]


def _stamp(directory: str) -> tuple[str, int]:
    """Different once something was installed there, or removed."""
    try:
        return directory, Path(directory).stat().st_mtime_ns
    except OSError:
        return directory, 0


def installed() -> dict[str, str]:
    """Names and versions of what is in them: of each name the first that is found, as an import
    would."""
    from importlib.metadata import (
        distributions,
    )  # late: it is slow, and few executors have packages

    found: dict[str, str] = {}
    for distribution in distributions(path=sites()):
        with contextlib.suppress(KeyError, OSError):
            name, version = distribution.metadata["Name"], distribution.version
            if name and version:
                found.setdefault(canonical(name), version)
    return found
