"""Packages for sandboxes that are running: fetched here by pip, and handed to a zygote, whose
sandboxes can import them from then on.

    requests → pip (fetching.py) → a bundle → the zygote (worker/packages.py) → authorize

Sandboxes have no network, so the host fetches. Bundles are kept for sandboxes to come. When a
zygote has no room for one more, what nobody uses any more makes room.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fumehood.errors import InstallFailed
from fumehood.executors import fetching
from fumehood.executors.bundles import Bundle, Installed, together
from fumehood.executors.fetching import Place
from fumehood.executors.zygotes import Zygote
from fumehood.packages.contents import Distribution, allowed_modules
from fumehood.packages.installers import shown
from fumehood.packages.requirements import Request
from fumehood.packages.store import Environment

_MOST_LINE = 1 << 20
_MOST_FILES = 1 << 24
_PIECE = 1 << 18
_SILENCE_SECONDS = 120.0
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


# -- the zygote


def bundle_for(zygote: Zygote, requests: frozenset[Request], before: Iterable[Bundle]) -> Bundle:
    """Packages for sandboxes of a zygote that have some already, fetched if nobody has asked for
    the same before."""
    key = requests, tuple(bundle.name for bundle in before)
    holdings = zygote.holdings
    with holdings.fetching:
        bundle = holdings.fetched.get(key)
        if bundle is None:
            place = _place_of(zygote)
            present = {**together(before).packages, **place.installed}
            bundle = holdings.fetched[key] = fetching.fetch(
                requests, place, present, is_far=zygote.processes.is_far
            )
        return bundle


def _place_of(zygote: Zygote) -> Place:
    """What there is where a zygote runs."""
    with _conversation(zygote) as (_line, described):
        return _checked(described)


def bundle_there(zygote: Zygote, requests: frozenset[Request]) -> Bundle:
    """Packages that were put where a zygote runs before it was, as into the image of a container:
    nothing has to be fetched, and their modules may be imported. What is not there under the name
    that was asked for has none."""
    holdings = zygote.holdings
    with holdings.fetching:
        bundle = holdings.fetched.get((requests, None))
        if bundle is None:
            named = sorted({request.name for request in requests})
            found = _files_of(zygote, named)
            there = [name for name in named if name in found]
            versions = {name: found[name].version for name in there}
            known = frozenset(
                request for request in requests if request.name in found
            )  # of the others install() can bring more
            bundle = Bundle(
                known, Installed(versions, allowed_modules(there, found, found, ())), ""
            )
            holdings.fetched[requests, None] = bundle
        return bundle


def _files_of(zygote: Zygote, names: list[str]) -> dict[str, Distribution]:
    with _conversation(zygote) as (line, _described):
        line.write(json.dumps({"files_of": names}).encode() + b"\n")
        line.flush()
        rows = json.loads(line.readline(_MOST_FILES))["packages"]
        known = (row for row in rows if _NAME.fullmatch(row[0]))
        return {
            name: Distribution(name, shown(version), frozenset(map(str, files)))
            for name, version, files in known
        }


def _checked(body: Any) -> Place:
    """What a container says may be anything, and goes into pip's arguments."""
    python, libc = tuple(body["python"]), tuple(body["libc"])
    markers = {str(name): str(value) for name, value in body["markers"].items()}
    installed = {
        name: version
        for name, version in body["installed"].items()
        if _NAME.fullmatch(name) and isinstance(version, str)
    }
    is_known = libc[0] in ("glibc", "musl") and re.fullmatch(r"[12]\.[0-9]{1,2}", libc[1])
    if (
        len(python) != 3
        or not all(type(part) is int for part in python)
        or not re.fullmatch(r"\w+", markers["platform_machine"])
    ):
        raise ValueError("the place does not say what it is")
    return Place(python, libc if is_known else ("glibc", "2.17"), markers, installed)


def put(zygote: Zygote, bundle: Bundle) -> str:
    """Have a zygote unpack a bundle, if it has not yet; gives the directory there."""
    if bundle.path:
        return bundle.path
    holdings = zygote.holdings
    with holdings.putting:
        path, bundles = holdings.there.get(bundle.name) or ("", weakref.WeakSet[Bundle]())
        if not path:
            answer = _hand_over(zygote, bundle, ())
            if answer.get("full") and (unused := holdings.unused()):
                holdings.forget(unused)
                answer = _hand_over(zygote, bundle, unused)
            if "failed" in answer:
                raise _not_put(shown(str(answer["failed"])))
            path = str(answer["path"])
        bundles.add(bundle)
        holdings.there[bundle.name] = path, bundles
        return path


def shown_there(environment: Environment, requests: frozenset[Request]) -> Bundle:
    """An environment as a bundle, for sandboxes of a zygote that shows it to them."""
    installed = Installed(environment.packages, environment.modules)
    return Bundle(
        requests, installed, environment.path.name, path=environment.site, holds=environment
    )


def see_if_closed(bundle: Bundle) -> None:
    """There is no sandbox. Without a root of its own it finds files where the machine has them, by
    a way that may be closed to the user that it runs as: InstallFailed if that is so."""
    for directory in Path(bundle.path).parents if os.geteuid() == 0 else ():
        if not directory.stat().st_mode & stat.S_IXOTH:
            raise InstallFailed(
                f"code runs as the user nobody here, who may not enter {directory}, where packages"
                " are kept: set XDG_CACHE_HOME to a directory that everybody may enter, such as"
                " /var/cache"
            ) from None


def _hand_over(zygote: Zygote, bundle: Bundle, removed: Iterable[str]) -> dict[str, Any]:
    assert bundle.file is not None
    with _conversation(zygote) as (line, _described):
        line.write(
            json.dumps({"name": bundle.name, "size": bundle.size, "remove": [*removed]}).encode()
            + b"\n"
        )
        at = 0
        while piece := os.pread(bundle.file.fileno(), _PIECE, at):
            line.write(piece)
            at += len(piece)
        line.flush()
        return dict(json.loads(line.readline(_MOST_LINE)))


@contextlib.contextmanager
def _conversation(zygote: Zygote) -> Iterator[tuple[Any, Any]]:
    """With the process that takes packages, and what it has said already of the place that it puts
    them into."""
    with zygote.take_packages() as line:
        line.settimeout(_SILENCE_SECONDS)
        try:
            with line.makefile("rwb") as file:
                described = json.loads(file.readline(_MOST_LINE))
                if "failed" in described:
                    raise _not_put(shown(str(described["failed"])))
                yield file, described
        except (OSError, ValueError, LookupError, AttributeError, TypeError):
            raise _not_put(
                zygote.why_over() or "whoever was to take them is gone, or says nothing"
            ) from None


def _not_put(why: str) -> InstallFailed:
    return InstallFailed(f"the packages could not be put into the sandbox: {why}")
