"""Policy and Limits: what code may import and how much it may use. Every default is here
except the lists of modules, which are in default_imports.py.

Both are frozen: an executor's rules cannot change under it.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import re
import sys
import warnings
from dataclasses import KW_ONLY, asdict, dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from fumehood.default_imports import (
    CAPABILITY_IMPORTS,
    DANGEROUS_IMPORTS,
    DEFAULT_IMPORTS,
    PLAIN_IMPORTS,
    Grant,
)
from fumehood.errors import DangerousImport, PolicyError

if TYPE_CHECKING:
    from datetime import datetime


_PYTHON = re.compile(r"python3\.(\d+)")
_DOTTED_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value


_MEGABYTE = 1 << 20


def in_words(seconds: float) -> str:
    """A time as messages say it: "1 second", "30 seconds"."""
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a cell or a sandbox may use. Every number that code can run into is here."""

    cell_seconds: float | None = 30.0
    """Wall time of one cell, without the time it waits for tools; None for no limit. An exception
    ends the cell."""

    tool_time_counts: bool = False
    """Whether the time that a cell waits for tools counts too."""

    grace_seconds: float = 1.0
    """How long a cell may take to end after that exception before its process is killed."""

    answer_seconds: float = 10.0
    """How long a sandbox may take to answer a request that is not a cell: variables, tools, files,
    snapshots, forks, saving. A sandbox that takes longer is ended."""

    display_seconds: float = 10.0
    """How long the displays at the end of a cell (open figures, the value) and the sending of its
    value may take, beyond `cell_seconds`. Displays that take longer are left out, and a value that
    takes longer stays in the sandbox; the cell succeeds."""

    memory_bytes: int = 1024 * _MEGABYTE
    """Memory that code may take, beyond what the interpreter and the preloaded modules have
    already: each process, and where there is a memory cgroup all of them together. A checkpoint
    takes as much again; docs/security/jail.md has the formula."""

    processes: int = 64
    """Processes and threads of one sandbox. They may outlive their cell; between calls of the host
    they get a tenth of one processor together."""

    branches: int = 32
    """Snapshots and forks of one sandbox that may exist at the same time. Each is a process, beyond
    those that `processes` counts."""

    open_files: int = 256
    """Open files of one process."""

    file_bytes: int = 128 * _MEGABYTE
    """The size of one file."""

    lab_bytes: int = 256 * _MEGABYTE
    """The size of all files in /home/user, /tmp and /dev/shm, which are held in memory."""

    lab_files: int = 10_000
    """The number of files and directories in /home/user, /tmp and /dev/shm."""

    cpu_seconds: int | None = None
    """Processor time of one process over its whole life; None for no limit."""

    output_characters: int = 50_000
    """What is kept of a cell's printed output; beyond it the head and the tail are kept and the
    middle is counted."""

    output_bytes: int = 64 * _MEGABYTE
    """What a cell may print at all; a cell that prints more is ended."""

    displays: int = 100
    """Rich results of one cell: pictures, tables."""

    display_bytes: int = 64 * _MEGABYTE
    """The size of all rich results of one cell together."""

    frame_bytes: int = 512 * _MEGABYTE
    """The largest message that is taken from a sandbox, and so the largest value. A larger value
    stays in the sandbox, as a RemoteObject."""

    source_characters: int = 2_000_000
    """The longest cell that is parsed. CPython's parser takes about 100 bytes of memory per
    character."""

    recursion_depth: int = 10_000
    """The most that code may ask for with `sys.setrecursionlimit`; beyond it the C stack may
    overflow."""

    traceback_frames: int = 30
    """Frames shown of one traceback; the middle of a longer one is counted."""

    def __post_init__(self) -> None:
        if self.cell_seconds is not None and not (
            _is_number(self.cell_seconds) and self.cell_seconds > 0
        ):
            raise PolicyError(
                f"cell_seconds must be a positive number or None, not {self.cell_seconds!r}"
            )
        for name in _SECONDS:
            value = getattr(self, name)
            if not (_is_number(value) and 0 < value < 3600):
                raise PolicyError(f"{name} must be a positive number below 3600, not {value!r}")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "tool_time_counts":
                if type(value) is not bool:
                    raise PolicyError(f"tool_time_counts must be True or False, not {value!r}")
                continue
            if (
                field.name in ("cell_seconds", *_SECONDS)
                or field.name == "cpu_seconds"
                and value is None
            ):
                continue
            least = _LEAST.get(field.name, 1)
            if (
                not isinstance(value, int)
                or isinstance(value, bool)
                or not least <= value < 1 << 62
            ):
                raise PolicyError(
                    f"{field.name} must be a whole number of at least {least:,}, not {value!r}"
                )


