"""What may be asked for: names of packages (PEP 508), and wheels. No options, no directories;
addresses if the caller says so."""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from fumehood.errors import PolicyError

_WHEEL = re.compile(
    r"([A-Za-z0-9](?:[A-Za-z0-9._]*[A-Za-z0-9])?)-[A-Za-z0-9._+!]+(?:-[0-9][A-Za-z0-9._]*)?-[^-]+-[^-]+-[^-]+\.whl"
)
_ARCHIVES = (".whl", ".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz", ".xz", ".txz")
_SECURE = ("https://", "file://", "git+https://")
_LONGEST = 1000


class Request(NamedTuple):
    """One package that is asked for."""

    name: str
    text: str
    """As pip is told of it."""
    stamp: tuple[int, int] = (0, 0)
    """Size and time of a file: under the same name there may be another."""


@dataclass(frozen=True, slots=True)
class Packages:
    """Packages for code, with how they may be had:
    `LocalPythonExecutor(packages=Packages(["polars"], on_progress=print))`.

    builds=True takes packages that have no wheel, too. To build one runs its code on this machine,
    outside of any sandbox. addresses=True takes `name @ https://…`. `installer` is "uv" or "pip";
    else FUMEHOOD_INSTALLER, or whichever is there and configured. `on_progress` is given a line
    each time that there is something to tell. What is not there after `timeout_seconds` is given
    up: an index may take connections and say nothing.
    """

    names: tuple[str | os.PathLike[str], ...]
    _: KW_ONLY
    builds: bool = False
    addresses: bool = False
    installer: Literal["uv", "pip"] | None = None
    on_progress: Callable[[str], Any] | None = field(default=None, compare=False)
    timeout_seconds: float | None = 900.0

    def __post_init__(self) -> None:
        names: Any = self.names
        if isinstance(names, (str, os.PathLike)):
            raise PolicyError(
                "packages must be a list, not one"
                f" {'string' if isinstance(names, str) else 'path'}; write [{names!r}]"
            )
        try:
            object.__setattr__(self, "names", tuple(names))
        except TypeError:
            raise PolicyError(f"packages must be a list of names, not {names!r}") from None
        for name, value in (("builds", self.builds), ("addresses", self.addresses)):
            if type(value) is not bool:
                raise PolicyError(f"{name} must be True or False, not {value!r}")
        seconds: Any = self.timeout_seconds
        if seconds is not None and (
            type(seconds) not in (int, float) or not 0 < seconds < math.inf
        ):
            raise PolicyError(
                f"timeout_seconds must be a number of seconds above 0 or None, not {seconds!r}"
            )
        if self.installer not in (None, "uv", "pip"):
            raise PolicyError(f"installer must be 'uv' or 'pip', not {self.installer!r}")

    @classmethod
    def of(cls, given: Packages | Iterable[str | os.PathLike[str]]) -> Packages:
        """What somebody has asked for, be it a list or this already."""
        return given if isinstance(given, Packages) else cls(given)  # type: ignore[arg-type]  # checked there

    def fetched_as_wheels(self) -> tuple[str | os.PathLike[str], ...]:
        """The names, for a place that takes wheels alone, and from the index alone. PolicyError if
        they may be had in other ways."""
        for name in ("builds", "addresses", "installer"):
            if getattr(self, name):
                raise PolicyError(
                    f"{name} is for packages on this machine, and code runs elsewhere: leave it"
                    " out, and name wheels"
                )
        return self.names


def canonical(name: str) -> str:
    """The name of a package, however somebody has written it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requests_of(
    packages: Iterable[str | os.PathLike[str]], *, addresses: bool = False, builds: bool = False
) -> frozenset[Request]:
    """What a caller asks for. PolicyError for what is neither a package's name nor a wheel."""
    found = frozenset(_request(package, addresses, builds) for package in packages)
    if not found:
        raise PolicyError("install() needs the name of a package, such as install('humanize')")
    return found


def _request(package: str | os.PathLike[str], addresses: bool, builds: bool) -> Request:
    if not isinstance(package, (str, os.PathLike)) or not isinstance(os.fspath(package), str):
        raise PolicyError(
            f"a package is asked for by its name, such as 'humanize>=4', not by {package!r}"
        )
    text = os.fspath(package).strip()
    if len(text) > _LONGEST or not text.isprintable():
        raise PolicyError(f"{text[:60]!r}… is no name of a package")
    request = (
        _named(text, addresses, builds)
        if isinstance(package, str) and not text.lower().endswith(_ARCHIVES) or "@" in text
        else None
    )
    request = request or _wheel(text)
    if request.name == "fumehood":
        raise PolicyError("'fumehood' cannot be a package for code: it is what runs the code")
    return request


def _named(text: str, addresses: bool, builds: bool) -> Request | None:
    from packaging.requirements import (
        InvalidRequirement,
        Requirement,
    )  # late: few executors ever install anything

    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return None
    if requirement.url is not None:
        if not addresses:
            raise PolicyError(
                f"{text!r} asks for an address, which is not taken unless you say so: Packages([…],"
                " addresses=True)"
            )
        if not requirement.url.startswith(_SECURE):
            raise PolicyError(
                f"{text!r}: an address begins with {', '.join(_SECURE[:-1])} or {_SECURE[-1]}"
            )
        if not builds and not requirement.url.partition("#")[0].endswith(".whl"):
            raise PolicyError(
                f"{text!r} is no wheel, and would have to be built, which runs its code here:"
                " Packages([…], builds=True)"
            )
    return Request(canonical(requirement.name), text)


def _wheel(text: str) -> Request:
    path = Path(text).absolute()
    wheel = _WHEEL.fullmatch(path.name)
    if wheel is None or ":" in text:
        hint = (
            f"; write {text.replace('=', '==')!r}" if re.fullmatch(r"[\w.-]+=[\w.]+", text) else ""
        )
        raise PolicyError(
            f"{text!r} is neither the name of a package, with a version if that matters, nor a"
            f" wheel: options, addresses, directories and source are not taken{hint}"
        )
    try:
        status = path.stat()
    except OSError as error:
        raise PolicyError(f"the wheel {text!r} cannot be read: {error.strerror}") from None
    return Request(canonical(wheel[1]), str(path), (status.st_size, status.st_mtime_ns))


def identity(request: Request) -> str:
    """The same for what is the same, on another day too: of a wheel by its content, of a name
    however it is written."""
    if request.stamp != (0, 0):
        with Path(request.text).open("rb") as file:
            return f"{request.name} {hashlib.file_digest(file, 'sha256').hexdigest()}"
    from packaging.requirements import Requirement

    requirement = Requirement(request.text)
    requirement.name, requirement.extras = (
        request.name,
        {canonical(extra) for extra in requirement.extras},
    )
    return str(requirement)
