"""The rules in force, as tables to print: what `fumehood rules` shows and what a reviewer reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fumehood.grants import DANGEROUS_IMPORTS
from fumehood.language.guarded.blocked_names import BLOCKED_NAMES
from fumehood.language.guarded.builtins import GUARDED, PLAIN
from fumehood.language.guarded.names import NAMES
from fumehood.language.guarded.rules import NODES, REFUSED_BUILTINS
from fumehood.policy import Policy


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    about: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def tables(policy: Policy | None = None) -> list[Table]:
    """Every rule of the guarded language, a reason per row."""
    policy = policy or Policy()
    return [
        _imports(policy),
        _doors(),
        _dangerous(),
        _names(),
        _builtins(),
        _syntax(),
    ]


def _imports(policy: Policy) -> Table:
    rows = []
    for module in policy.authorized_imports:
        grant = policy.grant(module)
        if grant is not None:
            rows.append(
                (
                    module,
                    "all public names" if grant.only is None else " ".join(sorted(grant.only)),
                    grant.reason,
                )
            )
    return Table("imports", "what code may import", ("module", "names", "reason"), rows)


def _doors() -> Table:
    rows = [
        (f"{door.module}.{door.name}", door.verdict, door.reason) for door in BLOCKED_NAMES.values()
    ]
    return Table(
        "doors",
        "names left out of these modules, or replaced by a guarded version",
        ("name", "verdict", "reason"),
        rows,
    )


def _dangerous() -> Table:
    rows = sorted(DANGEROUS_IMPORTS.items())
    return Table("dangerous", "imports whose authorization warns", ("module", "reason"), list(rows))


def _names() -> Table:
    rows = []
    for row in NAMES.values():
        may: list[str] = [row.read if row.read != "plain" else "read"]
        may += ["define"] if row.bind else []
        may += ["set"] if row.store else []
        rows.append((row.name, row.group, ", ".join(may), row.reason))
    about = "attribute and dunder names; any other dunder name is refused, any other name is free"
    return Table("names", about, ("name", "group", "code may", "reason"), rows)


def _builtins() -> Table:
    rows = [(name, "plain", reason) for name, reason in PLAIN.items()]
    rows += [(name, "guarded", reason) for name, reason in GUARDED.items()]
    rows += [
        (name, "refused", reason + (f"; {hint}" if hint else ""))
        for name, (reason, hint) in REFUSED_BUILTINS.items()
    ]
    return Table(
        "builtins", "what code finds without importing", ("name", "verdict", "reason"), sorted(rows)
    )


def _syntax() -> Table:
    rows = [
        (
            row.node,
            row.verdict,
            " ".join(f"{f}:{k}" for f, k in row.fields.items() if k != "plain"),
            row.reason,
        )
        for row in NODES.values()
    ]
    about = (
        "kinds of syntax, with the fields that hold names; a kind or field without a row is refused"
    )
    return Table("syntax", about, ("node", "verdict", "names in", "reason"), rows)