_SECONDS = ("grace_seconds", "answer_seconds", "display_seconds")

# Less than this and not even a trivial cell runs.
_LEAST = {
    "branches": 2,
    "memory_bytes": 16 * _MEGABYTE,
    "open_files": 16,
    "lab_bytes": 1 << 16,
    "lab_files": 16,
    "frame_bytes": 1 << 16,
    "output_bytes": 1 << 10,
}


@dataclass(frozen=True, slots=True)
class Mount:
    """A directory or file of the host that code may see, under `target`, which is `source` if not
    given.

    When the host runs as root, code runs as the user nobody: what that user may not read or write,
    it may not here.
    """

    source: str
    target: str = ""
    _: KW_ONLY
    writable: bool = False

    def __post_init__(self) -> None:
        source = os.fspath(self.source)
        if not isinstance(source, str) or "\0" in source:
            raise PolicyError(
                "a mount's source must be a path of this machine, such as '/data', not"
                f" {self.source!r}"
            )
        target = os.fspath(self.target) or os.path.abspath(source)
        if (
            not isinstance(target, str)
            or not os.path.isabs(target)
            or os.path.normpath(target) != target
            or "\0" in target
        ):
            raise PolicyError(
                f"a mount's target must be an absolute path without '..', not {target!r}"
            )
        for taken in _TAKEN:
            if (
                target in (taken, "/tmp")
                or target.startswith(taken + "/")
                or taken.startswith(target.rstrip("/") + "/")
            ):
                raise PolicyError(
                    f"nothing can be mounted on {target}: {taken} belongs to the sandbox; give"
                    " another target, such as '/data'"
                )
        object.__setattr__(
            self, "source", os.path.realpath(source)
        )  # as it is now: a link could be made to point elsewhere
        object.__setattr__(self, "target", target)


_TAKEN = (
    "/home/user",
    "/labs",
    "/machine",
    "/packages",
    "/proc",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share",
)


