"""Images: which one a container needs, whether it exists, and how it is built. Images are named by
their content, so one that exists is never built again.

fumehood:0123456789abcdef        a base with our files and the caller's packages
fumehood:base-0123456789ab       the result of the caller's Dockerfile, as a base

A build goes from what changes least to what changes most: packages, then our own files. The base
needs nothing but Python.
"""

from __future__ import annotations

import ast
import contextlib
import datetime
import fcntl
import functools
import hashlib
import io
import json
import logging
import os
import re
import stat
import subprocess
import sys
import tarfile
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fumehood.docker.engine import BUILD_SECONDS, Engine, in_path, one_line
from fumehood.errors import DockerFailed, ImageBuildFailed, ImageMissing, PolicyError
from fumehood.progress import Progress, told
from fumehood.tunnel.inside import files

LOG = logging.getLogger("fumehood.docker")
REPOSITORY = "fumehood"
DEFAULT_BASE = "python:3.12-slim"

# Labels of our images.
INSIDE = "fumehood.inside"
BASE = "fumehood.base"
PACKAGES = "fumehood.packages"
CREATED = "fumehood.created"
RECIPE = "fumehood.recipe"
"""Identifies everything that was asked for, whatever the base was at the time."""
LAYER = "fumehood.layer"
"""A label of every step of a build of ours, to recognize the remains of one that failed."""

# What an image holds of ours. hardening.py mounts over the first place.
LABS = "/labs"
"""As in jail/filesystem.py, which the host does not import; a test compares."""
HOME = "/opt/fumehood"
"""Our files; a directory for `sys.path`."""
LINKS = {"/home/user": "/proc/self/fd/15/home", "/tmp": "/proc/self/fd/15/tmp"}
"""The directories of a sandbox."""
WHEELS = f"{HOME}/wheels"
_WHEN = 1_000_000_000
"""The same for every file, so that the same files give the same archive."""
_KEPT_LINES = 40

_TOO_OLD = "fumehood needs Python 3.11 or newer"
_NO_PIP = "fumehood needs pip to install packages"

# What runs in the base while an image is built.
_CHECK = f"""import sys
if sys.version_info < (3, 11): sys.exit({_TOO_OLD!r} + ", and this is " + sys.version.split()[0])
"""
_INSTALL = (
    _CHECK
    + f"""import importlib.util, os, shutil, subprocess
if importlib.util.find_spec("pip") is None: sys.exit({_NO_PIP!r})
os.environ["PIP_BREAK_SYSTEM_PACKAGES"] = "1"  # the image is nobody else's
options = ["--no-cache-dir", "--disable-pip-version-check", "--no-input", "--root-user-action=ignore"]
done = subprocess.run([sys.executable, "-m", "pip", "install", *options, *sys.argv[1:]])
shutil.rmtree({WHEELS!r}, ignore_errors=True)
sys.exit(done.returncode)
"""  # noqa: E501
)
# A container cannot write compiled files, and images of Python come without: everything would be
# compiled at every start. Then the directories of a sandbox take the place of those of the base.
# What a base has in /home/user is kept beside it.
_COMPILE = (
    _CHECK
    + f"""import compileall, os, py_compile, re, shutil, sysconfig
left_out = re.compile(r"/(test|tests|idlelib|lib2to3|tkinter|turtledemo|ensurepip|pip|setuptools)/")
paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")] + [{HOME!r}]
for path in dict.fromkeys(paths):
    compileall.compile_dir(path, quiet=2, rx=left_out, workers=0, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
for name, target in {LINKS!r}.items():
    os.makedirs(os.path.dirname(name), exist_ok=True)
    if os.path.islink(name): os.unlink(name)
    elif name == "/tmp": shutil.rmtree(name, ignore_errors=True)
    elif os.path.exists(name): shutil.move(name, name + ".image")
    os.symlink(target, name)
"""  # noqa: E501
)

