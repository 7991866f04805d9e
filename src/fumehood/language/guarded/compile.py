"""Source text to runnable code: parse → check → guard → compile. The only file of this package that
calls compile, exec or eval.

A checked tree needs few rewrites; everything else stays the bytecode that CPython makes:

    x.format, x.__dict__, …     a call that looks at x; rules.py lists which attributes
    x.format += v               a call that reads, adds and stores
    x.a = v, del x.a            a call that looks at x, which may be no class of a library
    import, from … import       a call of the session's import: the import instructions fall back
                                to sys.modules
    case C(a, b):               an extra case before it, never taken, that looks at C.__match_args__
    the last statement          its value is recorded; an import has none, so a `pass` follows it

A guard is called through a constant: a string while compiling, which `_put_guards` replaces by the
function afterwards. So code has no name by which to replace a guard. Text in a source that is equal
to such a string gives code a guard to call, which does no harm.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import itertools
import types
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from fumehood.errors import ForbiddenCall, ForbiddenName
from fumehood.language.guarded.check import Findings, check_tree
from fumehood.language.guarded.rules import rule
from fumehood.language.source import Cell, catching_warnings, keep_value
from fumehood.policy import Policy

HIDDEN = "<class "
"""The variables with classes of patterns begin so. Code cannot spell them."""
_TOKEN = "\0guard "
"""How the constant begins that stands for a guard until the code is compiled."""
_sites = itertools.count()
_Node = TypeVar("_Node", bound=ast.AST)


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
    mode: Literal["exec", "eval"] = "exec",
    is_cell: bool = True,
) -> Compiled:
    """Compile a cell, or text for eval and exec. Raises SyntaxError for what is not Python."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if is_cell else 0

    def compile_() -> Compiled:
        tree = compile(source, file, mode, ast.PyCF_ONLY_AST | flags, dont_inherit=True)
        findings = check_tree(tree, policy, known)
        if findings.violations:
            return Compiled(file, [], findings=findings)
        _rewrite(tree, findings)
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
    """Run compiled code. Gives the value of an expression, or the coroutine of a cell that awaits
    at its top level.

    `eval` adds the real builtins to a namespace in which it finds none. Code may own the namespace,
    and a key of its own making may equal "__builtins__" the first time it is asked and not the
    second: so keys must be plain strings, and the value a dictionary.
    """
    own_builtins = dict.get(namespace, "__builtins__")
    if {*map(type, dict.keys(namespace))} != {str} or type(own_builtins) is not dict:
        raise ForbiddenCall(
            "code runs only among variables whose names are plain strings, with builtins in a plain"
            " dictionary"
        )
    if compiled.findings.needs_scope:
        local = Scope(namespace if local is None else local)
    (code,) = compiled.codes
    return eval(code, namespace, local)


