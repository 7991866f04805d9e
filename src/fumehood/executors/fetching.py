"""Fetching packages: what pip finds for a place, and a tar of what is new there.

Only wheels are taken, and nothing of them is run here (pip_program.py). What the place has already stays as it is: pip is told of it, and
what it brings again is left out. The tar is in a file without a name, which is gone with this process however that ends.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

from fumehood.errors import InstallFailed
from fumehood.executors.bundles import Bundle, Installed, Request

MOST_BYTES = 1 << 30
MOST_FILES = 100_000
"""As in jail/filesystem.py, which the host does not import; a test compares."""

_PIP = Path(__file__).with_name("pip_program.py")
_OUTPUT_LINES = 40
_VERSION = re.compile(r"(?:[0-9]+!)?[0-9]+(?:\.[0-9]+)*(?:(?:a|b|rc)[0-9]+)?(?:\.post[0-9]+)?(?:\.dev[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Place:
    """What a zygote says of the Python that it runs, and of what is installed there."""

    python: tuple[int, ...]
    libc: tuple[str, str]
    markers: dict[str, str]
    installed: dict[str, str]


def canonical(name: str) -> str:
    """The name of a package, however somebody has written it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def fetch(requests: frozenset[Request], place: Place, present: Mapping[str, str], *, is_far: bool) -> Bundle:
    """Have pip fetch packages for a place. `present` is what it has already, with versions. InstallFailed says why not."""
    if not sys.executable or importlib.util.find_spec("pip") is None:
        raise InstallFailed(f"there is no pip to install with ({sys.executable or 'no interpreter'} -m ensurepip makes one)")
    with tempfile.TemporaryDirectory(prefix="fumehood-", ignore_cleanup_errors=True) as scratch:
        target, constraints = Path(scratch, "packages"), Path(scratch, "constraints.txt")
        target.mkdir()
        pins = {name: public for name, version in present.items() if (public := _public(version))}
        constraints.write_text("".join(f"{name}=={version}\n" for name, version in pins.items()))
        options = ["--target", str(target), "--constraint", str(constraints), *(_for_another(place) if is_far else ())]
        _run_pip([*_OPTIONS, *options, "--", *(request.text for request in sorted(requests))], place.markers if is_far else {}, scratch)
        return _pack(requests, target, pins)


_OPTIONS = (
    "install",
    "--only-binary=:all:",
    "--no-compile",
    "--no-input",
    "--no-color",
    "--no-user",
    "--disable-pip-version-check",
    "--no-warn-script-location",
    "--progress-bar=off",
)


# pip is used as the caller has configured it, but for what to install and where to.
_NOT_HEEDED = ("PIP_REQUIREMENT", "PIP_EDITABLE", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_DRY_RUN", "PIP_PYTHON")


def _public(version: str) -> str:
    """A version without what somebody has added for himself, such as 2.1+cpu; empty if it is none that pip understands."""
    public = version.partition("+")[0]
    return public if _VERSION.fullmatch(public) else ""


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


def _run_pip(arguments: list[str], markers: dict[str, str], directory: str) -> None:
    """In a directory of our own, which holds nothing that could be imported instead of pip."""
    command = [sys.executable, "-P", str(_PIP), json.dumps(markers), *arguments]
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_HEEDED} | {"PIP_ROOT_USER_ACTION": "ignore"}
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=directory, env=environment, check=False
    )
    if done.returncode:
        said = [shown(line) for line in done.stdout.decode(errors="replace").splitlines() if line.strip()]
        raise InstallFailed(f"the packages could not be fetched: {_why(said)}", tuple(said[-_OUTPUT_LINES:]))


def _why(said: list[str]) -> str:
    """One line of what pip said."""
    errors = [line.removeprefix("ERROR:").strip() for line in said if line.startswith("ERROR:")]
    why = errors[0] if errors else said[-1].strip() if said else "pip says nothing"
    kept = [line.partition("(constraint)")[2].strip() for line in said if "(constraint)" in line]
    return f"{why}; what is there already stays as it is ({', '.join(dict.fromkeys(kept))})" if kept else why


def shown(text: str) -> str:
    """Without what a terminal would obey: some of it was written by whoever wrote the package."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:1000])


# -- what pip has made -------------------------------------------------------------------------------------------------------------------


class _Distribution(NamedTuple):
    name: str
    version: str
    files: frozenset[str]


def _pack(requests: frozenset[Request], target: Path, pins: Mapping[str, str]) -> Bundle:
    """A bundle of what is in a directory and not among what the place has."""
    found = {made.name: made for made in _distributions(target)}
    wanted = [found[request.name] for request in sorted(requests) if request.name in found]
    if len(wanted) < len(requests):
        missing = next(request.text for request in requests if request.name not in found)
        raise InstallFailed(f"pip brought nothing for {missing!r}")
    new = [made for made in found.values() if pins.get(made.name) != _public(made.version)]
    there = frozenset[str]().union(*(made.files for made in found.values() if made not in new)).difference(*(made.files for made in new))
    packages = {made.name: made.version for made in [*wanted, *new]}
    modules = tuple(dict.fromkeys(name for made in wanted for name in _modules(made.files)))
    installed = Installed(packages, modules)
    if not new:
        return Bundle(requests, installed, "")
    file = tempfile.TemporaryFile()  # noqa: SIM115  # it lives as long as the bundle
    try:
        size = _write(file, target, there)
        file.seek(0)
        return Bundle(requests, installed, hashlib.file_digest(file, "sha256").hexdigest()[:16], size, file)
    except BaseException:
        file.close()
        raise


def _distributions(target: Path) -> Iterator[_Distribution]:
    import csv  # late: few executors ever install anything

    for information in target.glob("*.dist-info"):
        try:
            head, _, _ = (information / "METADATA").read_text(errors="replace").partition("\n\n")
            fields = dict(line.split(": ", 1) for line in head.splitlines() if line.startswith(("Name: ", "Version: ")))
            with (information / "RECORD").open(newline="", errors="replace") as record:
                files = frozenset(row[0] for row in csv.reader(record) if row)
            yield _Distribution(canonical(fields["Name"].strip()), shown(fields["Version"].strip()), files)
        except (OSError, KeyError, csv.Error) as error:
            raise InstallFailed(f"{shown(information.name)} does not say what it is: {shown(str(error))}") from None


def _modules(files: Iterable[str]) -> Iterator[str]:
    """The modules of a package that code may import. None of the standard library's, whose names a package may use as it likes but which it
    must not open; nor the worker's own."""
    code = [path.partition("/") for path in sorted(files) if path.endswith((".py", ".so"))]
    for name in dict.fromkeys(first if rest else first.partition(".")[0] for first, _slash, rest in code):
        if name.isidentifier() and not name.startswith("_") and name not in sys.stdlib_module_names and name != "fumehood":
            yield name


def _write(file: IO[bytes], root: Path, left_out: frozenset[str]) -> int:
    """A tar of the files and directories below a directory, the same for the same files. Gives its size."""
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
                    raise InstallFailed(f"there is no room for them: packages may have {MOST_BYTES:,} bytes in {MOST_FILES:,} files")
                with path.open("rb") as content:
                    tar.addfile(entry, content)
    return file.tell()
