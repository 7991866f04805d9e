"""The rules in force, as tables to print: what `fumehood rules` shows and what a reviewer reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fumehood.grants import DANGEROUS_IMPORTS
from fumehood.language.guarded.blocked_names import BLOCKED_NAMES
from fumehood.language.guarded.builtins import GUARDED, PLAIN
from fumehood.language.guarded.names import NAMES, NameRow
from fumehood.language.guarded.rules import NODES, REFUSED_BUILTINS, NodeRow
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
    grants = [(module, policy.grant(module)) for module in policy.authorized_imports]
    imports = [
        (module, "all public names" if g.only is None else " ".join(sorted(g.only)), g.reason)
        for module, g in grants
        if g is not None
    ]
    blocked = [
        (f"{row.module}.{row.name}", row.verdict, row.reason) for row in BLOCKED_NAMES.values()
    ]
    names = [(row.name, row.group, _permitted(row), row.reason) for row in NAMES.values()]
    builtins = [(name, "plain", reason) for name, reason in PLAIN.items()]
    builtins += [(name, "guarded", reason) for name, reason in GUARDED.items()]
    builtins += [
        (name, "refused", reason + (f"; {hint}" if hint else ""))
        for name, (reason, hint) in REFUSED_BUILTINS.items()
    ]
    syntax = [(row.node, row.verdict, _named_fields(row), row.reason) for row in NODES.values()]
    about_blocked = "names left out of these modules, or replaced by a guarded version"
    about_names = "names of attributes and variables with rules; any other name is free"
    about_syntax = "kinds of syntax and their fields with names; without a row it is refused"
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
    return " ".join(f"{name}:{kind}" for name, kind in row.fields.items() if kind != "plain")
