"""Directories of packages, kept for the next time, below XDG_CACHE_HOME/fumehood/packages:

    requests/0123….json          what was asked for, and which environment came of it
    environments/tag-0123…/      one for each set of files, however it was asked for
        site-packages/           the packages
        manifest.json            what they are, and every file with its size and time
        lock                     held, shared, by every process that uses it
    building/…/                  one that is being made; with a lock, too
    uv/                          what uv keeps for itself

An environment is made beside the others and renamed when it is whole, so nobody sees half of one;
it is never changed after that. What is not as its manifest says is made again. What somebody uses
is not removed; the kernel knows, and forgets with the process.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fumehood.errors import InstallFailed
from fumehood.packages.building import Made, digest, platform_tag
from fumehood.packages.installers import Report, files_below, size_of

SITE = "site-packages"
_FORMAT = 1
_MOST_MANIFEST = 64 << 20


class Lock:
    """A lock on a file, of this process's own until it is closed or the process ends."""

    def __init__(self, path: Path, *, shared: bool, waits: bool) -> None:
        """BlockingIOError if another has it and nobody waits."""
        self._descriptor = -1
        self._descriptor = os.open(
            path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644
        )
        try:
            fcntl.flock(
                self._descriptor,
                (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if waits else fcntl.LOCK_NB),
            )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Environment:
    """A directory of packages that is there, and stays while this object does."""

    path: Path
    packages: dict[str, str]
    """Names and versions: of what was asked for, and of what else is in it."""
    modules: tuple[str, ...]
    shared: dict[str, str]
    """What the packages need of what the machine has."""
    size: int
    lock: Lock | None = field(default=None, repr=False, compare=False)

    @property
    def site(self) -> str:
        """What code imports from."""
        return str(self.path / SITE)