class Scope:
    """The variables of a cell with class patterns outside of functions: the code's own, and beside
    them, out of its reach, the guard's. Slower than a dictionary, so only such cells have it;
    functions have the guard's variables among their own."""

    __slots__ = ("_hidden", "variables")

    def __init__(self, variables: Any) -> None:
        self.variables = variables
        self._hidden: dict[str, Any] = {}

    def _home(self, name: str) -> Any:
        return self._hidden if name.startswith(HIDDEN) else self.variables

    def __getitem__(self, name: str) -> Any:
        return self._home(name)[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._home(name)[name] = value

    def __delitem__(self, name: str) -> None:
        del self.variables[name]

    def keys(self) -> Any:
        return self.variables.keys()


# -- rewriting


def _rewrite(tree: ast.AST, findings: Findings) -> None:
    """Rewrite a checked tree in place, inner places first."""
    body = tree.body if isinstance(tree, ast.Module) else []
    imports = [node for node in body if isinstance(node, ast.ImportFrom)]
    futures = {a.name for node in imports if node.module == "__future__" for a in node.names}
    texts: set[int] = set()
    if findings.rewrites and "annotations" in futures:
        # Annotations become text, which is checked when it is evaluated.
        for node in ast.walk(tree):
            for name, part in ast.iter_fields(node):
                if name in ("annotation", "returns") and part is not None:
                    texts.update(map(id, ast.walk(part)))
    while findings.rewrites:
        parent, name, place = findings.rewrites.pop()
        if id(place) in texts:
            continue
        new, value = _rewritten(place), getattr(parent, name)
        if type(value) is list:
            at = value.index(place)
            value[at : at + 1] = new
        else:
            setattr(parent, name, new[0])


def _rewritten(node: Any) -> list[Any]:
    if isinstance(node, ast.Import):
        return [*(_import(node, alias) for alias in node.names), _at(ast.Pass(), node)]
    if isinstance(node, ast.ImportFrom):
        return [_import_from(node), _at(ast.Pass(), node)]
    if isinstance(node, ast.Match):
        known: dict[str, str] = {}
        node.cases = [part for case in node.cases for part in (*_match_guards(case, known), case)]
    elif isinstance(node, ast.AugAssign):
        target = node.target
        if isinstance(target, ast.Attribute) and rule(target.attr).read == "guarded":
            texts = ast.Constant(target.attr), ast.Constant(_OPERATIONS[type(node.op).__name__])
            call = _call("augment", node, target.value, *texts, node.value)
            return [_at(ast.Expr(call), node)]
    elif isinstance(node.ctx, ast.Load):
        return [_call("guarded_attribute", node, node.value, ast.Constant(node.attr))]
    else:
        node.value = _call("changeable", node.value, node.value)
    return [node]


_OPERATIONS = {
    "Add": "iadd", "Sub": "isub", "Mult": "imul", "MatMult": "imatmul", "Div": "itruediv",
    "FloorDiv": "ifloordiv", "Mod": "imod", "Pow": "ipow", "LShift": "ilshift",
    "RShift": "irshift", "BitOr": "ior", "BitXor": "ixor", "BitAnd": "iand",
}  # fmt: skip
"""Functions of the module `operator`, by the names of nodes."""


def _call(guard: str, place: ast.AST, *args: ast.expr) -> ast.Call:
    """A call of a guard. The choice, which the compiler leaves out, prevents its warning."""
    function = ast.IfExp(ast.Constant(True), ast.Constant(_TOKEN + guard), ast.Constant(None))
    return _at(ast.Call(function, list(args), []), place)


def _at(node: _Node, place: ast.AST) -> _Node:
    """Give new nodes the place of the code they stand for, for tracebacks."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, place)
            waiting += ast.iter_child_nodes(part)
    return node


def _import(node: ast.Import, alias: ast.alias) -> ast.stmt:
    bound = ast.Name(alias.asname or alias.name.partition(".")[0], ast.Store())
    call = _call("import_as" if alias.asname else "import_top", node, ast.Constant(alias.name))
    return _at(ast.Assign([bound], call), node)


def _import_from(node: ast.ImportFrom) -> ast.stmt:
    module = ast.Constant(node.module or "")
    if node.names[0].name == "*":
        return _at(ast.Expr(_call("import_star", node, module)), node)
    wanted = ast.Tuple([ast.Constant(alias.name) for alias in node.names], ast.Load())
    names: list[Any] = [ast.Name(a.asname or a.name, ast.Store()) for a in node.names]
    call = _call("import_from", node, module, wanted)
    return _at(ast.Assign([ast.Tuple(names, ast.Store())], call), node)


def _match_guards(case: ast.match_case, known: dict[str, str]) -> list[ast.match_case]:
    """A case `_ if look(t := C): pass` before one that has class patterns with positional
    arguments, in which `t` then stands for `C`.

    It is never taken: `look` raises or gives False. `C` is evaluated once for all cases of a match
    (`known` has the variables so far): a second time it could be another class. The names of
    classes further inside a pattern are evaluated here too, a moment before the pattern would.
    """
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
