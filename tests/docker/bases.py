"""Base images out of what this machine has: a Python that is installed here, the libraries it
needs, and nothing else, from no registry.

Each is imported into the engine once and kept for the next run, under a name that stands for what
is in it.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from fumehood.docker.engine import Engine
from fumehood.docker.images import find

_LEFT_OUT = {
    "__pycache__",
    "test",
    "tests",
    "idlelib",
    "lib2to3",
    "tkinter",
    "turtledemo",
    "ensurepip",
    "site-packages",
    "dist-packages",
}
# What commands of the tests need; containers of other tests do without.
_PROGRAMS = """
    bash sh awk basename cat chmod cut diff echo env false git git-receive-pack git-upload-pack
    grep gzip head id kill ln ls make mkdir mkfifo mv paste perl printenv printf pwd readlink rm sed
    seq setsid sha256sum sleep sort stat stty tail tar test timeout touch tr true wc which xargs yes
"""
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_LOCALE = Path("/usr/lib/locale/C.utf8")

# What a Python says of itself: where it is, and where its pip is.
_ASK = """import importlib.util, json, os, sys, sysconfig
pip = importlib.util.find_spec("pip")
print(json.dumps({
    "version": sys.version, "minor": "%d.%d" % sys.version_info[:2],
    "executable": os.path.realpath(getattr(sys, "_base_executable", sys.executable)),
    "libraries": [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")],
    "pip": os.path.dirname(pip.origin) if pip else None,
}))"""


def base_of(engine: Engine, python: str = sys.executable, packages: Sequence[str] = ()) -> str:
    """The name of an image that holds a Python of this machine, with pip if it has it, and
    distributions that are installed with the running one, with what they need."""
    told = json.loads(
        subprocess.run([python, "-c", _ASK], capture_output=True, text=True, check=True).stdout
    )
    executable = Path(told["executable"])
    distributions = _files_of(packages)
    known = [
        Path(__file__).read_text(),
        told,
        executable.stat().st_mtime_ns,
        [str(path) for path in distributions],
    ]
    name = f"fumehood-test-base:{hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]}"
    if find(engine, name) is None:
        with _alone(name):
            if find(engine, name) is None:
                _import(engine, name, _archive(told, distributions))
    return name


def other_pythons() -> dict[str, str]:
    """Pythons of other minor versions that are installed here, by version."""
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    root = Path(os.environ.get("PYENV_ROOT") or Path("~/.pyenv").expanduser()) / "versions"
    found: dict[str, str] = {}
    for path in [
        *sorted(root.glob("*/bin/python")),
        Path("/usr/bin/python3"),
        Path("/usr/local/bin/python3"),
    ]:
        with contextlib.suppress(OSError, subprocess.SubprocessError, ValueError):
            done = subprocess.run(
                [path, "-c", _ASK], capture_output=True, text=True, timeout=60, check=True
            )
            minor = json.loads(done.stdout)["minor"]
            if minor != own and tuple(map(int, minor.split("."))) >= (3, 11):
                found.setdefault(minor, str(path))
    return found


def _files_of(packages: Sequence[str]) -> list[Path]:
    """The files of installed distributions, and of what they need."""
    from importlib.metadata import PackageNotFoundError, distribution

    found: set[Path] = set()
    wanted, known = [*packages], set(packages)
    while wanted:
        try:
            one = distribution(wanted.pop())
        except (
            PackageNotFoundError
        ):  # needed elsewhere than here, or an image without it is to be seen to fail
            continue
        for file in one.files or ():
            path = Path(str(one.locate_file(file)))
            if path.is_file() and ".." not in file.parts and "__pycache__" not in file.parts:
                found.add(path)
        needed = {
            re.split(r"[^\w.-]", line, maxsplit=1)[0]
            for line in one.requires or ()
            if "extra ==" not in line
        }
        wanted += needed - known
        known |= needed
    return sorted(found)


def _archive(told: dict[str, str], distributions: Sequence[Path]) -> bytes:
    """A root: the interpreter below /usr/local, where it finds its library by itself, wherever it
    was built for."""
    made = io.BytesIO()
    home = f"usr/local/lib/python{told['minor']}"
    with tarfile.open(fileobj=made, mode="w") as tar:
        for directory, mode in (
            ("tmp", 0o1777),
            ("root", 0o700),
            ("etc", 0o755),
            ("proc", 0o555),
            ("dev", 0o755),
            ("sys", 0o555),
        ):
            _add(tar, directory, None, mode)
        _add(tar, "etc/passwd", b"root:x:0:0::/root:/bin/false\n")
        _add(tar, "etc/group", b"root:x:0:\n")
        if _CERTIFICATES.is_file():
            _add(tar, str(_CERTIFICATES).lstrip("/"), _CERTIFICATES.read_bytes())
        for path in _tree(_LOCALE):
            _add(tar, str(path).lstrip("/"), path.read_bytes())
        programs = [Path(told["executable"])]
        for name in _PROGRAMS.split():
            if (found := shutil.which(name, path="/usr/bin:/bin")) is not None:
                programs.append(Path(found).resolve())
                _add(tar, f"usr/bin/{name}", programs[-1].read_bytes(), 0o755)
        link = tarfile.TarInfo("bin")
        link.type, link.linkname = tarfile.SYMTYPE, "usr/bin"
        tar.addfile(link)
        _add(tar, f"usr/local/bin/python{told['minor']}", programs[0].read_bytes(), 0o755)
        for name in ("python3", "python"):
            link = tarfile.TarInfo(f"usr/local/bin/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, f"python{told['minor']}"
            tar.addfile(link)
        for library in dict.fromkeys(told["libraries"]):
            for path in _tree(Path(library)):
                _add(tar, f"{home}/{path.relative_to(library)}", path.read_bytes())
                programs += [path] if path.suffix == ".so" else []
        if told["pip"]:
            for path in _tree(Path(told["pip"])):
                _add(
                    tar,
                    f"{home}/site-packages/pip/{path.relative_to(told['pip'])}",
                    path.read_bytes(),
                )
        for path in distributions:
            _add(tar, f"{home}/site-packages/{_below_site(path)}", path.read_bytes())
            programs += [path] if ".so" in path.suffixes else []
        for needed in _shared(programs):
            # The loader is where programs say it is; the rest is where it looks first. None is of
            # the distributions' own.
            where = (
                str(needed).lstrip("/")
                if needed.name.startswith("ld-")
                else f"usr/lib/{needed.name}"
            )
            _add(tar, where, needed.read_bytes(), 0o755)
    return made.getvalue()


def _below_site(path: Path) -> Path:
    parts = path.parts
    at = max(
        place for place, part in enumerate(parts) if part in ("site-packages", "dist-packages")
    )
    return Path(*parts[at + 1 :])


def _tree(top: Path) -> Iterator[Path]:
    for root, directories, names in os.walk(top):
        directories[:] = sorted(
            name for name in directories if name not in _LEFT_OUT and not name.startswith("config-")
        )
        for name in sorted(names):
            path = Path(root) / name
            if path.is_file() and path.suffix not in (".a", ".pyc", ".exe"):
                yield path


def _shared(programs: Sequence[Path]) -> list[Path]:
    """The shared libraries that programs need, as the loader of this machine finds them."""
    done = subprocess.run(["ldd", *map(str, programs)], capture_output=True, text=True, check=False)
    own = {program.resolve() for program in programs}
    found: dict[str, Path] = {}
    for line in done.stdout.splitlines():
        match = re.match(r"\s+(?:\S+ => )?(/\S+) \(0x", line)
        if match and Path(match[1]).resolve() not in own and "site-packages" not in match[1]:
            found.setdefault(Path(match[1]).name, Path(match[1]))
    return list(found.values())


def _add(tar: tarfile.TarFile, name: str, data: bytes | None, mode: int = 0o644) -> None:
    entry = tarfile.TarInfo(name)
    entry.mode = mode
    if data is None:
        entry.type = tarfile.DIRTYPE
    else:
        entry.size = len(data)
    tar.addfile(entry, io.BytesIO(data or b""))


def _import(engine: Engine, name: str, archive: bytes) -> None:
    with engine.client() as client:
        repository, tag = name.split(":")
        client.import_image_from_data(archive, repository=repository, tag=tag)


@contextlib.contextmanager
def _alone(name: str) -> Iterator[None]:
    """Several workers of a test run share one engine."""
    with open(  # noqa: PTH123
        Path(tempfile.gettempdir()) / f"fumehood-test-{os.geteuid()}-{name.partition(':')[2]}.lock",
        "w",
    ) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