# Which settings of the caller's pip go with a build, as arguments of it, so that they are in force
# there and not in what comes of it.
PIP_SETTINGS = {
    "index-url": "PIP_INDEX_URL",
    "extra-index-url": "PIP_EXTRA_INDEX_URL",
    "trusted-host": "PIP_TRUSTED_HOST",
    "find-links": "PIP_FIND_LINKS",
    "timeout": "PIP_TIMEOUT",
    "retries": "PIP_RETRIES",
}
_PLACES = ("index-url", "extra-index-url", "find-links")
_PROXIES = (
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "FTP_PROXY",
    "ALL_PROXY",
)  # the engine knows these by itself

# What a caller may not say about a build, in the terms of the `docker` package, and why.
OURS = {
    "path": "dockerfile= names the file, and what is beside it can be copied",
    "fileobj": "dockerfile= takes the text",
    "custom_context": "dockerfile= names the file, and what is beside it can be copied",
    "encoding": "the build is sent as it is",
    "gzip": "the build is sent as it is",
    "tag": "images are tagged by what they hold",
    "dockerfile": "it is an argument of its own",
    "decode": "the output is read here",
    "quiet": "the output is what says why a build failed",
    "rm": "nothing of a build is left behind",
    "forcerm": "nothing of a build is left behind",
    "timeout": "a build takes as long as it takes",
}


@dataclass(frozen=True, slots=True)
class ReadyImage:
    """An image that is on the engine."""

    id: str
    name: str
    labels: Mapping[str, str]
    volumes: tuple[str, ...] = ()
    """Directories for which containers of it would get volumes."""


