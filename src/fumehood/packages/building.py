"""A directory of packages, made of what an installer brings: only what is new, only files, nothing
that could not be read by everybody.

Nothing of a package is run here, unless the caller has allowed builds. What Python would run by
itself (`.pth` files, a `sitecustomize`) it runs only in directories that it takes for its own, and
this is none; they are left out all the same, so that nobody else runs them.
"""

from __future__ import annotations

import hashlib
import os
import resource
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fumehood.errors import InstallFailed
from fumehood.packages import installers
from fumehood.packages.contents import Distribution, allowed_modules, distributions
from fumehood.packages.installers import Report
from fumehood.packages.requirements import Request

MOST_BYTES = 4 << 30
MOST_FILES = 200_000

_LEFT_OUT = ("bin", "__pycache__")
_COMPILE_SECONDS = 300
_COMPILE_BYTES = 4 << 30
_MANY_FILES = 200
_COMPILER = """import compileall, py_compile, sys
how = py_compile.PycInvalidationMode.UNCHECKED_HASH
compileall.compile_dir(sys.argv[1], quiet=2, workers=int(sys.argv[2]), invalidation_mode=how)
"""


@dataclass(frozen=True, slots=True)
class Made:
    """What a directory of packages holds, and what was there before and is needed with it."""

    packages: dict[str, str]
    modules: tuple[str, ...]
    shared: dict[str, str]
    """What the packages need and the machine has, with versions."""


def build(
    installer: str,
    requests: frozenset[Request],
    target: Path,
    scratch: Path,
    *,
    present: Mapping[str, str],
    sites: Iterable[str],
    builds: bool,
    most_seconds: float | None,
    kept: Path,
    report: Report,
) -> Made:
    """Fetch packages into an empty directory, and leave there what is new. InstallFailed says why
    not."""
    pins = installers.pins(present.items())
    job = installers.Job(
        requests,
        target,
        scratch,
        pins,
        builds,
        kept=kept,
        most_bytes=MOST_BYTES,
        most_seconds=most_seconds,
    )
    installers.run(installer, job, report)
    found = {made.name: made for made in distributions(target)}
    _need_all(requests, found, installer)
    new = {
        name: made
        for name, made in found.items()
        if pins.get(name) != installers.public(made.version)
    }
    old = {name: made for name, made in found.items() if name not in new}
    there = (
        frozenset[str]()
        .union(*(made.files for made in old.values()))
        .difference(*(made.files for made in new.values()))
    )
    _tidy(target, there)
    report("compiling")
    _compile(target)
    named = sorted({request.name for request in requests})
    versions = {name: found[name].version for name in [*named, *sorted(new)]}
    return Made(
        versions, allowed_modules(named, found, new, sites), {name: present[name] for name in old}
    )


def _need_all(
    requests: frozenset[Request], found: Mapping[str, Distribution], installer: str
) -> None:
    for request in sorted(requests):
        if request.name not in found:
            reason = (
                ": what it says about the Python that it is for does not fit"
                if ";" in request.text
                else ""
            )
            raise InstallFailed(f"{installer} brought nothing for {request.text!r}{reason}")


def _tidy(target: Path, there: frozenset[str]) -> None:
    """Leave files and directories, which everybody may read and nobody is to change, and no more of
    them than there may be."""
    total = number = 0
    for directory, names, files in os.walk(target, topdown=False):
        is_top = Path(directory) == target
        for name in [*files, *names]:
            path = Path(directory, name)
            status = path.lstat()
            is_left_out = is_top and (
                name in _LEFT_OUT or name.startswith(".") or name.endswith((".pth", ".egg-link"))
            )
            if stat.S_ISDIR(status.st_mode):
                if is_left_out:
                    _remove(path)
                elif not any(path.iterdir()):
                    path.rmdir()
                else:
                    path.chmod(0o755)
                continue
            is_hook = is_top and name.partition(".")[0] in ("sitecustomize", "usercustomize")
            if (
                is_left_out
                or is_hook
                or not stat.S_ISREG(status.st_mode)
                or path.relative_to(target).as_posix() in there
            ):
                path.unlink()
                continue
            if status.st_nlink > 1:  # else whoever has the other name could change it
                data = path.read_bytes()
                path.unlink()
                path.write_bytes(data)
            path.chmod(0o644)
            total, number = total + status.st_size, number + 1
            if total > MOST_BYTES or number > MOST_FILES:
                raise InstallFailed(
                    f"there is no room for them: packages may have {MOST_BYTES:,} bytes in"
                    f" {MOST_FILES:,} files"
                )
    target.chmod(0o755)


def _remove(directory: Path) -> None:
    import shutil

    shutil.rmtree(directory)


def _compile(target: Path) -> None:
    """Nobody who imports them could keep what the compiler makes of them. What cannot be compiled
    fails again, with its reason, where it is imported; and what the compiler cannot bear takes a
    process with it that is there for nothing else."""
    is_many = (
        sum(path.endswith(".py") for _size, path in installers.files_below(str(target)))
        > _MANY_FILES
    )
    process = subprocess.Popen(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            _COMPILER,
            str(target),
            "0" if is_many else "1",
        ],  # 0: as many processes as there are processors
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )
    with process:
        try:
            resource.prlimit(process.pid, resource.RLIMIT_AS, (_COMPILE_BYTES, _COMPILE_BYTES))
            process.wait(_COMPILE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            installers.end(process)
    for directory, names, files in os.walk(target):  # whatever umask the host has
        for name in names:
            Path(directory, name).chmod(0o755)
        for name in files:
            if name.endswith(".pyc"):
                Path(directory, name).chmod(0o644)


def digest(target: Path) -> str:
    """The same for the same files, but for what was made of them here."""
    whole = hashlib.sha256(platform_tag().encode())
    for path in sorted(target.rglob("*")):
        if (
            path.is_file()
            and path.suffix != ".pyc"
            and path.name not in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
        ):
            with path.open("rb") as file:
                whole.update(
                    f"\0{path.relative_to(target).as_posix()}\0".encode(errors="surrogateescape")
                )
                whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


def platform_tag() -> str:
    """What packages are for, such as cpython-311-linux-x86_64."""
    return (
        f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}-{sysconfig.get_platform()}"
    )
