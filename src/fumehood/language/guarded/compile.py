"""Source text to runnable code: parse → check → guard → compile.

A checked tree needs few rewrites; everything else stays the bytecode that CPython makes:

    x.format, x.__dict__, …     a call that looks at x; rules.py lists which attributes
    x.format += v               a call that looks at x and x.format
    x.a = v, del x.a            a call that looks at x, which may be no class of a library
    case C(a, b):               an extra case before it, never taken, that looks at C.__match_args__
    the last statement          its value is recorded

A guard is called through a constant: a string while compiling, which `_put_guards` replaces by the
function afterwards. So code has no name by which to replace a guard.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import itertools
import types
from collections import ChainMap
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any

from fumehood.default_imports import DEFAULT_IMPORTS
from fumehood.errors import ForbiddenCall, ForbiddenName
from fumehood.language.guarded import rules
from fumehood.language.guarded.rules import rule
from fumehood.language.source import Cell, catching_warnings, keep_value
from fumehood.policy import Policy
from fumehood.results import Violation

HIDDEN = "<class "
"""The variables with classes of patterns begin so. Code cannot spell them."""
_TOKEN = "\0guard "
"""How the constant begins that stands for a guard until the code is compiled."""
_sites = itertools.count()


@dataclass(slots=True, kw_only=True)
class Compiled(Cell):
    """A checked cell, its guards in place; without code if it breaks the rules."""

    findings: Findings
    warnings: tuple[str, ...] = ()


def compile_cell(
    source: str,
    file: str,
    policy: Policy,
    guards: Mapping[str, Callable[..., Any]],
    *,
    known: Container[str] = (),
    mode: str = "exec",
    is_cell: bool = True,
) -> Compiled:
    """Compile a cell, or text for eval and exec. Raises SyntaxError for what is not Python."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if is_cell else 0

    def compile_() -> Compiled:
        tree = compile(source, file, mode, ast.PyCF_ONLY_AST | flags, dont_inherit=True)
        findings = Findings(tree, policy, known)
        if findings.violations:
            return Compiled(file, [], findings=findings)
        _rewrite(findings)
        if is_cell and isinstance(tree, ast.Module):
            keep_value(tree.body)
        code = _put_guards(compile(tree, file, mode, flags, dont_inherit=True), guards)
        return Compiled(file, [code], findings=findings)

    compiled, caught = catching_warnings(source, compile_)
    compiled.warnings = tuple(
        f"line {warning.lineno}: SyntaxWarning: {warning.message}"
        for warning in caught
        if issubclass(warning.category, SyntaxWarning)
    )
    return compiled


def run_code(compiled: Compiled, namespace: dict[str, Any], local: Any = None) -> Any:
    """Run compiled code. Gives the value of an expression, or the coroutine of a cell that awaits.

    `eval` adds the real builtins to a namespace in which it finds none. Code may own the namespace,
    and a key of its own making may equal "__builtins__" the first time it is asked and not the
    second: so keys must be plain strings, and the value a dictionary."""
    own_builtins = dict.get(namespace, "__builtins__")
    if {*map(type, dict.keys(namespace))} != {str} or type(own_builtins) is not dict:
        raise ForbiddenCall("names of variables must be plain strings, builtins a plain dictionary")
    if compiled.findings.needs_scope:
        local = Scope({}, namespace if local is None else local)
    (code,) = compiled.codes
    return eval(code, namespace, local)


class Scope(ChainMap[str, Any]):
    """The variables of a cell with class patterns outside of functions: the guard's, out of the
    code's reach, and the code's own. Only such cells have it, because it is slow; functions have
    the guard's variables among their own."""

    def __setitem__(self, name: str, value: Any) -> None:
        self.maps[not name.startswith(HIDDEN)][name] = value

    def __delitem__(self, name: str) -> None:
        del self.maps[1][name]

    def keys(self) -> Any:
        return self.maps[1].keys()


