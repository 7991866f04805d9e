"""Fetching packages: what pip finds for a place, and a tar of what is new there.

Only wheels are taken, and nothing of them is run here (packages/pip_program.py). What the place has
already stays as it is: pip is told of it, and what it brings again is left out. The tar is in a
file without a name, which is gone with this process however that ends.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from fumehood.errors import InstallFailed
from fumehood.executors.bundles import Bundle, Installed
from fumehood.packages import environments, installers
from fumehood.packages.contents import allowed_modules, distributions
from fumehood.packages.requirements import Request

MOST_BYTES = 1 << 30
MOST_FILES = 100_000
"""As in jail/filesystem.py, which the host does not import; a test compares."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a zygote says of the Python that it runs, and of what is installed there."""

    python: tuple[int, ...]
    libc: tuple[str, str]
    markers: dict[str, str]
    installed: dict[str, str]


def fetch(
    requests: frozenset[Request], place: Place, present: Mapping[str, str], *, is_far: bool
) -> Bundle:
    """Have pip fetch packages for a place. `present` is what it has already, with versions.
    InstallFailed says why not."""
    installers.choose("pip")
    with tempfile.TemporaryDirectory(prefix="fumehood-", ignore_cleanup_errors=True) as scratch:
        target = Path(scratch, "packages")
        target.mkdir()
        pins = installers.pins(present.items())
        job = installers.Job(requests, target, Path(scratch), pins)
        if is_far:
            job = replace(job, markers=place.markers, options=(*_for_another(place),))
        installers.run("pip", job)
        return _pack(requests, target, pins, () if is_far else environments.sites())


def _for_another(place: Place) -> list[str]:
    """What tells pip about a Python that is not its own."""
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
    """A bundle of what is in a directory and not among what the place has."""
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
    """A tar of the files and directories below a directory, the same for the same files. Gives its
    size."""
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
