"""What the jail goes by, as tables for `fumehood rules`: limits, system calls, Landlock's
rights."""

from __future__ import annotations

import ast
import inspect
from dataclasses import fields

from fumehood.jail import landlock, syscalls
from fumehood.language.guarded.tables import Table
from fumehood.policy import Limits, Policy


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
        [tuple(row) for row in syscalls.describe()],
    )


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