# -- checking: all violations at once, so that a model can repair them in one go. The walk is a loop
# and not a recursion: a tree may be three times deeper than Python's recursion limit.

_SCOPES = {ast.FunctionDef: "function", ast.AsyncFunctionDef: "function", ast.ClassDef: "class"}
# No guard can stand in patterns, which read attributes themselves, and in annotations, which become
# text if a cell imports that from `__future__`.
_GUARDLESS = {(ast.MatchClass, "cls"), (ast.MatchValue, "value")}
_ANNOTATIONS = ("annotation", "returns")


def check_source(source: str, policy: Policy | None = None) -> list[Violation]:
    """Every violation in a cell, in order of place. Raises SyntaxError for what is not Python."""
    return Findings(ast.parse(source), policy or Policy()).violations


class Findings:
    """What one walk over a tree finds. `known` are variables that exist, among which may be one
    called `open`."""

    def __init__(self, tree: ast.AST, policy: Policy, known: Container[str] = ()) -> None:
        self.policy = policy
        self.violations: list[Violation] = []
        self.rewrites: list[tuple[ast.AST, str, ast.AST]] = []
        """What `_rewrite` changes, outer places first: the node above, the field, the node."""
        self.needs_scope = False
        """Whether class patterns stand outside of functions, where code could reach variables."""
        self.bound: set[str] = set()
        self.builtins_read: list[ast.Name] = []
        self.walk(tree)
        for node in self.builtins_read:
            if node.id not in self.bound and node.id not in known:
                row = rules.BUILTINS[node.id]
                self.refuse(node, "builtin", node.id, row.reason, row.hint)
        self.violations.sort(key=lambda violation: (violation.line, violation.column))

    def walk(self, tree: ast.AST) -> None:
        stack: list[tuple[ast.AST, bool, str]] = [(tree, False, "module")]
        while stack:
            node, guardless, scope = stack.pop()
            kind = type(node)
            row = rules.NODES.get(kind.__name__)
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
                below = guardless or name in _ANNOTATIONS or (kind, name) in _GUARDLESS
                for part in parts:
                    if holds is not None:
                        self.check_name(node, holds, part, guardless)
                    elif isinstance(part, str) and name not in rules.TEXT_FIELDS:
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
            if name in rules.BUILTINS and rules.BUILTINS[name].verdict == "refused":
                self.builtins_read.append(node)
            elif row.read == "refused" and not row.bind and row.name != "__import__":
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
    """Whether `_rewrite` changes a node. For speed, the owner in `self.x = v` is not looked at in
    functions; that in `x.a += 1` is not, because a cell's value reads the target again."""
    if isinstance(node, ast.Attribute):
        if isinstance(node.ctx, ast.Load):
            return rule(node.attr).read == "guarded"
        if isinstance(parent, ast.AugAssign):
            return rule(node.attr).read != "plain"
        is_self = isinstance(node.value, ast.Name) and node.value.id == "self"
        return not (is_self and scope == "function")
    return isinstance(node, ast.Match)


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
        row = rules.LIBRARY_NAMES.get((".".join(parts[: end - 1]), parts[end - 1]))
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
    row = rules.LIBRARY_NAMES.get((module, name))
    if row is not None and row.verdict == "left out":
        return row.reason
    if name.startswith("_") and name not in ("__version__", "__name__", "__doc__", "__all__"):
        return "names with a leading underscore are a module's own"
    is_part = grant.only is None or name in grant.only
    if not is_part and policy.grant(f"{module}.{name}") is None:
        return f"only part of this module is authorized ({grant.reason})"
    return None


# -- rewriting


def _rewrite(findings: Findings) -> None:
    """Rewrite a checked tree in place, inner places first."""
    while findings.rewrites:
        parent, name, place = findings.rewrites.pop()
        new, value = _rewritten(place, parent), getattr(parent, name)
        if type(value) is list:
            value[value.index(place)] = new
        else:
            setattr(parent, name, new)


