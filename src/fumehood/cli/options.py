"""Options that several commands share, and what the library makes of them."""

from __future__ import annotations

import contextlib
import math
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from fumehood.cli.terminal import BAD_INPUT, NO_ISOLATION, fail, say
from fumehood.default_imports import DEFAULT_IMPORTS
from fumehood.errors import (
    AuditError,
    FumehoodWarning,
    InstallFailed,
    JailUnavailable,
    PolicyError,
    SandboxFailed,
)
from fumehood.executors.local import LocalPythonExecutor
from fumehood.packages.requirements import Packages
from fumehood.policy import Limits, Mount, Policy

_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_SIZE = re.compile(r"(\d{1,18})\s*([KMGT]?)(?:i?B)?", re.IGNORECASE | re.ASCII)
# A number of bytes, or of kilobytes and so on of 1024 each: 512M, 2G, 2GiB.


def positive(seconds: float | None) -> float | None:
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise typer.BadParameter("must be a number of seconds greater than 0")
    return seconds


def size(text: str) -> int:
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise typer.BadParameter(f"must be a size such as 512M or 2G, not {text!r}")
    return int(found[1]) << _UNITS[found[2].upper()]


def mount(text: str) -> Mount:
    """SRC[:TARGET][:rw]. A target is an absolute path, so it cannot be taken for the mode."""
    source, *rest = text.split(":")
    mode = rest.pop() if rest and rest[-1] in ("ro", "rw") else "ro"
    # Not resolved: the code finds it under the name that was given.
    target = rest.pop(0) if rest else os.path.abspath(source)  # noqa: PTH100
    if rest or not source or not target.startswith("/"):
        raise typer.BadParameter(f"must be SRC[:TARGET][:rw] with an absolute TARGET, not {text!r}")
    if not Path(source).exists():
        raise typer.BadParameter(f"there is no {source!r} to mount")
    try:
        # What the path means now is what is mounted, even if a link on the way is changed later.
        return Mount(str(Path(source).resolve()), os.path.normpath(target), writable=mode == "rw")
    except PolicyError as error:
        raise typer.BadParameter(str(error)) from None


def modules_like(beginning: str) -> list[str]:
    """Modules that are installed and are not authorized anyway, for a shell that asks."""
    from pkgutil import iter_modules  # late: it looks into every directory of the path

    found = {*sys.stdlib_module_names, *(module.name for module in iter_modules())} - {
        *DEFAULT_IMPORTS
    }
    return sorted(name for name in found if name.startswith(beginning) and not name.startswith("_"))


Program = Annotated[
    str,
    typer.Argument(metavar="FILE", help="The program; - for standard input.", show_default=False),
]
Imports = Annotated[
    list[str] | None,
    typer.Option(
        "--import",
        metavar="MODULE",
        autocompletion=lambda incomplete: modules_like(incomplete),
        help="Authorize one more module; may be repeated.",
        show_default=False,
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="PACKAGE",
        help=(
            "Have a package that code can import, such as polars or 'polars>=1'; it is fetched once"
            " and kept; may be repeated."
        ),
        show_default=False,
    ),
]
Build = Annotated[
    bool,
    typer.Option(
        "--build",
        help=(
            "Take packages that have no wheel, too. To build one runs its code on this machine,"
            " outside of the jail."
        ),
    ),
]
Inline = Annotated[
    bool,
    typer.Option(
        "--inline", help="Run in this very process, where only the language rules guard it."
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        callback=positive,
        help="Stop the program, or a cell of a repl, after this time.",
        show_default=f"{Limits().cell_seconds:g}",
    ),
]
Files = Annotated[
    bool,
    typer.Option(
        "--files",
        help="Let the code read and write files: in /home/user, /tmp and what is mounted.",
    ),
]
Programs = Annotated[
    bool,
    typer.Option("--programs", help="Let the code execute the programs of this machine."),
]
Mounts = Annotated[
    list[Mount] | None,
    typer.Option(
        "--mount",
        metavar="SRC[:TARGET][:rw]",
        parser=mount,
        help=(
            "Let the code see a file or directory, read-only unless :rw; implies --files; may be"
            " repeated."
        ),
        show_default=False,
    ),
]
Memory = Annotated[
    int | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        parser=size,
        help="How much memory the code may take, such as 512M.",
        show_default=f"{Limits().memory_bytes >> 20}M",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="NUMBER",
        help="Have random numbers be the same each time.",
        show_default=False,
    ),
]
Clock = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="TIME",
        help=(
            "Have code read the same times each time, from this instant on, such as"
            " 2026-01-01T00:00Z."
        ),
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Audit = Annotated[
    Path | None,
    typer.Option(
        "--audit",
        metavar="FILE",
        help=(
            "Log all that happens to FILE, for `fumehood audit`. With FUMEHOOD_AUDIT_KEY set,"
            " nobody can forge it who has not got that."
        ),
        show_default=False,
    ),
]


