"""The rules of the guarded language and of the jail, as tables: what `fumehood rules` shows."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from dataclasses import dataclass, fields
from errno import ENOSYS, EPERM

from fumehood.default_imports import DANGEROUS_IMPORTS
from fumehood.jail import landlock, syscalls
from fumehood.language.guarded.rules import (
    BUILTINS,
    LIBRARY_NAMES,
    NAMES,
    NODES,
    NameRow,
    NodeRow,
)
from fumehood.policy import Limits, Policy


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    about: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def tables(policy: Policy | None = None) -> list[Table]:
    """Every rule of the guarded language, a reason per row."""
    policy = policy or Policy()
    grants = [(module, policy.grant(module)) for module in policy.authorized_imports]
    imports = [
        (module, "all public names" if g.only is None else " ".join(sorted(g.only)), g.reason)
        for module, g in grants
        if g is not None
    ]
    blocked = [
        (f"{row.module}.{row.name}", row.verdict, row.reason) for row in LIBRARY_NAMES.values()
    ]
    names = [(row.name, row.group, _permitted(row), row.reason) for row in NAMES.values()]
    builtins = [
        (name, row.verdict, row.reason + (f"; {row.hint}" if row.hint else ""))
        for name, row in BUILTINS.items()
    ]
    syntax = [(row.node, row.verdict, _named_fields(row), row.reason) for row in NODES.values()]
    about_blocked = "names left out of these modules, or replaced by a guarded version"
    about_names = "names of attributes and variables with rules; any other name is free"
    about_syntax = "kinds of syntax and their fields with names; without a row they are refused"
    verdict = ("name", "verdict", "reason")
    return [
        Table("imports", "what code may import", ("module", "names", "reason"), imports),
        Table("blocked", about_blocked, verdict, blocked),
        Table(
            "dangerous",
            "imports whose authorization warns",
            ("module", "reason"),
            sorted(DANGEROUS_IMPORTS.items()),
        ),
        Table("names", about_names, ("name", "group", "code may", "reason"), names),
        Table("builtins", "what code finds without importing", verdict, sorted(builtins)),
        Table("syntax", about_syntax, ("node", "verdict", "names in", "reason"), syntax),
    ]


def _permitted(row: NameRow) -> str:
    read = row.read if row.read != "plain" else "read"
    return ", ".join([read, *["define"] * row.bind, *["set"] * row.store])


def _named_fields(row: NodeRow) -> str:
    return " ".join(f"{name}:{kind}" for name, kind in row.fields.items())


# -- the jail


def jail_tables(policy: Policy) -> list[Table]:
    return [_limits(policy.limits), _syscalls(), _landlock()]


def _limits(limits: Limits) -> Table:
    meanings = _meanings()
    rows = [
        (field.name, _spelled(field.name, getattr(limits, field.name)), meanings[field.name])
        for field in fields(limits)
    ]
    return Table(
        "limits", "how much a cell or a sandbox may use", ("limit", "default", "meaning"), rows
    )


def _spelled(name: str, value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name.endswith("_bytes") and isinstance(value, int):
        return f"{value:,} ({value >> 20:,} MiB)"
    return (
        f"{value:,g}"
        if isinstance(value, float)
        else f"{value:,}"
        if isinstance(value, int)
        else str(value)
    )


def _meanings() -> dict[str, str]:
    """The text below each field of Limits. Python does not keep it, so it is read from the source:
    one home for it, and no copy here."""
    found = dict.fromkeys((field.name for field in fields(Limits)), "")
    try:
        [declared] = ast.parse(inspect.getsource(Limits)).body
    except OSError:  # installed without sources
        return found
    assert isinstance(declared, ast.ClassDef)
    for field, text in zip(declared.body, declared.body[1:], strict=False):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                value=ast.Constant(value=str(meaning))
            ):
                found[name] = " ".join(meaning.split())
    return found


def _syscalls() -> Table:
    about = "system calls; one without a row answers ENOSYS, as on a kernel that does not have it"
    return Table(
        "syscalls",
        about,
        ("call", "verdict", "condition", "reason"),
        [(row.name, row.verdict, _condition(row), row.reason) for row in syscalls.ROWS],
    )


def _condition(row: syscalls.Row) -> str:
    """When a call is allowed, and what it answers else."""
    answers = {EPERM: "EPERM", ENOSYS: "ENOSYS"}.get(row.errno, str(row.errno))
    if row.verdict == "refuse":
        return f"answers {answers}"
    parts = [f"only with {_OPTIONS[row.needs]}"] if row.needs else []
    for check in row.checks:
        exception = f" (not asked with {_OPTIONS[check.unless]})" if check.unless else ""
        parts.append(check.means + exception)
    return "; ".join(parts) + (f"; else {answers}" if parts else "")


_OPTIONS = {
    "processes": "leave to start processes",
    "pid namespace": "namespaces of its own",
}


_GIVEN = {
    "": "nowhere",
    "read": "on all that is visible",
    "write": "on /home/user and writable mounts",
    "device": "on devices",
}


def _landlock() -> Table:
    kinds = (
        ("file", landlock.FILE_RIGHTS),
        ("network", landlock.NETWORK_RIGHTS),
        ("scope", landlock.SCOPES),
    )
    rows = [
        (
            right.name,
            kind,
            f"version {right.since}",
            _GIVEN.get(right.given, right.given),
            right.reason,
        )
        for kind, rights in kinds
        for right in rights
    ]
    about = "rights that the kernel's Landlock knows; all are taken away, and a few are given back"
    return Table("landlock", about, ("right", "kind", "since", "given back", "reason"), rows)
