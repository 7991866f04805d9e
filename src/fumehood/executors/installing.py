"""Packages for running sandboxes: pip fetches them on the host, and a zygote shows them to its
sandboxes.

    requests → pip (fetch) → a bundle → the zygote (worker/packages.py) → authorize

Bundles are kept for later sandboxes. A zygote without room for one more removes unused ones.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import stat
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fumehood.errors import InstallFailed
from fumehood.packages import environments, installers
from fumehood.packages.contents import Distribution, allowed_modules, distributions
from fumehood.packages.installers import shown
from fumehood.packages.requirements import Request
from fumehood.packages.store import Environment

if TYPE_CHECKING:
    from fumehood.executors.supervisor import Zygote


@dataclass(frozen=True, slots=True)
class Installed:
    """What came of an installation."""

    packages: dict[str, str]
    """Names and versions of the requested packages and of new dependencies."""
    modules: tuple[str, ...]
    """What code may import: the modules of the requested packages, not of their dependencies."""


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
    """Where its sandboxes see them, if they do already: in an environment older than the zygote."""
    holds: Any = field(default=None, repr=False)
    """What keeps them there."""


def together(bundles: Iterable[Bundle]) -> Installed:
    made = [bundle.installed for bundle in bundles]
    packages = {name: version for each in made for name, version in each.packages.items()}
    return Installed(
        packages, tuple(dict.fromkeys(module for each in made for module in each.modules))
    )


class Holdings:
    """The packages that a zygote has, and what was fetched for it, for other executors."""

    def __init__(self) -> None:
        self.fetching = threading.Lock()
        self.fetched: dict[Any, Bundle] = {}
        self.putting = threading.Lock()
        self.there: dict[str, tuple[str, weakref.WeakSet[Bundle]]] = {}
        """By name: the directory, and the bundles that hold the same."""

    def unused(self) -> list[str]:
        """Names of unused ones."""
        return [
            name
            for name, (_path, bundles) in self.there.items()
            if not any(bundle.users for bundle in [*bundles])
        ]

    def forget(self, names: Iterable[str]) -> None:
        for name in names:
            del self.there[name]
        self.fetched = {key: bundle for key, bundle in self.fetched.items() if bundle.users}


MOST_BYTES = 1 << 30
MOST_FILES = 100_000
"""As in jail/filesystem.py, which the host does not import; a test compares."""


@dataclass(frozen=True, slots=True)
class Place:
    """The Python of a zygote, and what is installed there."""

    python: tuple[int, ...]
    libc: tuple[str, str]
    markers: dict[str, str]
    installed: dict[str, str]


def fetch(
    requests: frozenset[Request], place: Place, present: Mapping[str, str], *, is_remote: bool
) -> Bundle:
    """Let pip fetch packages for a place. `present` are those that it has, with versions."""
    installers.choose("pip")
    with tempfile.TemporaryDirectory(prefix="fumehood-", ignore_cleanup_errors=True) as scratch:
        target = Path(scratch, "packages")
        target.mkdir()
        pins = installers.pins(present.items())
        job = installers.Job(requests, target, Path(scratch), pins)
        if is_remote:
            job = replace(job, markers=place.markers, options=(*_for_another(place),))
        installers.run("pip", job)
        return _pack(requests, target, pins, () if is_remote else environments.sites())


def _for_another(place: Place) -> list[str]:
    """Options of pip for a Python that is not its own."""
    machine = place.markers["platform_machine"]
    kind, version = place.libc
    minor = int(version.partition(".")[2])
    if kind == "musl":
        platforms = [f"musllinux_1_{older}_{machine}" for older in range(minor, 0, -1)]
    else:
        older_names = {17: "manylinux2014", 12: "manylinux2010", 5: "manylinux1"}
        platforms = [f"manylinux_2_{older}_{machine}" for older in range(minor, 4, -1)]
        platforms += [f"{name}_{machine}" for least, name in older_names.items() if minor >= least]
    versions = ["--python-version", ".".join(map(str, place.python)), "--implementation", "cp"]
    return [*versions, *(f"--platform={platform}" for platform in (*platforms, f"linux_{machine}"))]


# -- what pip has made


def _pack(
    requests: frozenset[Request], target: Path, pins: Mapping[str, str], sites: Iterable[str]
) -> Bundle:
    """A bundle of the packages in a directory that the place does not have."""
    found = {made.name: made for made in distributions(target)}
    wanted = [found[request.name] for request in sorted(requests) if request.name in found]
    if len(wanted) < len(requests):
        missing = next(request.text for request in requests if request.name not in found)
        raise InstallFailed(f"pip brought nothing for {missing!r}")
    new = [
        made for made in found.values() if pins.get(made.name) != installers.public(made.version)
    ]
    there = (
        frozenset[str]()
        .union(*(made.files for made in found.values() if made not in new))
        .difference(*(made.files for made in new))
    )
    packages = {made.name: made.version for made in [*wanted, *new]}
    allowed = allowed_modules(
        [made.name for made in wanted], found, {made.name for made in new}, sites
    )
    installed = Installed(packages, allowed)
    if not new:
        return Bundle(requests, installed, "")
    file = tempfile.TemporaryFile()  # it lives as long as the bundle  # noqa: SIM115
    try:
        size = _write(file, target, there)
        file.seek(0)
        return Bundle(
            requests, installed, hashlib.file_digest(file, "sha256").hexdigest()[:16], size, file
        )
    except BaseException:
        file.close()
        raise


def _write(file: IO[bytes], root: Path, left_out: frozenset[str]) -> int:
    """Write a tar of a directory, the same for the same files; returns its size."""
    import tarfile  # late: few executors ever install anything

    known: set[str] = {"."}
    total = 0
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root)
            if path.is_symlink() or not path.is_file() or name.as_posix() in left_out:
                continue
            for parent in [*reversed(name.parents), name]:
                if parent.as_posix() in known:
                    continue
                known.add(parent.as_posix())
                entry = tarfile.TarInfo(parent.as_posix())
                if parent is not name:
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                    tar.addfile(entry)
                    continue
                entry.size = path.stat().st_size
                total += entry.size
                if total > MOST_BYTES or len(known) > MOST_FILES:
                    raise InstallFailed(
                        f"there is no room for them: packages may have {MOST_BYTES:,} bytes in"
                        f" {MOST_FILES:,} files"
                    )
                with path.open("rb") as content:
                    tar.addfile(entry, content)
    return file.tell()


_MOST_LINE = 1 << 20
_MOST_FILES = 1 << 24
_PIECE = 1 << 18
_SILENCE_SECONDS = 120.0
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


# -- the zygote


def bundle_for(zygote: Zygote, requests: frozenset[Request], before: Iterable[Bundle]) -> Bundle:
    """Packages for sandboxes of a zygote that have others already, fetched if necessary."""
    key = requests, tuple(bundle.name for bundle in before)
    holdings = zygote.holdings
    with holdings.fetching:
        bundle = holdings.fetched.get(key)
        if bundle is None:
            place = _place_of(zygote)
            present = {**together(before).packages, **place.installed}
            bundle = holdings.fetched[key] = fetch(
                requests, place, present, is_remote=zygote.processes.is_remote
            )
        return bundle


def _place_of(zygote: Zygote) -> Place:
    with _conversation(zygote) as (_line, described):
        return _checked(described)


def bundle_there(zygote: Zygote, requests: frozenset[Request]) -> Bundle:
    """Packages that a zygote's place had before, as from the image of a container: only their
    modules are authorized. Of those that it does not have, none are."""
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
    """A container can send anything, and this goes into pip's arguments."""
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
    """Let a zygote unpack a bundle, if it has not yet; returns the directory there."""
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
    """An environment as a bundle, for a zygote that shows it to its sandboxes."""
    installed = Installed(environment.packages, environment.modules)
    return Bundle(
        requests, installed, environment.path.name, path=environment.site, holds=environment
    )


def see_if_closed(bundle: Bundle) -> None:
    """After a failure to start a sandbox: InstallFailed if its user cannot reach the packages. A
    sandbox without a root of its own finds them where the machine has them."""
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
    """A stream to the process that takes packages, and its description of the place."""
    with zygote.take_packages() as line:
        line.settimeout(_SILENCE_SECONDS)
        try:
            with line.makefile("rwb") as file:
                described = json.loads(file.readline(_MOST_LINE))
                if "failed" in described:
                    raise _not_put(shown(str(described["failed"])))
                yield file, described
        except (OSError, ValueError, LookupError, AttributeError, TypeError):
            why = zygote.why_over() or "the process that takes them has ended or does not answer"
            raise _not_put(why) from None


def _not_put(why: str) -> InstallFailed:
    return InstallFailed(f"the packages could not be put into the sandbox: {why}")