@dataclass(frozen=True)
class Image:
    """What is wanted of an image. Made by `for_`; `ensure` sees to it that it is there."""

    base: str
    packages: tuple[str, ...] = ()
    dockerfile: str | None = None
    """Its text."""
    directory: Path | None = None
    """Where that was read from: what it copies lies there."""
    may_be_ready: bool = False
    """Whether the base may be such an image itself."""
    platform: str | None = None
    build_kwargs: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def for_(
        cls,
        *,
        image: str | None = None,
        base: str | None = None,
        packages: Iterable[str | os.PathLike[str]] = (),
        dockerfile: str | os.PathLike[str] | None = None,
        platform: str | None = None,
        build_kwargs: Mapping[str, Any] | None = None,
    ) -> Image:
        """Check what a caller asks for. `image` is used as it is if it was built by this very
        fumehood, and as a base if not: any image with Python will do. `dockerfile` is a path, or a
        text with a FROM; what it makes is the base. PolicyError says what cannot be."""
        named = [
            name
            for name, value in (("image", image), ("base", base), ("dockerfile", dockerfile))
            if value is not None
        ]
        if len(named) > 1:
            raise PolicyError(
                f"{named[0]} and {named[1]} both say what to build on: give one of them"
            )
        for what, name in (("image", image), ("base", base)):
            if name is not None and (
                not isinstance(name, str)
                or not name
                or any(c.isspace() or not c.isprintable() for c in name)
            ):
                raise PolicyError(
                    f"{what} must be the name of an image, such as {DEFAULT_BASE!r}, not {name!r}"
                )
        if isinstance(packages, str):
            raise PolicyError(f"packages must be a list, not one string; write [{packages!r}]")
        wanted = tuple(
            dict.fromkeys(
                os.fspath(each) if isinstance(each, os.PathLike) else each for each in packages
            )
        )
        for package in wanted:
            if (
                not isinstance(package, str)
                or not package.strip()
                or package.startswith("-")
                or not package.isprintable()
            ):
                raise PolicyError(
                    "a package must be what pip installs, such as 'numpy' or 'numpy==2.0', not"
                    f" {package!r}"
                )
        text, directory = (None, None) if dockerfile is None else _dockerfile(dockerfile)
        options = _checked_options(build_kwargs) if build_kwargs else {}
        return cls(
            base=image or base or DEFAULT_BASE,
            packages=wanted,
            dockerfile=text,
            directory=directory,
            may_be_ready=image is not None,
            platform=platform,
            build_kwargs=options,
        )

    # -- names

    @property
    def title(self) -> str:
        """The image in words."""
        base = "a Dockerfile" if self.dockerfile is not None else self.base
        return f"an image from {base}" + (
            f" with {', '.join(self.packages)}" if self.packages else ""
        )

    @property
    def base_tag(self) -> str:
        """Under what name the base is, if the caller's Dockerfile makes it."""
        assert self.dockerfile is not None
        return (
            f"{REPOSITORY}:base-{_digest(self.dockerfile, self._beside(), self._settings())[:12]}"
        )

    def recipe(self) -> str:
        wheels = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in self._wheels()]
        base = self.base if self.dockerfile is None else self.base_tag
        return _digest(base, sorted(self.packages), wheels, digest(), self._settings())

    def tag(self, base_id: str) -> str:
        return f"{REPOSITORY}:{_digest(self.recipe(), base_id)}"

    def _settings(self) -> Any:
        """What of the options of a build changes what comes of it."""
        said = {
            name: self.build_kwargs.get(name)
            for name in ("buildargs", "target", "extra_hosts", "labels")
        }
        return [said, self.platform]

    def _wheels(self) -> list[Path]:
        return [Path(package) for package in self.packages if _is_wheel(package)]

    @property
    def _copies(self) -> bool:
        return self.directory is not None and _has_instruction(
            self.dockerfile or "", "COPY ", "ADD "
        )

    def _beside(self) -> list[Any]:
        """What a Dockerfile that copies could copy, by names, sizes and times."""
        if self.directory is None or not self._copies:
            return []
        found: list[Any] = []
        for root, directories, names in os.walk(self.directory):
            directories[:] = sorted(name for name in directories if name != ".git")
            for name in sorted(names):
                with contextlib.suppress(OSError):
                    path = Path(root) / name
                    status = path.lstat()
                    found.append(
                        [str(path.relative_to(self.directory)), status.st_size, status.st_mtime_ns]
                    )
        return found

    # -- being there

    def ensure(self, engine: Engine, on_progress: Progress | None = None) -> ReadyImage:
        """The image, built if it is not there. Costs two questions if it is. `on_progress` is given
        what a build says, line by line.

        ImageMissing, ImageBuildFailed and DockerUnavailable say what is wrong; then nothing has
        changed.
        """
        ready = self._find(engine)
        if ready is not None:
            return ready
        with (
            told(f"building {self.title}", on_progress, LOG) as report,
            _alone(engine, self.recipe(), report),
        ):
            return self._find(engine) or self._build(engine, report)

    def _find(self, engine: Engine) -> ReadyImage | None:
        base = find(engine, self.base if self.dockerfile is None else self.base_tag)
        if base is None:
            return self._of_a_base_that_is_gone(engine)
        if self.may_be_ready and not self.packages and base.labels.get(INSIDE) == digest():
            return base
        return find(engine, self.tag(base.id))

    def _of_a_base_that_is_gone(self, engine: Engine) -> ReadyImage | None:
        """One that was built when its base was still there is as good."""
        filters = json.dumps({"label": [f"{RECIPE}={self.recipe()}"]})
        found = engine.ask("GET", "/images/json", {"filters": filters})
        latest = max(found, key=lambda entry: entry.get("Created", 0), default=None)
        return None if latest is None else find(engine, latest["Id"])

    def _build(self, engine: Engine, report: Progress) -> ReadyImage:
        base = self._base(engine, report)
        if self.may_be_ready and not self.packages and base.labels.get(INSIDE) == digest():
            return base
        tag = self.tag(base.id)
        name = self.base if self.dockerfile is None else self.base_tag
        wheels = self._wheels()
        arguments = _arguments(self.packages, report)
        packages = [
            f"{WHEELS}/{Path(each).name}" if _is_wheel(each) else each for each in self.packages
        ]
        said = dict(self.build_kwargs)
        said.pop("target", None)  # a stage of the caller's Dockerfile, which has been built by now
        labels = {
            INSIDE: digest(),
            BASE: name,
            PACKAGES: " ".join(self.packages),
            CREATED: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            RECIPE: self.recipe(),
        }
        declared = sorted(set(arguments) & set(PIP_SETTINGS.values()))
        text = _image_dockerfile(name, packages, declared, labels, wheels=bool(wheels))
        files = {
            "inside.tar": archive(),
            **{f"wheels/{wheel.name}": wheel.read_bytes() for wheel in wheels},
        }
        options = {
            **(
                {} if self.packages else {"network_mode": "none"}
            ),  # nothing needs one, and to set one up takes a while
            **said,
            "fileobj": _context(text, files),
            "custom_context": True,
            "buildargs": {**arguments, **(said.get("buildargs") or {})},
            "platform": self.platform,
        }
        _run_build(engine, tag, self.title, report, **options)
        ready = find(engine, tag)
        if ready is None:
            raise ImageMissing(
                f"{self.title} was built and is gone again: is somebody removing images? Try again"
            )
        return ready

    def _base(self, engine: Engine, report: Progress) -> ReadyImage:
        name = self.base if self.dockerfile is None else self.base_tag
        found = find(engine, name)
        if found is None and self.dockerfile is None:
            _pull(engine, name, report, platform=self.platform)
            found = find(engine, name)
        elif found is None:
            self._build_base(engine, name, report)
            found = find(engine, name)
        if found is None:
            raise ImageMissing(
                f"the image {name!r} was brought and is gone again: is somebody removing images?"
                " Try again"
            )
        return found

    def _build_base(self, engine: Engine, name: str, report: Progress) -> None:
        options = {
            **self.build_kwargs,
            "buildargs": {
                **_arguments((), report),
                **(self.build_kwargs.get("buildargs") or {}),
            },
        }
        labels = {
            **(self.build_kwargs.get("labels") or {}),
            CREATED: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        }
        assert self.dockerfile is not None
        with contextlib.ExitStack() as opened:
            if not self._copies:
                options |= {"fileobj": _context(self.dockerfile), "custom_context": True}
            else:
                # The text, not the file: it may have changed since it was read.
                own = opened.enter_context(
                    tempfile.NamedTemporaryFile("w", prefix="fumehood-", suffix=".Dockerfile")
                )
                own.write(self.dockerfile)
                own.flush()
                options |= {"path": str(self.directory), "dockerfile": own.name}
            options |= {"platform": self.platform, "labels": labels}
            _run_build(engine, name, "the base by the Dockerfile", report, **options)


