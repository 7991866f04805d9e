"""What an installer has brought into a directory: packages with their versions, and the modules of
each.

Which modules a package has is read from the list of its files (RECORD): the name of a package need
not be that of its module.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from fumehood.errors import InstallFailed
from fumehood.packages.installers import shown
from fumehood.packages.requirements import canonical

_CODE = (".py", ".so")
_LONGEST = 32 << 20
# sitecustomize: what Python would import by itself is left out of environments (building.py).
_NOT_OURS_TO_GIVE = sys.stdlib_module_names | {"fumehood", "sitecustomize", "usercustomize"}


class Distribution(NamedTuple):
    name: str
    version: str
    files: frozenset[str]


def distributions(target: Path) -> Iterator[Distribution]:
    """What is in a directory. InstallFailed if something there does not say what it is, or says
    what another is already."""
    seen: set[str] = set()
    for information in sorted(target.glob("*.dist-info")):
        try:
            for name in ("METADATA", "RECORD"):
                if (information / name).stat().st_size > _LONGEST:
                    raise OSError(f"{name} is too long")
            head, _, _ = (information / "METADATA").read_text(errors="replace").partition("\n\n")
            fields = dict(
                line.split(": ", 1)
                for line in head.splitlines()
                if line.startswith(("Name: ", "Version: "))
            )
            with (information / "RECORD").open(newline="", errors="replace") as record:
                files = frozenset(row[0] for row in csv.reader(record) if row)
            found = Distribution(
                canonical(fields["Name"].strip()), shown(fields["Version"].strip()), files
            )
        except (OSError, KeyError, csv.Error) as error:
            raise InstallFailed(
                f"{shown(information.name)} does not say what it is: {shown(str(error))}"
            ) from None
        if found.name in seen:
            raise InstallFailed(f"two of the packages call themselves {found.name}")
        seen.add(found.name)
        yield found


def modules(
    files: Iterable[str], is_taken: Callable[[str], bool] = lambda path: False
) -> Iterator[str]:
    """The modules of a package that code may import. None of the standard library's, whose names a
    package may use as it likes but which it must not open; nor the worker's own; nor those that are
    another package's: `is_taken` is asked of a path such as "google/cloud". Of a directory that
    several packages have parts in, only the parts."""
    code = sorted(
        path for path in files if path.endswith(_CODE) and not path.startswith(("/", "../"))
    )
    whole = {path.rpartition("/")[0] for path in code if path.endswith("/__init__.py")}
    found: dict[str, None] = {}
    for path in code:
        names = module_path(path).split("/")
        for depth in range(1, len(names) + 1):
            candidate = "/".join(names[:depth])
            if not is_taken(candidate):
                found[candidate] = None
            if candidate in found or candidate in whole:
                break
    for name in found:
        parts = name.split("/")
        if (
            all(part.isidentifier() and not part.startswith("_") for part in parts)
            and parts[0] not in _NOT_OURS_TO_GIVE
        ):
            yield ".".join(parts)


def allowed_modules(
    named: Iterable[str],
    found: Mapping[str, Distribution],
    new: Container[str],
    sites: Iterable[str],
) -> tuple[str, ...]:
    """What code may import of packages that were asked for by these names. What is not new is in
    `sites` itself."""
    allowed: dict[str, None] = {}
    for name in named:
        others = [made for made in found.values() if made.name != name]
        allowed |= dict.fromkeys(
            modules(found[name].files, taken_by(others, sites if name in new else ()))
        )
    return tuple(allowed)


def module_path(file: str) -> str:
    """`a/b.cpython-311-x86_64-linux-gnu.so` is the module `a/b`."""
    directory, slash, name = file.rpartition("/")
    return directory + slash + name.partition(".")[0]


def taken_by(others: Iterable[Distribution], sites: Iterable[str]) -> Callable[[str], bool]:
    """Whether a module is that of another package: one of these, or one that lies in a directory
    where code imports from already."""
    theirs = {
        "/".join(parts[:depth])
        for other in others
        for parts in _paths(other)
        for depth in range(1, len(parts) + 1)
    }
    directories = [*sites]

    @functools.cache
    def names_in(directory: str) -> frozenset[str]:
        with contextlib.suppress(OSError):
            return frozenset(name.partition(".")[0] for name in os.listdir(directory))  # noqa: PTH208
        return frozenset()

    def is_taken(path: str) -> bool:
        parent, _, name = path.rpartition("/")
        return path in theirs or any(
            name in names_in(f"{directory}/{parent}") for directory in directories
        )

    return is_taken


def _paths(distribution: Distribution) -> Iterator[list[str]]:
    return (module_path(file).split("/") for file in distribution.files if file.endswith(_CODE))
