"""uv or pip, as a program of its own: which of them, how it is started, and what of it is watched.

Whatever it fetches was made by somebody else. So it is told to take wheels alone, unless the caller
wants builds, and while it works the room that it takes is measured: of a wheel that is small, files
may come out that are not.
"""

from __future__ import annotations

import importlib.util
import json
import os
import resource
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fumehood.errors import InstallFailed, PolicyError
from fumehood.packages import settings
from fumehood.packages.explaining import is_silence, why
from fumehood.packages.requirements import Request, canonical

Report = Callable[[str], None]
INSTALLERS = ("uv", "pip")

_PIP = Path(__file__).with_name("pip_program.py")
_OUTPUT_LINES = 40
_MOST_LINES = 4000
_GLANCE_SECONDS = 0.5

# Each is used as the caller has configured it, but for what to install and where to.
_NOT_HEEDED = frozenset(
    "PIP_REQUIREMENT PIP_EDITABLE PIP_TARGET PIP_PREFIX PIP_ROOT PIP_USER PIP_DRY_RUN PIP_PYTHON"
    " PIP_NO_DEPS PIP_NO_BINARY PIP_REPORT UV_PYTHON UV_TARGET UV_PREFIX UV_NO_BINARY UV_NO_DEPS"
    " UV_CACHE_DIR UV_NO_CACHE UV_PROJECT UV_WORKING_DIRECTORY UV_REQUIREMENT VIRTUAL_ENV"
    " CONDA_PREFIX PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT".split()
)

_PIP_OPTIONS = (
    "install",
    "--no-compile",
    "--no-input",
    "--no-color",
    "--no-user",
    "--disable-pip-version-check",
    "--no-warn-script-location",
    "--progress-bar=off",
)
_UV_OPTIONS = (
    "pip",
    "install",
    "--link-mode=copy",
    "--no-progress",
    "--color=never",
    "--no-python-downloads",
)


def choose(wanted: str | None = None) -> str:
    """ "uv" or "pip". uv is the faster; but where pip was told where to look and uv was not, what
    uv would find is something else."""
    wanted = wanted or os.environ.get("FUMEHOOD_INSTALLER") or None
    if wanted not in (None, *INSTALLERS):
        raise PolicyError(f"FUMEHOOD_INSTALLER must be 'uv' or 'pip', not {wanted!r}")
    has_uv, has_pip = (
        find_uv() is not None,
        bool(sys.executable) and importlib.util.find_spec("pip") is not None,
    )
    if (
        wanted == "uv"
        and not has_uv
        or wanted == "pip"
        and not has_pip
        or not has_uv
        and not has_pip
    ):
        how = (
            f"{sys.executable or 'no interpreter'} -m ensurepip makes one"
            if wanted != "uv"
            else "pip install uv"
        )
        raise InstallFailed(f"there is no {wanted or 'uv and no pip'} to install with ({how})")
    if wanted:
        return wanted
    return "pip" if not has_uv or has_pip and settings.of_pip() and not settings.of_uv() else "uv"