def find(engine: Engine, name: str) -> ReadyImage | None:
    """An image that is there. One question."""
    try:
        found = engine.ask("GET", f"/images/{in_path(name)}/json")
    except DockerFailed as error:
        if error.status == 404:
            return None
        if error.status == 400:
            raise PolicyError(f"{name!r} is not the name of an image: {error}") from None
        raise
    config = found.get("Config") or {}
    return ReadyImage(
        found["Id"], name, config.get("Labels") or {}, tuple(config.get("Volumes") or ())
    )


def _dockerfile(given: str | os.PathLike[str]) -> tuple[str, Path | None]:
    """The text, and the directory it is from. A text has a FROM and is no path."""
    if isinstance(given, str) and ("\n" in given or given.lstrip().upper().startswith("FROM ")):
        text, directory = given, None
    else:
        path = Path(given)
        if path.is_dir():
            path = path / "Dockerfile"
        try:
            # Of what is no file, a pipe for instance, there is nothing beside.
            text, directory = path.read_text(), path.resolve().parent if path.is_file() else None
        except (OSError, ValueError) as error:
            raise PolicyError(
                f"dockerfile must be a path or the text of one, and {os.fspath(given)!r} cannot be"
                f" read: {error}"
            ) from None
    if not _has_instruction(text, "FROM "):
        raise PolicyError("dockerfile has no FROM: it needs a base that holds Python")
    return text, directory


def _has_instruction(dockerfile: str, *instructions: str) -> bool:
    return any(line.lstrip().upper().startswith(instructions) for line in dockerfile.splitlines())


def _is_wheel(package: str) -> bool:
    return package.endswith(".whl") and Path(package).is_file()


def _digest(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:16]