@contextlib.contextmanager
def audited(path: Path | None) -> Iterator[None]:
    """Whatever happens meanwhile is logged there."""
    if path is None:
        yield
        return
    from fumehood.audit.log import AuditLog  # late: most do not ask for it
    from fumehood.cli.audit.inputs import key_of
    from fumehood.observing import observe

    with problems_as_lines():
        try:
            log = AuditLog(path, key=key_of(None))
        except (AuditError, OSError) as error:
            fail(str(error), BAD_INPUT)
    with log, observe(log):
        yield


@contextlib.contextmanager
def no_sandbox_as_line(without: str = "--inline") -> Iterator[None]:
    """A place to run code that cannot be had, or no longer, ends the command with one line.
    `without` is the option that needs none, if there is one."""
    try:
        yield
    except JailUnavailable as error:
        fail(
            f"{error} ({f'here: {without}; ' if without else ''}fumehood doctor tells more)",
            NO_ISOLATION,
        )
    except InstallFailed as error:
        fail(str(error), BAD_INPUT)
    except SandboxFailed as error:
        fail(str(error), NO_ISOLATION)


@contextlib.contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print each warning of fumehood as one line. Warnings of other packages (an unclosed file of
    the interpreter, a deprecation) are left to Python's own filters."""
    seen: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", FumehoodWarning)
        show_others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **named: Any) -> None:
            if not issubclass(category, FumehoodWarning):
                show_others(message, category, *rest, **named)
            elif str(message) not in seen:
                seen.add(str(message))
                say(f"warning: {message}")

        warnings.showwarning = show
        yield


@contextlib.contextmanager
def problems_as_lines() -> Iterator[None]:
    """Print problems with the options (warnings, a misspelt module, no jail) as one line each."""
    try:
        with warnings_as_lines(), no_sandbox_as_line():
            yield
    except PolicyError as error:
        fail(str(error), BAD_INPUT)


def policy_for(imports: list[str] | None) -> Policy:
    with problems_as_lines():
        policy = Policy(imports=tuple(imports or ()))
        policy.verify()
    return policy


def packages_of(names: list[str] | None, builds: bool) -> Packages | tuple[()]:
    return Packages(tuple(names), builds=builds) if names else ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where code is to run, and with what: the options that `run` and `repl` share."""

    imports: list[str] | None = None
    inline: bool = False
    timeout: float | None = None
    files: bool = False
    programs: bool = False
    mounts: list[Mount] | None = None
    memory: int | None = None
    seed: int | None = None
    clock: str | None = None
    packages: list[str] | None = None
    builds: bool = False

    def open(self, on_output: Callable[[str], object] | None = None) -> LocalPythonExecutor:
        """An executor. What cannot be had ends the command with one line."""
        if self.inline and self.memory is not None:
            fail("--memory needs the jail; --inline has none", BAD_INPUT)
        with problems_as_lines():
            limits = Limits()
            if self.timeout is not None:
                limits = replace(limits, cell_seconds=self.timeout)
            if self.memory is not None:
                limits = replace(limits, memory_bytes=self.memory)
            policy = Policy(
                imports=tuple(self.imports or ()),
                limits=limits,
                files=self.files or bool(self.mounts),
                programs=self.programs,
                mounts=tuple(self.mounts or ()),
                seed=self.seed,
                clock=self.clock,
            )
            return LocalPythonExecutor(
                policy=policy,
                packages=packages_of(self.packages, self.builds),
                isolation="inline" if self.inline else "jail",
                on_output=on_output,
            )