def _rewritten(node: Any, parent: ast.AST) -> Any:
    if isinstance(node, ast.Match):
        known: dict[str, str] = {}
        node.cases = [part for case in node.cases for part in (*_match_guards(case, known), case)]
    elif isinstance(node.ctx, ast.Load):
        return _call("guarded_attribute", node, node.value, ast.Constant(node.attr))
    elif isinstance(parent, ast.AugAssign):
        node.value = _call("augmentable", node.value, node.value, ast.Constant(node.attr))
    else:
        node.value = _call("changeable", node.value, node.value)
    return node


def _call(guard: str, place: ast.AST, *args: ast.expr) -> Any:
    """A call of a guard. The choice, which the compiler leaves out, prevents its warning."""
    function = ast.IfExp(ast.Constant(True), ast.Constant(_TOKEN + guard), ast.Constant(None))
    return _at(ast.Call(function, list(args), []), place)


def _at(node: Any, place: ast.AST) -> Any:
    """Give new nodes the place of the code they stand for, for tracebacks."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, place)
            waiting += ast.iter_child_nodes(part)
    return node


def _match_guards(case: ast.match_case, known: dict[str, str]) -> list[ast.match_case]:
    """A case `_ if look(t := C): pass` before one that has class patterns with positional
    arguments, in which `t` then stands for `C`. It is never taken: `look` raises or gives False.
    `C` is evaluated once for all cases of a match (`known` has the variables so far): a second time
    it could be another class."""
    looks: list[ast.expr] = []
    for pattern in ast.walk(case.pattern):
        if isinstance(pattern, ast.MatchClass) and pattern.patterns:
            text = ast.unparse(pattern.cls)
            if text not in known:
                known[text] = f"{HIDDEN}{next(_sites)}>"
                kept = ast.NamedExpr(ast.Name(known[text], ast.Store()), pattern.cls)
                looks.append(_call("look_at_class_pattern", pattern, kept))
            pattern.cls = _at(ast.Name(known[text], ast.Load()), pattern)
    if not looks:
        return []
    looks.append(ast.Constant(False))
    parts: tuple[Any, ...] = ast.MatchAs(), ast.BoolOp(ast.Or(), looks), ast.Pass()
    never, guard, nothing = (_at(part, case.pattern) for part in parts)
    return [ast.match_case(never, guard, [nothing])]


def _put_guards(code: types.CodeType, guards: Mapping[str, Callable[..., Any]]) -> types.CodeType:
    """Replace each constant that stands for a guard by the guard itself, in nested code too."""
    consts: list[Any] = []
    for const in code.co_consts:
        if type(const) is str and const.startswith(_TOKEN):
            const = guards.get(const.removeprefix(_TOKEN), const)
        elif type(const) is types.CodeType:
            const = _put_guards(const, guards)
        consts.append(const)
    return code.replace(co_consts=tuple(consts))


# -- code of libraries


def private_module(name: str, replaced: Mapping[str, Any]) -> types.ModuleType:
    """A fresh copy of a pure-Python module in which some builtins are replaced."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None, name
    module = types.ModuleType(name)
    vars(module)["__builtins__"] = {**vars(builtins), **replaced}
    exec(spec.loader.get_code(name), vars(module))  # type: ignore[attr-defined]
    return module


def run_generated(text: str, variables: dict[str, Any], local: dict[str, Any]) -> None:
    """Run methods that dataclasses generates. Names other than their own are names of fields."""
    nodes = list(ast.walk(ast.parse(text)))
    known = {"NotImplemented", "hash", "super", "type"}
    known |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    known |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    for node in nodes:
        refused = None
        if isinstance(node, ast.Name) and node.id not in known:
            refused = node.id
        elif isinstance(node, ast.Attribute) and rule(node.attr).read == "refused":
            refused = node.attr
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            refused = "import"
        if refused is not None:
            raise ForbiddenName(f"{refused!r} cannot be part of the name of a dataclass field")
    exec(text, variables, local)