@contextlib.contextmanager
def _alone(engine: Engine, recipe: str, report: Progress) -> Iterator[None]:
    """One process of this user's at a time builds the same image; whoever waited finds it there.
    Without a place for the lock, two that build at once both do all the work, and the tag is the
    later one's: that is all."""
    try:
        directory = Path(tempfile.gettempdir()) / f"fumehood-{os.geteuid()}"
        directory.mkdir(mode=0o700, exist_ok=True)
        status = directory.lstat()
        if (
            not stat.S_ISDIR(status.st_mode)
            or status.st_uid != os.geteuid()
            or status.st_mode & 0o077
        ):
            raise PermissionError
        file = (directory / f"build-{_digest(str(engine.address), recipe)}").open("a")
    except OSError:
        yield
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report("another process is building the same image: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


# -- building


def _image_dockerfile(
    base: str,
    packages: Sequence[str],
    arguments: Sequence[str],
    labels: Mapping[str, str],
    *,
    wheels: bool,
) -> str:
    """Of an image for containers of ours, on a base that holds Python."""
    lines = [f"FROM {base}", "USER 0", f"LABEL {LAYER}=1"]
    if packages:
        lines += [f"ARG {name}" for name in arguments]
        if wheels:
            lines.append(f"COPY wheels {WHEELS}")
        lines.append("RUN " + json.dumps(["python3", "-c", _INSTALL, *packages]))
    lines += ["ADD inside.tar /", "RUN " + json.dumps(["python3", "-c", _COMPILE])]
    lines.append(
        "LABEL " + " ".join(f"{_quoted(name)}={_quoted(value)}" for name, value in labels.items())
    )
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + re.sub(r'([\\"$])', r"\\\1", text) + '"'


def _context(dockerfile: str, others: Mapping[str, bytes] | None = None) -> io.BytesIO:
    """What a build is sent: a Dockerfile and what it needs, by their names."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, data in {"Dockerfile": dockerfile.encode(), **(others or {})}.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o644
            tar.addfile(entry, io.BytesIO(data))
    made.seek(0)
    return made


def _arguments(packages: Sequence[str], report: Progress) -> dict[str, str]:
    """The caller's proxies, and for packages the settings of the caller's pip, as arguments of a
    build."""
    given = {
        name: value for name, value in os.environ.items() if name.upper() in _PROXIES and value
    }
    if packages:
        given |= pip_settings()
    for name in (PIP_SETTINGS[place] for place in _PLACES):
        if any(urlsplit(url).password for url in given.get(name, "").split()):
            report(
                f"the password in {name} will be readable in the history of the image; do not"
                " publish it"
            )
    return given


def pip_settings() -> dict[str, str]:
    """Where the caller's pip looks for packages, as far as a build can reach it: what lies in files
    of this machine is not there."""
    found = {name: os.environ.get(variable, "") for name, variable in PIP_SETTINGS.items()}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "config", "list"],
            capture_output=True,
            text=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
        )
        listed = done.stdout.splitlines()
    except (OSError, subprocess.SubprocessError):  # there may be no pip here
        listed = []
    for line in listed:
        key, _, value = line.partition("=")
        name = key.rpartition(".")[2]
        if name in PIP_SETTINGS:
            try:
                found[name] = str(ast.literal_eval(value))
            except (ValueError, SyntaxError):
                continue
    settings = {}
    for name, value in found.items():
        reachable = [
            word
            for word in value.split()
            if name not in _PLACES or urlsplit(word).scheme in ("http", "https")
        ]
        if reachable:
            settings[PIP_SETTINGS[name]] = " ".join(reachable)
    return settings


def _checked_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a caller says about builds, in the terms of the `docker` package. PolicyError for what
    is ours to say."""
    for name in options or ():
        if name in OURS:
            raise PolicyError(f"build_kwargs cannot hold {name!r}: {OURS[name]}")
    return dict(options or {})


def _run_build(engine: Engine, tag: str, what: str, report: Progress, **options: Any) -> None:
    """Build an image and tag it. `what` describes it. After ImageBuildFailed nothing is left."""
    last: deque[str] = deque(maxlen=_KEPT_LINES)
    try:
        with engine.client(BUILD_SECONDS) as client:
            try:
                entries = client.build(tag=tag, decode=True, rm=True, forcerm=True, **options)
            except TypeError as error:  # an option that the SDK does not know
                raise PolicyError(f"build_kwargs: {one_line(error)}") from None
            for entry in entries:
                for line in _lines_of(entry):
                    last.append(line)
                    report(line)
                if isinstance(entry, dict) and entry.get("error"):
                    raise DockerFailed(str(entry["error"]), status=500)
    except DockerFailed as error:
        if error.status is None:
            raise
        raise ImageBuildFailed(
            f"building {what} failed: {_why(str(error), last)}", tuple(last)
        ) from None


def _pull(engine: Engine, name: str, report: Progress, *, platform: str | None = None) -> None:
    """ImageMissing says why an image cannot be pulled."""
    has_tag = ":" in name.rpartition("/")[2] or "@" in name
    reported: set[str] = set()
    try:
        with engine.client(BUILD_SECONDS) as client:
            for entry in client.pull(
                name if has_tag else f"{name}:latest", stream=True, decode=True, platform=platform
            ):
                if isinstance(entry, dict) and entry.get("error"):
                    raise DockerFailed(one_line(entry["error"]), status=404)
                for line in _lines_of(entry):
                    if line not in reported:
                        reported.add(line)
                        report(line)
    except DockerFailed as error:
        if error.status is None:
            raise
        raise ImageMissing(
            f"the image {name!r} is not on this engine and cannot be pulled: {error}. Bring it with"
            " docker pull, docker load or docker import, or name another that holds Python"
        ) from None


def _lines_of(entry: Any) -> Iterator[str]:
    """Lines that somebody can read, of one entry of the engine's output."""
    if not isinstance(entry, dict):
        return
    for line in str(entry.get("stream") or "").splitlines():
        if line.strip():
            told = one_line(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line))
            yield (
                f"{told[:77]}…" if told.startswith("Step ") and len(told) > 78 else told
            )  # the programs above are one line each
    if entry.get(
        "status"
    ):  # of a pull; how far each layer is would be a line for every few kilobytes
        yield one_line(f"{entry['id']}: {entry['status']}" if entry.get("id") else entry["status"])