def find_uv() -> str | None:
    """The program, on the path or beside this Python."""
    beside = Path(sys.executable or "/nonexistent").with_name("uv")
    return shutil.which("uv") or (str(beside) if os.access(beside, os.X_OK) else None)


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be fetched, and where to."""

    requests: frozenset[Request]
    target: Path
    scratch: Path
    """A directory for what is needed meanwhile."""
    present: Mapping[str, str]
    """What is there already, with versions: it stays as it is."""
    builds: bool = False
    markers: Mapping[str, str] | None = None
    """What pip is told of a Python that is not its own."""
    options: tuple[str, ...] = ()
    kept: Path | None = None
    """Where uv may keep what it fetches for the next time; it grows by no more than
    `most_bytes`."""
    most_bytes: int | None = None
    most_seconds: float | None = 900.0
    """After so long it is given up. Both programs try for minutes what nobody answers, and have no
    bound on what comes drop by drop."""

    @property
    def texts(self) -> list[str]:
        return [request.text for request in sorted(self.requests)]


def run(installer: str, job: Job, report: Report = lambda line: None) -> None:
    """Have packages fetched into a directory. InstallFailed says in one line why they could not
    be."""
    constraints = job.scratch / "constraints.txt"
    constraints.write_text("".join(f"{name}=={version}\n" for name, version in job.present.items()))
    command = _uv(job, constraints) if installer == "uv" else _pip(job, constraints)
    code, said = _watched(command, job, report)
    if code:
        if (
            installer == "pip"
            and any("(from versions: none)" in line for line in said)
            and not is_silence(said)
        ):
            said += _second_look(job, constraints)
        raise InstallFailed(
            f"the packages could not be fetched: {why(said, job.present)}",
            tuple(said[-_OUTPUT_LINES:]),
        )


def _uv(job: Job, constraints: Path) -> list[str]:
    program = find_uv()
    assert program is not None
    cache = job.kept or job.scratch / "uv"
    options = [
        "--python",
        sys.executable,
        "--target",
        str(job.target),
        "--constraint",
        str(constraints),
        "--cache-dir",
        str(cache),
    ]
    return [
        program,
        *_UV_OPTIONS,
        *options,
        *([] if job.builds else ["--no-build"]),
        "--",
        *job.texts,
    ]


def _pip(job: Job, constraints: Path, *more: str) -> list[str]:
    """-P: in the directory that it is started in is nothing that could be imported instead of
    pip."""
    told = json.dumps({"markers": dict(job.markers or {}), "builds": job.builds})
    options = ["--target", str(job.target), "--constraint", str(constraints), *job.options]
    wheels = [] if job.builds else ["--only-binary=:all:"]
    return [
        sys.executable,
        "-P",
        str(_PIP),
        told,
        *_PIP_OPTIONS,
        *wheels,
        *options,
        *more,
        "--",
        *job.texts,
    ]


def _environment(job: Job) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _NOT_HEEDED}
    return kept | {
        "PIP_ROOT_USER_ACTION": "ignore",
        "TMPDIR": str(job.scratch),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _watched(command: Sequence[str], job: Job, report: Report) -> tuple[int, list[str]]:
    """Run a program to its end, and see that it takes no more room than there may be; gives its
    exit code and the last that it said."""
    said: deque[str] = deque(maxlen=_MOST_LINES)
    before = size_of(job.kept) if job.kept is not None else 0
    began = time.monotonic()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=job.scratch,
            env=_environment(job),
            # Ctrl-C in the host's terminal is the host's, who ends all that this one has started
            start_new_session=True,
        )
    except OSError as error:
        raise InstallFailed(f"{command[0]} cannot be started: {error.strerror}") from None
    with process:
        try:
            if job.most_bytes is not None:
                resource.prlimit(
                    process.pid, resource.RLIMIT_FSIZE, (job.most_bytes, job.most_bytes)
                )
            for line in _lines(process):
                if job.most_seconds is not None and time.monotonic() - began > job.most_seconds:
                    raise _gave_up(job.most_seconds, said)
                if line is None:
                    taken = size_of(job.scratch) + (
                        size_of(job.kept) - before if job.kept is not None else 0
                    )
                    if (
                        job.most_bytes is not None and taken > 3 * job.most_bytes
                    ):  # archives, what comes out of them, and a copy
                        raise InstallFailed(
                            f"there is no room for them: packages may have {job.most_bytes:,} bytes"
                        )
                elif line.strip():
                    said.append(shown(line))
                    report(said[-1].strip())
            code = process.wait()
        except BaseException:
            end(process)
            raise
    if code == -signal.SIGXFSZ:
        said.append("File too large")
    return code, [*said]


def _gave_up(seconds: float, said: Iterable[str]) -> InstallFailed:
    last = tuple(said)[-_OUTPUT_LINES:]
    return InstallFailed(
        f"the packages could not be fetched within {seconds:g} seconds: the package index does not"
        " answer, or too slowly. Try again, name one that does (PIP_INDEX_URL, UV_DEFAULT_INDEX),"
        " or give it longer: Packages([…], timeout_seconds=…)",
        last,
    )


def _lines(process: subprocess.Popen[bytes]) -> Iterator[str | None]:
    """What it says, line by line; and None each time that a moment has passed."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    begun = b""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if not selector.select(_GLANCE_SECONDS):
                yield None
                continue
            data = os.read(descriptor, 1 << 16)
            *whole, begun = (begun + data).split(b"\n")
            yield from (line.decode(errors="replace") for line in whole)
            if not data:
                yield begun.decode(errors="replace")
                yield None
                return
            begun = begun[-(1 << 16) :]


def end(process: subprocess.Popen[bytes]) -> None:
    """With all that it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _second_look(job: Job, constraints: Path) -> list[str]:
    """pip does not say whether there is nothing of that name, nothing that fits in here, or nobody
    to ask, unless it is asked for more."""
    _code, said = _watched(_pip(job, constraints, "-vv"), job, lambda line: None)
    names = {request.name for request in job.requests}
    passed_over = (
        line.rpartition("/")[2]
        for line in said
        if "Skipping link: " in line and "wrong project name" not in line
    )
    fits = any(canonical(file).startswith(f"{name}-") for file in passed_over for name in names)
    unreachable = [line for line in said if "Could not fetch URL" in line]
    return [*unreachable, *(["seen: no wheel"] if fits else [])]


def size_of(directory: Path) -> int:
    """Bytes of the files below a directory, from which some may be gone meanwhile."""
    return sum(size for size, _path in files_below(str(directory)))


def files_below(directory: str) -> Iterator[tuple[int, str]]:
    pending = [directory]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    else:
                        yield entry.stat(follow_symlinks=False).st_size, entry.path
        except OSError:
            continue


def shown(text: str) -> str:
    """Without what a terminal would obey: some of it was written by whoever wrote the package."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:1000])


def public(version: str) -> str:
    """A version without what somebody has added for himself, such as 2.1+cpu; empty if it is none
    that an installer understands."""
    return pins([("", version)]).get("", "")


def pins(present: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Names and public versions, of those whose versions an installer understands."""
    from packaging.version import InvalidVersion, Version

    found = {}
    for name, version in present:
        try:
            found[name] = Version(version).public
        except InvalidVersion:
            continue
    return found
