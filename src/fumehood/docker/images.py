"""Which image a container needs, and whether it is there. Images are named by what they hold, so
one that is there is never built again.

fumehood:0123456789abcdef        a base with our files and the caller's packages
fumehood:base-0123456789ab       what the caller's Dockerfile makes, as a base
"""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import hashlib
import json
import logging
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from fumehood.docker import inside
from fumehood.docker.engine import Engine, in_path
from fumehood.errors import DockerFailed, ImageMissing, PolicyError
from fumehood.progress import Progress, told

LOG = logging.getLogger("fumehood.docker")
REPOSITORY = "fumehood"
DEFAULT_BASE = "python:3.12-slim"

# Labels of our images.
INSIDE = "fumehood.inside"
BASE = "fumehood.base"
PACKAGES = "fumehood.packages"
CREATED = "fumehood.created"
RECIPE = "fumehood.recipe"
"""Stands for everything that was asked for, whatever the base was at the time."""


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
        options = _building().check_options(build_kwargs) if build_kwargs else {}
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
        return _digest(base, sorted(self.packages), wheels, inside.digest(), self._settings())

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
        if self.may_be_ready and not self.packages and base.labels.get(INSIDE) == inside.digest():
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
        if self.may_be_ready and not self.packages and base.labels.get(INSIDE) == inside.digest():
            return base
        tag = self.tag(base.id)
        name = self.base if self.dockerfile is None else self.base_tag
        wheels = self._wheels()
        building = _building()
        arguments = building.arguments(self.packages, report)
        packages = [
            f"{building.WHEELS}/{Path(each).name}" if _is_wheel(each) else each
            for each in self.packages
        ]
        said = dict(self.build_kwargs)
        said.pop("target", None)  # a stage of the caller's Dockerfile, which has been built by now
        labels = {
            INSIDE: inside.digest(),
            BASE: name,
            PACKAGES: " ".join(self.packages),
            CREATED: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            RECIPE: self.recipe(),
        }
        declared = sorted(set(arguments) & set(building.PIP_SETTINGS.values()))
        text = building.dockerfile(name, packages, declared, labels, wheels=bool(wheels))
        files = {
            "inside.tar": inside.archive(),
            **{f"wheels/{wheel.name}": wheel.read_bytes() for wheel in wheels},
        }
        options = {
            **(
                {} if self.packages else {"network_mode": "none"}
            ),  # nothing needs one, and to set one up takes a while
            **said,
            "fileobj": building.context(text, files),
            "custom_context": True,
            "buildargs": {**arguments, **(said.get("buildargs") or {})},
            "platform": self.platform,
        }
        building.build(engine, tag, self.title, report, **options)
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
            _building().pull(engine, name, report, platform=self.platform)
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
        building = _building()
        options = {
            **self.build_kwargs,
            "buildargs": {
                **building.arguments((), report),
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
                options |= {"fileobj": building.context(self.dockerfile), "custom_context": True}
            else:
                # The text, not the file: it may have changed since it was read.
                own = opened.enter_context(
                    tempfile.NamedTemporaryFile("w", prefix="fumehood-", suffix=".Dockerfile")
                )
                own.write(self.dockerfile)
                own.flush()
                options |= {"path": str(self.directory), "dockerfile": own.name}
            options |= {"platform": self.platform, "labels": labels}
            building.build(engine, name, "the base by the Dockerfile", report, **options)


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


def _building() -> ModuleType:
    """Imported when something is built: most of the time nothing is."""
    from fumehood.docker import building

    return building


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