@dataclass(frozen=True)
class Policy:
    """What code may reach. `imports` adds to the default list; "numpy" and "numpy.*" say the same,
    "*" authorizes everything."""

    imports: tuple[str, ...] = ()
    _: KW_ONLY
    limits: Limits = Limits()
    defaults: tuple[str, ...] | None = None
    """Modules that may be imported besides `imports`; None for the default list, which depends on
    the language and the capabilities."""

    files: bool = False
    """Whether code may read and write files: in /home/user, /tmp and `mounts`. Needs a jail."""

    mounts: tuple[Mount, ...] = ()
    """Directories and files of the host that code may see. Needs files=True."""

    programs: bool | tuple[str, ...] | str = False
    """Whether code may execute programs: True for all programs of the machine and all that code
    writes itself, the names of the only ones, or the path of another root directory, whose Python
    and programs are used instead of the machine's. Needs a jail."""

    language: Literal["python", "guarded", "off"] = "python"
    """"python" is CPython itself, held by the jail. "guarded" checks names and attributes, too: a
    filter of mistakes, and what holds code without a jail. "off" is "python" with any import."""

    seed: int | None = None
    """What random numbers begin with, the same ones each time; forks draw others, the same ones
    each time too. None for any numbers."""

    clock: float | str | datetime | None = None
    """The instant at which code's clock begins in every session: seconds since 1970, an ISO text or
    a datetime with a time zone; kept as seconds. It moves only by what code does, so that the same
    code reads the same times. None for the machine's clock. Needs a jail."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "clock", _instant(self.clock))
        if self.seed is not None and (type(self.seed) is not int or not 0 <= self.seed < 1 << 31):
            raise PolicyError(f"seed must be a whole number below 2**31 or None, not {self.seed!r}")
        if isinstance(self.imports, str):
            raise PolicyError(
                f"imports must be a list of module names, not one string; write [{self.imports!r}]"
            )
        try:
            imports = tuple(self.imports)
        except TypeError:
            raise PolicyError(
                f"imports must be a list of module names, not {self.imports!r}"
            ) from None
        for name in imports:
            if not isinstance(name, str):
                raise PolicyError(f"an authorized import must be a string, not {name!r}")
            if name != "*" and not _DOTTED_NAME.fullmatch(name.removesuffix(".*")):
                raise PolicyError(
                    f"{name!r} is not a module name; write it as in an import statement, for"
                    " example 'numpy'"
                )
        object.__setattr__(
            self, "imports", tuple(dict.fromkeys(n.removesuffix(".*") for n in imports))
        )
        if self.language not in ("python", "guarded", "off"):
            raise PolicyError(f"language must be 'python' or 'guarded', not {self.language!r}")
        if self.language == "off":
            object.__setattr__(self, "language", "python")
            object.__setattr__(self, "imports", tuple(dict.fromkeys((*self.imports, "*"))))
        if self.defaults is not None:
            known = PLAIN_IMPORTS.union(DEFAULT_IMPORTS, *CAPABILITY_IMPORTS.values())
            unknown = sorted({*self.defaults} - known)
            if unknown:
                raise PolicyError(f"not in the default list of imports: {', '.join(unknown)}")
        if not isinstance(self.limits, Limits):
            raise PolicyError(f"limits must be a Limits, not {self.limits!r}")
        if type(self.files) is not bool:
            raise PolicyError(f"files must be True or False, not {self.files!r}")
        if isinstance(self.mounts, (str, Mount)) or not all(
            isinstance(mount, Mount) for mount in self.mounts
        ):
            raise PolicyError(f"mounts must be a list of Mount, not {self.mounts!r}")
        if self.mounts and not self.files:
            raise PolicyError("mounts need the capability files=True")
        targets = [mount.target for mount in self.mounts]
        if len(set(targets)) != len(targets):
            raise PolicyError(
                "two mounts have the same target:"
                f" {next(each for each in targets if targets.count(each) > 1)}; give each its own"
            )
        object.__setattr__(self, "mounts", tuple(self.mounts))
        if type(self.programs) is not bool:
            object.__setattr__(self, "programs", _program_names(self.programs))

    @classmethod
    def full(cls, **options: Any) -> Policy:
        """Everything a sandbox can give: any import, files and programs."""
        return cls(**{"imports": ("*",), "files": True, "programs": True, **options})

    @cached_property
    def default_imports(self) -> frozenset[str]:
        """The modules that may be imported besides `imports`."""
        if self.defaults is not None:
            return frozenset(self.defaults)
        if self.language == "guarded":
            return frozenset(DEFAULT_IMPORTS)
        return PLAIN_IMPORTS.union(
            *(modules for name, modules in CAPABILITY_IMPORTS.items() if getattr(self, name))
        )

    @cached_property
    def authorized_imports(self) -> tuple[str, ...]:
        """Every name that may be imported: the defaults and what was added, sorted."""
        return tuple(sorted({*self.default_imports, *self.imports}))

    def authorizes(self, module: str) -> bool:
        """Whether plain Python may import a module: it, or a package that it is in, is listed."""
        names = {*self.authorized_imports}
        parts = module.split(".")
        return "*" in names or any(
            ".".join(parts[:end]) in names for end in range(1, len(parts) + 1)
        )

    def is_package_of_authorized(self, module: str) -> bool:
        """Whether something in a package may be imported, and so the package, which is loaded with
        it."""
        return any(name.startswith(module + ".") for name in self.authorized_imports)

    def as_fields(self) -> dict[str, Any]:
        """The policy as plain data, for a worker."""
        return {
            "imports": list(self.imports),
            "limits": asdict(self.limits),
            "defaults": None if self.defaults is None else list(self.defaults),
            "files": self.files,
            "mounts": [asdict(mount) for mount in self.mounts],
            "programs": [*self.programs] if type(self.programs) is tuple else self.programs,
            "language": self.language,
            "seed": self.seed,
            "clock": self.clock,
        }

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> Policy:
        """The policy that `as_fields` has told of."""
        return cls(
            imports=tuple(fields["imports"]),
            limits=Limits(**fields["limits"]),
            defaults=None if fields["defaults"] is None else tuple(fields["defaults"]),
            files=fields["files"],
            mounts=tuple(Mount(**mount) for mount in fields["mounts"]),
            programs=fields["programs"],
            language=fields["language"],
            seed=fields["seed"],
            clock=fields["clock"],
        )

    def grant(self, module: str) -> Grant | None:
        """What this policy gives of a module, or None. A package whose child is authorized is given
        with nothing of its own."""
        for name in self.imports:
            if name in ("*", module) or module.startswith(name + "."):
                return Grant(module, f"authorized by {name!r}")
        row = DEFAULT_IMPORTS.get(module)
        if row is not None and module in self.default_imports:
            return row
        if self.is_package_of_authorized(module):
            return Grant(module, "a package with an authorized child", frozenset())
        return None

    def closest(self, module: str) -> str | None:
        """The authorized module that a refused name is closest to, if any is close."""
        if module in sys.stdlib_module_names:
            return None  # it is what was meant
        found = difflib.get_close_matches(module, self.authorized_imports, n=1, cutoff=0.75)
        return found[0] if found else None

    def verify(self, *, stacklevel: int = 2) -> None:
        """Raise PolicyError for an added import that is not installed; warn about one that is
        dangerous.

        Executors call this when they are made, so that a misspelt name is an error at once and not
        at the first cell.
        """
        self.verify_mounts()
        self.verify_installed()
        self.warn_of_dangers(stacklevel=stacklevel + 1)

    def verify_mounts(self) -> None:
        """Raise PolicyError for what is to be mounted, or to be the root, and is not there."""
        if isinstance(self.programs, str):
            python_of(self.programs)
        for mount in self.mounts:
            if not os.path.exists(mount.source):
                raise PolicyError(
                    f"cannot mount {mount.source!r}: there is no such file or directory on this"
                    " machine"
                )

    def verify_installed(self) -> None:
        """Where the code will run: elsewhere other modules are installed."""
        if isinstance(self.programs, str):
            return  # another root has modules of its own
        for name in self.imports:
            if name != "*" and not _is_installed(name):
                harmless = sorted(
                    {*sys.stdlib_module_names, *_installed()} - DANGEROUS_IMPORTS.keys()
                )
                close = difflib.get_close_matches(name, harmless, n=1, cutoff=0.7)
                meant = f" Did you mean {close[0]!r}?" if close else ""
                raise PolicyError(
                    f"cannot authorize {name!r}: no module of that name is installed.{meant}"
                )

    def warn_of_dangers(self, *, stacklevel: int = 2) -> None:
        """Warn with DangerousImport of every module that widens what code can do."""
        for name in self.imports:
            reason = DANGEROUS_IMPORTS.get(name) or DANGEROUS_IMPORTS.get(name.partition(".")[0])
            if name in self.default_imports and self.language == "python":
                continue
            if reason is not None and name not in DEFAULT_IMPORTS:
                warnings.warn(
                    f"authorizing {name!r}: {reason}", DangerousImport, stacklevel=stacklevel + 1
                )
            elif name in DANGEROUS_IMPORTS:
                warnings.warn(
                    f"authorizing all of {name!r}, of which a harmless part is available by"
                    f" default: {DANGEROUS_IMPORTS[name]}",
                    DangerousImport,
                    stacklevel=stacklevel + 1,
                )


def _program_names(given: object) -> tuple[str, ...] | bool | str:
    """The names of programs, False for none; or the path of a root directory."""
    if isinstance(given, (str, os.PathLike)) and os.path.isabs(given) and "\0" not in str(given):
        return os.path.realpath(given)
    if isinstance(given, (list, tuple)) and all(
        isinstance(name, str) and name and "\0" not in name and "/" not in name for name in given
    ):
        return tuple(dict.fromkeys(given)) or False
    raise PolicyError(
        "programs must be True, False, a list of program names such as ['git'], or the absolute"
        f" path of a root directory, not {given!r}"
    )


OTHER_ROOT = "/.fumehood"
"""Where the worker is if it runs in another root directory (jail/filesystem.py)."""


def python_of(root: str) -> tuple[str, tuple[int, int, int]]:
    """The path of the newest Python in another root directory, as seen from inside, and its
    version. PolicyError if there is none that fits."""
    if not os.path.isdir(root):
        raise PolicyError(f"programs={root!r}: there is no such directory on this machine")
    for directory in ("/usr/local/bin", "/usr/bin", "/bin"):
        names = os.listdir(root + directory) if os.path.isdir(root + directory) else []
        minors = [int(found[1]) for name in names if (found := _PYTHON.fullmatch(name))]
        if minors and max(minors) >= 11:
            return f"{directory}/python3.{max(minors)}", (3, max(minors), 0)
    raise PolicyError(f"programs={root!r}: there is no Python 3.11 or newer in its /usr/bin")


_LAST_INSTANT = 9_214_646_400
"""The beginning of 2262, in whose course pandas runs out of nanoseconds."""


def _instant(given: object) -> float | None:
    """Seconds since 1970, from any of the ways to say when a clock begins."""
    if given is None:
        return None
    from datetime import datetime  # late: few policies have a clock

    when = given
    if isinstance(when, str):
        try:
            when = datetime.fromisoformat(when)
        except ValueError:
            raise PolicyError(
                f"clock must be an instant such as '2026-01-01T00:00:00+00:00', not {given!r}"
            ) from None
    if isinstance(when, datetime):
        if when.utcoffset() is None:
            raise PolicyError(
                f"clock needs a time zone, and {given!r} has none; write for example"
                " '2026-01-01T00:00:00+00:00'"
            )
        when = when.timestamp()
    if not _is_number(when):
        raise PolicyError(
            "clock must be seconds since 1970, an ISO text, a datetime with a time zone, or None,"
            f" not {given!r}"
        )
    assert isinstance(when, (int, float))
    if not 0 <= when < _LAST_INSTANT:
        raise PolicyError(
            f"clock must lie between the years 1970 and 2261, which {given!r} does not"
        )
    return float(when)


_found: set[str] = set()
"""Modules that were looked for and found: looking again, for every executor, would take longer than
starting a sandbox."""


def _is_installed(name: str) -> bool:
    if name in sys.modules or name in _found:
        return True
    if _is_module(name) or _is_member(name):
        _found.add(name)
        return True
    return False


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _is_member(name: str) -> bool:
    """ "numpy.load" authorizes one function that the tables leave out."""
    parent, _, member = name.rpartition(".")
    try:
        return bool(parent) and hasattr(importlib.import_module(parent), member)
    except ImportError:
        return False


def _installed() -> set[str]:
    # Late: reading every distribution's metadata takes tens of milliseconds, spent only to word an
    # error.
    from importlib.metadata import packages_distributions

    return {name for name in packages_distributions() if not name.startswith("_")}