def _why(error: str, last: Sequence[str]) -> str:
    """The reason in one line, for what a caller can do something about."""
    for line in reversed(last):
        if line.startswith(f"{_TOO_OLD}, and this is "):
            return f"{line}. Name another base"
        if line == _NO_PIP:
            return (
                f"{_NO_PIP}, and the base has none. Name another base, or one that holds the"
                " packages already"
            )
    text = "\n".join([*last, error])
    if re.search(
        r'"python3":.*(not found|no such file)|exec .?python3.*no such file', text, re.IGNORECASE
    ):
        return f"the base has no python3. {_TOO_OLD}: name a base that holds it"
    if "no space left on device" in text.lower():
        return "the engine's disk is full. Make room (fumehood docker prune, docker system df)"
    code = re.search(r"returned a non-zero code: \d+", error)
    said = [line for line in last if re.match(r"(ERROR|error|E)\b.?:", line)]
    if said and code:
        return f"{said[-1]} (the command {code[0]})"
    return one_line(error)


# -- our files


@functools.cache
def digest() -> str:
    """Stands for the version, and for any change in a checkout. Read once: a process runs the files
    that it has imported."""
    sum_ = hashlib.sha256()
    for name, text in [*files(), ("images.py", Path(__file__).read_bytes())]:
        sum_.update(f"{name}\0{len(text)}\0".encode())
        sum_.update(text)
    return sum_.hexdigest()[:16]


def archive() -> bytes:
    """A tar of the inside and of what else our containers have in their root. No program of the
    base is needed to put it there."""

    def add(name: str, kind: bytes, data: bytes = b"", mode: int = 0o755) -> None:
        entry = tarfile.TarInfo(name)
        entry.type, entry.size, entry.mtime = kind, len(data), _WHEN
        entry.mode = 0o644 if kind == tarfile.REGTYPE else mode
        tar.addfile(entry, io.BytesIO(data))

    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as tar:
        home = HOME.lstrip("/")
        known: set[str] = set()
        for name, text in files():
            for parent in reversed(Path(f"{home}/{name}").parents):
                directory = parent.as_posix()
                if directory.startswith(home) and directory not in known:
                    known.add(directory)
                    add(directory, tarfile.DIRTYPE)
            add(f"{home}/{name}", tarfile.REGTYPE, text)
        add(
            LABS.lstrip("/"), tarfile.DIRTYPE, mode=0o700
        )  # what is mounted there gets the mode of what it covers
    return made.getvalue()
