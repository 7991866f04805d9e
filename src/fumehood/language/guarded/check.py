"""Does a cell keep to the rules? Reports all violations at once, so that a model can repair them
in one go.

The walk is a loop and not a recursion: a tree may be three times deeper than Python's recursion
limit and still be a program.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from typing import Any

from fumehood.default_imports import DEFAULT_IMPORTS
from fumehood.language.guarded.rules import (
    BUILTINS,
    LIBRARY_NAMES,
    NODES,
    TEXT_FIELDS,
    is_dunder,
    rule,
)
from fumehood.policy import Policy
from fumehood.results import Violation

_SCOPES = {ast.FunctionDef: "function", ast.AsyncFunctionDef: "function", ast.ClassDef: "class"}
_GUARDLESS = {(ast.MatchClass, "cls"), (ast.MatchValue, "value")}
"""Patterns read attributes themselves: no guard can stand there."""


def check_source(
    source: str, policy: Policy | None = None, known: Container[str] = ()
) -> list[Violation]:
    """Every violation in a cell, in order of place. Raises SyntaxError for what is not Python."""
    return check_tree(ast.parse(source), policy or Policy(), known).violations


def check_tree(tree: ast.AST, policy: Policy, known: Container[str] = ()) -> Findings:
    """Walk a tree. `known` are variables that exist, among which may be one called `open`."""
    findings = Findings(policy)
    findings.walk(tree)
    for node in findings.builtins_read:
        if node.id not in findings.bound and node.id not in known:
            row = BUILTINS[node.id]
            findings.refuse(node, "builtin", node.id, row.reason, row.hint)
    findings.violations.sort(key=lambda violation: (violation.line, violation.column))
    return findings


class Findings:
    """What one walk over a tree finds."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.violations: list[Violation] = []
        self.rewrites: list[tuple[ast.AST, str, ast.AST]] = []
        """What compile.py looks at, outer places first: the node above, the field, the node."""
        self.needs_scope = False
        """Whether class patterns stand outside of functions, where code could reach variables."""
        self.bound: set[str] = set()
        self.builtins_read: list[ast.Name] = []

    def walk(self, tree: ast.AST) -> None:
        stack: list[tuple[ast.AST, bool, str]] = [(tree, False, "module")]
        while stack:
            node, guardless, scope = stack.pop()
            kind = type(node)
            row = NODES.get(kind.__name__)
            if row is None or row.verdict == "refuse":
                why = "this kind of syntax has no row in language/guarded/rules.py"
                self.refuse(node, "syntax", kind.__name__, row.reason if row else why)
                continue
            scope = _SCOPES.get(kind, scope)
            for name in node._fields:
                value: Any = getattr(node, name, None)
                if not value:
                    continue
                holds = row.fields.get(name)
                parts = value if type(value) is list else [value]
                below = guardless and value is not parts or (kind, name) in _GUARDLESS
                for part in parts:
                    if holds is not None:
                        self.check_name(node, holds, part, guardless)
                    elif isinstance(part, str) and name not in TEXT_FIELDS:
                        why = "this name has no row in language/guarded/rules.py"
                        self.refuse(node, "syntax", f"{kind.__name__}.{name}", why)
                    elif isinstance(part, ast.AST):
                        if not below and _is_rewritten(part, node, scope):
                            self.rewrites.append((node, name, part))
                        stack.append((part, below, scope))
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.check_import(node)
            elif isinstance(node, ast.MatchClass) and node.patterns and scope != "function":
                self.needs_scope = True
                if scope == "class":
                    why = "the names in a class body belong to the class, not to the guard"
                    hint = "write attribute names, or put the match into a method"
                    self.refuse(node, "syntax", "class pattern", why, hint)

    def check_name(self, node: Any, kind: str, name: str, guardless: bool) -> None:
        row = rule(name)
        is_read = isinstance(getattr(node, "ctx", None), ast.Load)
        if kind == "attribute":
            unread = row.read == "refused" or guardless and row.read == "guarded"
            if unread if is_read else not row.store:
                self.refuse(node, "attribute", name, row.reason)
        elif kind == "pattern":
            if row.read != "plain":
                self.refuse(node, "attribute", name, row.reason, "a class pattern cannot read it")
        elif kind == "variable" and is_read:
            if name in BUILTINS and BUILTINS[name].verdict == "refused":
                self.builtins_read.append(node)
            elif row.read == "refused" and is_dunder(row.name) and row.name != "__import__":
                self.refuse(node, "name", name, row.reason)
        elif kind in ("variable", "binding", "keyword"):
            if kind != "keyword":
                self.bound.add(name)
            if not row.bind:
                hint = f"call it {name.strip('_') or 'something else'}"
                self.refuse(node, "name", name, row.reason, hint)

    def check_import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.bound.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.check_module(alias, alias.name)
        elif node.level:
            dots = "." * node.level + (node.module or "")
            why, hint = "a cell is not part of a package", "import by the full name"
            self.refuse(node, "import", f"from {dots} import", why, hint)
        elif node.module and self.check_module(node, node.module):
            for alias in node.names:
                why_not = why_not_member(node.module, alias.name, self.policy)
                if alias.name != "*" and why_not is not None:
                    self.refuse(alias, "import", f"{node.module}.{alias.name}", why_not)

    def check_module(self, node: ast.AST, module: str) -> bool:
        why = why_not_module(module, self.policy)
        if why is not None:
            close = self.policy.closest(module)
            meant = f"did you mean {close}?" if close and close != module else ""
            self.refuse(node, "import", f"import {module}", why, meant)
        return why is None

    def refuse(self, node: ast.AST, rule: str, name: str, reason: str, hint: str = "") -> None:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
        self.violations.append(Violation(line, column, rule, name, reason, hint))