def directory() -> Path:
    """Where they are. For root not below its home, which nobody else may enter, and code runs as
    nobody."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    base = (
        Path(chosen)
        if Path(chosen).is_absolute()
        else Path("/var/cache")
        if os.geteuid() == 0
        else Path.home() / ".cache"
    )
    return base / "fumehood" / "packages"


class Store:
    """Raises InstallFailed, in one line, for whatever its directory cannot do."""

    def __init__(self, place: Path | None = None) -> None:
        self.place = place or directory()
        self._requests, self._environments = self.place / "requests", self.place / "environments"
        self._building = self.place / "building"
        self.uv = self.place / "uv"

    def open(self) -> None:
        """Have the directories, and see that they are ours alone to write to."""
        with self.troubles():
            if not self.place.parent.is_dir():
                self.place.parent.mkdir(parents=True, exist_ok=True)
                self.place.parent.chmod(0o755)  # as below
            for path in (self._requests, self._environments, self._building, self.uv):
                path.mkdir(parents=True, exist_ok=True)
            status = self.place.stat()
            if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                raise InstallFailed(
                    f"{self.place} belongs to somebody else, or others may write to it, so nothing"
                    " is taken from there: set XDG_CACHE_HOME to a directory of your own"
                )
            for path in (self.place, self._environments):
                path.chmod(0o755)  # whatever the umask: code may be run by another user

    @contextlib.contextmanager
    def troubles(self) -> Iterator[None]:
        """In here, what the disk refuses is told in one line."""
        try:
            yield
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise InstallFailed(
                    f"the disk that {self.place} is on is full; `fumehood packages prune` removes"
                    " what was kept"
                ) from None
            raise InstallFailed(
                f"packages cannot be kept in {self.place}: {error.strerror or error}; set"
                " XDG_CACHE_HOME to a directory of your own"
            ) from None

    # -- what was asked for

    @contextlib.contextmanager
    def turn(self, key: str, report: Report) -> Iterator[None]:
        """One at a time for each thing that is asked for: who comes second finds what the first has
        made."""
        path = self._requests / f"{key}.lock"
        try:
            lock = Lock(path, shared=False, waits=False)
        except BlockingIOError:
            report("somebody else is fetching the same; waiting")
            lock = Lock(path, shared=False, waits=True)
        with lock:
            yield

    def find(self, key: str, present: dict[str, str]) -> Environment | None:
        """What came of a request, if it is there, whole, and still fits to what the machine has."""
        record = _read(self._requests / f"{key}.json")
        try:
            assert record is not None
            name, modules = str(record["environment"]), tuple(map(str, record["modules"]))
            shared = {str(package): str(version) for package, version in record["shared"].items()}
            asked = {str(package): str(version) for package, version in record["packages"].items()}
        except (AssertionError, KeyError, TypeError, AttributeError):
            return None
        if any(present.get(package) != version for package, version in shared.items()):
            return None
        environment = self._use(name, modules, shared, asked)
        if environment is None or any(
            present.get(name, version) != version for name, version in environment.packages.items()
        ):
            return None
        return environment

    def _use(
        self, name: str, modules: tuple[str, ...], shared: dict[str, str], packages: dict[str, str]
    ) -> Environment | None:
        if Path(name).name != name or name.startswith("."):
            return None
        path = self._environments / name
        try:
            lock = Lock(path / "lock", shared=True, waits=True)
        except OSError:
            return None
        manifest = _read(path / "manifest.json")
        if manifest is None or not is_whole(path, manifest):
            lock.close()
            return None
        with contextlib.suppress(OSError):
            os.utime(path / "lock")  # when it was last used
        return Environment(path, packages, modules, shared, int(manifest["size"]), lock)

    # -- making one

    @contextlib.contextmanager
    def workplace(self) -> Iterator[Path]:
        """A directory to make one in; it is gone afterwards, or when the next one is made."""
        self._sweep()
        place = self._building / secrets.token_hex(8)
        place.mkdir(mode=0o700)
        try:
            with Lock(place / "lock", shared=False, waits=True):
                yield place
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _sweep(self) -> None:
        """Remove what was being made by processes that are gone."""
        for place in self._building.iterdir():
            try:
                with Lock(place / "lock", shared=False, waits=False):
                    shutil.rmtree(place, ignore_errors=True)
            except BlockingIOError:
                continue
            except OSError:
                shutil.rmtree(place, ignore_errors=True)

    def keep(self, key: str, place: Path, made: Made) -> Environment:
        """Have a finished directory among the others. If the same is there already, it is that."""
        site = place / SITE
        name = f"{platform_tag()}-{digest(site)[:16]}"
        files = {
            path[len(str(site)) + 1 :]: [size, _time(path)] for size, path in files_below(str(site))
        }
        size = sum(size for size, _time in files.values())
        new = place / "environment"
        new.mkdir(mode=0o755)
        site.rename(new / SITE)
        (new / "lock").touch()
        (new / "lock").chmod(0o644)
        _write(
            new / "manifest.json",
            {"format": _FORMAT, "packages": made.packages, "size": size, "files": files},
        )
        new.chmod(0o755)
        path = self._environments / name
        old = _read(path / "manifest.json")
        if old is None or not is_whole(path, old):
            self._set_aside(path, place)
            with contextlib.suppress(OSError):  # another process was faster
                new.rename(path)
        record = {
            "environment": name,
            "packages": made.packages,
            "modules": made.modules,
            "shared": made.shared,
            "asked": time.time(),
        }
        _write(place / "record", record)
        environment = self._use(name, made.modules, made.shared, made.packages)
        if environment is None:
            raise InstallFailed(f"what was put into {path} is not there any more; try again")
        (place / "record").rename(self._requests / f"{key}.json")
        return environment

    def _set_aside(self, path: Path, place: Path) -> None:
        """One that is damaged makes room. Whoever uses it goes on with what it has open."""
        with contextlib.suppress(FileNotFoundError):
            path.rename(place / "damaged")

    # -- all of them

    def kept(self) -> list[Kept]:
        """What is there, the last used first."""
        if not self._environments.is_dir():
            return []
        asked: dict[str, int] = {}
        for path in self._requests.glob("*.json"):
            name = str((_read(path) or {}).get("environment"))
            asked[name] = asked.get(name, 0) + 1
        found = [self._kept(path, asked.get(path.name, 0)) for path in self._environments.iterdir()]
        return sorted(found, key=lambda each: each.used, reverse=True)

    def _kept(self, path: Path, asked: int) -> Kept:
        manifest = _read(path / "manifest.json") or {}
        packages = manifest.get("packages")
        try:
            used = (path / "lock").stat().st_mtime
        except OSError:
            used = 0.0
        try:
            Lock(path / "lock", shared=False, waits=False).close()
            in_use = False
        except OSError as error:
            in_use = isinstance(error, BlockingIOError)
        is_sound = isinstance(packages, dict) and is_whole(path, manifest)
        names = (
            {str(name): str(version) for name, version in packages.items()}
            if isinstance(packages, dict)
            else {}
        )
        return Kept(path.name, names, size_of(path), used, asked, in_use, is_sound)

    def remove(self, name: str) -> bool:
        """Remove one that nobody uses, and what was asked for it. False if somebody does."""
        path = self._environments / name
        try:
            with Lock(path / "lock", shared=False, waits=False):
                gone = self._building / secrets.token_hex(8)
                path.rename(gone)
        except FileNotFoundError:
            gone = path
        except BlockingIOError:
            return False
        shutil.rmtree(gone, ignore_errors=True)
        for record in self._requests.glob("*.json"):
            if (_read(record) or {}).get("environment") == name:
                record.unlink(missing_ok=True)
        return True

    def remove_rest(self) -> int:
        """What belongs to none: leftovers, and what uv has kept for itself. Gives how many bytes
        that was."""
        before = size_of(self._building) + size_of(self.uv)
        if self._building.is_dir():
            self._sweep()
        shutil.rmtree(self.uv, ignore_errors=True)
        for record in self._requests.glob("*.json"):
            if not (self._environments / str((_read(record) or {}).get("environment"))).is_dir():
                record.unlink(missing_ok=True)
        return before - size_of(self._building) - size_of(self.uv)


@dataclass(frozen=True, slots=True)
class Kept:
    """An environment as it is listed."""

    name: str
    packages: dict[str, str]
    size: int
    used: float
    """When it was last used, in seconds since 1970."""
    requests: int
    in_use: bool
    is_sound: bool


def is_whole(path: Path, manifest: dict[str, Any]) -> bool:
    """Whether every file is as it was when the environment was made, and there is no other."""
    files = manifest.get("files")
    if (
        manifest.get("format") != _FORMAT
        or not isinstance(files, dict)
        or not isinstance(manifest.get("size"), int)
    ):
        return False
    site = str(path / SITE)
    number = 0
    for size, file in files_below(site):
        number += 1
        if files.get(file[len(site) + 1 :]) != [size, _time(file)]:
            return False
    return number == len(files)


def _time(path: str) -> int:
    try:
        return os.lstat(path).st_mtime_ns
    except OSError:
        return -1


def key_of(*parts: Any) -> str:
    return hashlib.sha256(json.dumps([_FORMAT, platform_tag(), *parts]).encode()).hexdigest()[:32]


def _read(path: Path) -> dict[str, Any] | None:
    """A file of ours; None if it is not there, or is not what it should be."""
    try:
        if path.stat().st_size > _MOST_MANIFEST:
            return None
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content))
    path.chmod(0o644)
