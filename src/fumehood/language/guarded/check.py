"""Does a cell keep to the rules? Reports *all* violations at once, so that a model can repair them
in one go.

The walk is a loop and not a recursion: a tree may be three times deeper than Python's recursion
limit and still be a program.
"""

from __future__ import annotations

import ast
from ast import Name
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fumehood.grants import DEFAULT_IMPORTS
from fumehood.language.guarded import names
from fumehood.language.guarded.doors import DOORS
from fumehood.language.guarded.rules import NODES, REFUSED_BUILTINS
from fumehood.policy import Policy
from fumehood.results import Violation


class Rewrite(NamedTuple):
    """A place that guard.py has to look at: a node, the one above it, the field between them."""

    parent: ast.AST
    field: str
    node: ast.AST


@dataclass(slots=True)
class Findings:
    """What one walk over a tree found."""

    violations: list[Violation] = field(default_factory=list)
    rewrites: list[Rewrite] = field(default_factory=list)
    """What guard.py has to look at; outer places before inner ones."""
    needs_scope: bool = False
    """Whether class patterns stand outside of functions, where a variable of the guard's would be
    in the code's reach."""
    defines_finalizers: bool = False
    """Whether the name `__del__` is bound: what finalizers do must happen while the cell can be
    held to it."""
    future_imports: list[ast.ImportFrom] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How nodes of one class are walked: a row of the table made ready, so that the walk looks
    nothing up twice."""

    refused: str | None
    names: tuple[tuple[str, str], ...] = ()
    """Fields that hold identifiers, and of which kind."""
    children: tuple[tuple[str, bool], ...] = ()
    """Fields that hold nodes, and whether no guard can stand there: patterns and augmented targets
    read attributes themselves."""
    unknown: tuple[str, ...] = ()
    scope: str | None = None
    """What the nodes below are in, if that is not what this one is in."""


_SCOPES = {ast.FunctionDef: "function", ast.AsyncFunctionDef: "function", ast.ClassDef: "class"}
_BASES = ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop
_LEAVES = frozenset({ast.Constant, *(kind for base in _BASES for kind in base.__subclasses__())})
"""Nodes that hold neither names nor other nodes."""
_OPERATORS = frozenset({"ctx", "op", "ops"})
"""Fields that hold nothing else."""
_REWRITTEN = frozenset({ast.Attribute, ast.Import, ast.ImportFrom, ast.Match, ast.AugAssign})
_LOOKED_AT = frozenset({ast.Import, ast.ImportFrom, ast.MatchClass})


_PLANS: dict[type, _Plan] = {}
"""Those made so far: a lookup in a dictionary takes half as long as a call of a cached function,
and there is one for each node."""


def _plan(node: Any) -> _Plan:
    plan = _PLANS[node] = _make_plan(node)
    return plan


def _make_plan(node: Any) -> _Plan:
    row = NODES.get(node.__name__)
    if row is None or row.verdict == "refuse":
        return _Plan(
            row.reason if row else "this kind of syntax has no row in language/guarded/rules.py"
        )
    guardless = {(ast.MatchClass, "cls"), (ast.MatchValue, "value")}
    return _Plan(
        None,
        tuple(
            (name, row.fields[name])
            for name in node._fields
            if row.fields.get(name, "plain") != "plain"
        ),
        tuple(
            (name, (node, name) in guardless)
            for name in node._fields
            if row.fields.get(name) == "plain" and name not in _OPERATORS
        ),
        tuple(name for name in node._fields if name not in row.fields),
        _SCOPES.get(node),
    )


def check_source(
    source: str, policy: Policy | None = None, known: Container[str] = ()
) -> list[Violation]:
    """Every violation in a cell, in order of place. Raises SyntaxError for what is not Python."""
    return check_tree(ast.parse(source), policy or Policy(), known).violations


def check_tree(tree: ast.AST, policy: Policy, known: Container[str] = ()) -> Findings:
    """Walk a tree. `known` are the variables that exist already: reading one that is called `open`
    is no offence."""
    walk = _Walk(policy)
    walk.run(tree)
    findings = walk.findings
    for node in walk.builtins_read:
        if node.id not in walk.bound and node.id not in known:
            reason, hint = REFUSED_BUILTINS[node.id]
            walk.refuse(node, "builtin", node.id, reason, hint)
    if findings.violations:
        findings.violations.sort(key=lambda violation: (violation.line, violation.column))
    return findings


class _Walk:
    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.findings = Findings()
        self.bound: set[str] = set()
        self.builtins_read: list[ast.Name] = []

    def run(self, tree: ast.AST) -> None:
        rewrites, check_variable = self.findings.rewrites, self.check_variable
        stack: list[tuple[ast.AST, bool, str]] = [(tree, False, "module")]
        while stack:
            node, guardless, scope = stack.pop()
            node_type = type(node)
            plan = _PLANS.get(node_type) or _plan(node_type)
            scope = plan.scope or scope
            if plan.refused is not None:
                self.refuse(node, "syntax", node_type.__name__, plan.refused)
                continue
            for name in plan.unknown:
                if getattr(node, name, None):
                    why = "nobody has reviewed this field yet; language/guarded/rules.py needs it"
                    self.refuse(node, "syntax", f"{node_type.__name__}.{name}", why)
            for name, kind in plan.names:
                value: Any = getattr(node, name, None)
                if type(value) is str:
                    self.check_name(node, kind, value, guardless)
                elif value:
                    for text in value:
                        self.check_name(node, kind, text, guardless)
            for name, below in plan.children:
                value = getattr(node, name, None)
                value_type = type(value)
                if value_type is list:
                    for child in value:
                        child_type = type(child)
                        if child_type is Name:  # half of all nodes: not by way of the stack
                            check_variable(child)
                        elif child_type not in _LEAVES and isinstance(child, ast.AST):
                            if child_type in _REWRITTEN and _is_rewritten(child):
                                rewrites.append(Rewrite(node, name, child))
                            stack.append((child, False, scope))
                elif value_type is Name:
                    check_variable(value)
                elif value_type not in _LEAVES and isinstance(value, ast.AST):
                    below = below or guardless
                    if not below and value_type in _REWRITTEN and _is_rewritten(value):
                        rewrites.append(Rewrite(node, name, value))
                    stack.append((value, below, scope))
            if node_type not in _LOOKED_AT:
                continue
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.check_import(node)
            elif isinstance(node, ast.MatchClass) and node.patterns and scope != "function":
                self.findings.needs_scope = True
                if scope == "class":
                    why = (
                        "the names in a class body belong to the class, so nothing can be kept"
                        " there to look at this pattern"
                    )
                    self.refuse(
                        node,
                        "syntax",
                        "class pattern",
                        why,
                        "write attribute names, or put the match into a method",
                    )

    # -- names

    def check_name(self, node: ast.AST, kind: str, name: str, guardless: bool) -> None:
        if kind == "variable":
            assert isinstance(node, ast.Name)
            self.check_variable(node)
        elif kind == "binding":
            self.bound.add(name)
            self.findings.defines_finalizers |= name == "__del__"
            if not names.may_bind(name):
                self.refuse(node, "name", name, names.reason(name), _rename(name))
        elif kind == "attribute":
            assert isinstance(node, ast.Attribute)
            self.check_attribute(node, guardless)
        elif kind == "pattern":
            if names.reading(name) != "plain":
                self.refuse(
                    node, "attribute", name, names.reason(name), "a class pattern cannot read it"
                )
        elif kind == "keyword" and not names.may_bind(name):
            self.refuse(node, "name", name, names.reason(name), _rename(name))

    def check_variable(self, node: ast.Name) -> None:
        name = node.id
        if type(node.ctx) is ast.Load:
            if name in REFUSED_BUILTINS:
                self.builtins_read.append(node)
            elif name[:2] == "__" and not names.may_load(name):
                self.refuse(node, "name", name, names.reason(name))
            return
        self.bound.add(name)
        if name[:1] == "_" or name in names.NAMES:
            self.findings.defines_finalizers |= name == "__del__"
            if not names.may_bind(name):
                self.refuse(node, "name", name, names.reason(name), _rename(name))

    def check_attribute(self, node: ast.Attribute, guardless: bool) -> None:
        how = names.reading(node.attr)
        if isinstance(node.ctx, ast.Load):
            if how == "refused" or guardless and how == "guarded":
                self.refuse(node, "attribute", node.attr, names.reason(node.attr))
            return
        self.findings.defines_finalizers |= node.attr == "__del__"
        if not names.may_store(node.attr):
            self.refuse(node, "attribute", node.attr, names.reason(node.attr))

    # -- imports

    def check_import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.bound.add(alias.asname or alias.name.partition(".")[0])
                self.check_module(alias, alias.name)
            return
        for alias in node.names:
            self.bound.add(alias.asname or alias.name)
        if node.module == "__future__" and not node.level:
            self.findings.future_imports.append(node)
            return
        if node.level:
            dots = "." * node.level + (node.module or "")
            self.refuse(
                node,
                "import",
                f"from {dots} import",
                "a cell is not part of a package",
                "import by the full name",
            )
        elif node.module and self.check_module(node, node.module):
            for alias in node.names:
                self.check_member(alias, node.module, alias.name)

    def check_module(self, node: ast.AST, module: str) -> bool:
        why = why_not_module(module, self.policy)
        if why is not None:
            close = self.policy.closest(module)
            self.refuse(
                node,
                "import",
                f"import {module}",
                why,
                f"did you mean {close}?" if close and close != module else "",
            )
        return why is None

    def check_member(self, node: ast.AST, module: str, name: str) -> None:
        why = None if name == "*" else why_not_member(module, name, self.policy)
        if why is not None:
            self.refuse(node, "import", f"{module}.{name}", why)

    def refuse(self, node: ast.AST, rule: str, name: str, reason: str, hint: str = "") -> None:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
        self.findings.violations.append(Violation(line, column, rule, name, reason, hint))


def _is_rewritten(node: ast.AST) -> bool:
    """Whether guard.py has something to do with a node."""
    return (
        names.reading(node.attr) == "guarded"
        if isinstance(node, ast.Attribute)
        else type(node) in _REWRITTEN
    )


def why_not_module(module: str, policy: Policy) -> str | None:
    """Why a policy refuses a module; None if it does not. An explicitly authorized submodule beats
    a door that leaves it out."""
    grant = policy.grant(module)
    if grant is None:
        return "this module is not authorized"
    parts = module.split(".")
    if (
        any(part.startswith("_") for part in parts)
        and module not in DEFAULT_IMPORTS
        and module not in policy.imports
    ):
        return "modules with a leading underscore are a package's own"
    for end in range(2, len(parts) + 1):  # what is left out takes with it what lies inside
        if ".".join(parts[:end]) in policy.imports:
            return None
        door = DOORS.get((".".join(parts[: end - 1]), parts[end - 1]))
        if door is not None and door.verdict == "left out":
            return door.reason
    return None


def why_not_member(module: str, name: str, policy: Policy) -> str | None:
    """Why a policy refuses one name of a module that it authorizes; None if it does not."""
    grant = policy.grant(module)
    if grant is None:
        return "this module is not authorized"
    if f"{module}.{name}" in policy.imports:
        return None
    door = DOORS.get((module, name))
    if door is not None and door.verdict == "left out":
        return door.reason
    if name.startswith("_") and name not in ("__version__", "__name__", "__doc__", "__all__"):
        return "names with a leading underscore are a module's own"
    if (
        grant.only is not None
        and name not in grant.only
        and policy.grant(f"{module}.{name}") is None
    ):
        return f"only part of this module is authorized ({grant.reason})"
    return None


def _rename(name: str) -> str:
    return f"call it {name.strip('_') or 'something else'}"