def _is_rewritten(node: ast.AST, parent: ast.AST, scope: str) -> bool:
    """Whether compile.py has something to do with a node. The compiler must see `__future__`. For
    speed, the owner in `self.x = v` is not looked at in functions; that in `x.a += 1` is not,
    because the target is read again for the value of a cell."""
    if isinstance(node, ast.Attribute):
        if isinstance(node.ctx, ast.Load):
            return rule(node.attr).read == "guarded"
        is_self = isinstance(node.value, ast.Name) and node.value.id == "self"
        return not (is_self and scope == "function" or isinstance(parent, ast.AugAssign))
    if isinstance(node, ast.ImportFrom):
        return node.module != "__future__"
    return isinstance(node, (ast.Import, ast.Match, ast.AugAssign))


def why_not_module(module: str, policy: Policy) -> str | None:
    """Why a policy refuses a module, if it does. An authorized submodule beats a row."""
    if policy.grant(module) is None:
        return "this module is not authorized"
    parts = module.split(".")
    is_named = module in DEFAULT_IMPORTS or module in policy.imports
    if any(part.startswith("_") for part in parts) and not is_named:
        return "modules with a leading underscore are a package's own"
    for end in range(2, len(parts) + 1):  # what is left out takes with it what lies inside
        if ".".join(parts[:end]) in policy.imports:
            return None
        row = LIBRARY_NAMES.get((".".join(parts[: end - 1]), parts[end - 1]))
        if row is not None and row.verdict == "left out":
            return row.reason
    return None


def why_not_member(module: str, name: str, policy: Policy) -> str | None:
    """Why a policy refuses one name of a module that it authorizes; None if it does not."""
    grant = policy.grant(module)
    if grant is None:
        return "this module is not authorized"
    if f"{module}.{name}" in policy.imports:
        return None
    row = LIBRARY_NAMES.get((module, name))
    if row is not None and row.verdict == "left out":
        return row.reason
    if name.startswith("_") and name not in ("__version__", "__name__", "__doc__", "__all__"):
        return "names with a leading underscore are a module's own"
    is_part = grant.only is None or name in grant.only
    if not is_part and policy.grant(f"{module}.{name}") is None:
        return f"only part of this module is authorized ({grant.reason})"
    return None
