"""Trees of every kind of node that this Python has, made from what `ast` says of itself:
`BinOp(expr left, operator op, expr right)`.

A node that a later Python brings is generated as soon as that Python runs this, whether anybody has
thought of it or not.
"""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from . import doors, words

_FIELD = re.compile(r"(\w+)([*?]?) (\w+)")
_RETIRED = {
    "Num",
    "Str",
    "Bytes",
    "NameConstant",
    "Ellipsis",
    "Index",
    "ExtSlice",
    "AugLoad",
    "AugStore",
    "Param",
    "Suite",
    "slice",
}
# Made by no parser of a cell, or of no use in a text.
_LEFT_OUT = {
    "Interactive",
    "FunctionType",
    "TypeIgnore",
    "Expression",
    "Module",
    "type_ignore",
    "mod",
}
# What may stand to the left of an assignment.
_TARGETS = ("Name", "Name", "Name", "Attribute", "Subscript", "Tuple", "List", "Starred")
# How often a statement is one that only works in certain places: the rest of the tree would be lost
# with it.
_RARE = {
    "Return": 0.1,
    "Break": 0.1,
    "Continue": 0.1,
    "Nonlocal": 0.1,
    "AsyncFor": 0.4,
    "AsyncWith": 0.4,
    "Await": 0.3,
    "Yield": 0.3,
    "YieldFrom": 0.3,
}
_RARE |= {
    "Starred": 0.05,
    "Slice": 0.0,
    "FormattedValue": 0.0,
    "Interpolation": 0.0,
    "ImportFrom": 0.5,
    "Import": 0.5,
    "TemplateStr": 0.2,
}


class Field(NamedTuple):
    kind: str
    count: str
    name: str


@functools.cache
def fields_of(name: str) -> tuple[Field, ...]:
    """The fields of a node, as its documentation gives them."""
    text = getattr(ast, name).__doc__ or ""
    return tuple(Field(*found) for found in _FIELD.findall(text.partition("(")[2]))


@functools.cache
def members(group: str) -> tuple[str, ...]:
    """The nodes of a group (stmt, expr, pattern …); a node in no group is its own."""
    base = getattr(ast, group)
    known = (
        cls.__name__ for cls in base.__subclasses__() if getattr(ast, cls.__name__, None) is cls
    )  # not one that a test has made up
    found = sorted(name for name in known if name not in _RETIRED | _LEFT_OUT)
    return tuple(found) or (group,)


def all_nodes() -> set[str]:
    """Every kind that can be made."""
    met: set[str] = set()
    waiting = ["stmt"]
    while waiting:
        for name in members(waiting.pop()):
            if name not in met:
                met.add(name)
                waiting += [
                    field.kind
                    for field in fields_of(name)
                    if isinstance(getattr(ast, field.kind, None), type)
                ]
    return met


class Growing:
    """Makes one tree. `depth` bounds it; near the bound only nodes without children grow."""

    def __init__(self, random: Random, boldness: float = 0.03) -> None:
        self._random = random
        self._boldness = boldness

    def source(self) -> str | None:
        """The text of a few statements; None if what grew cannot be written as text."""
        body = [
            self._housed(self.node("stmt", self._random.randint(2, 4)))
            for _ in range(self._random.randint(1, 4))
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))
            except (ValueError, TypeError, AttributeError, RecursionError, IndexError, KeyError):
                return None

    def _housed(self, statement: Any) -> Any:
        """Where a statement works that works in certain places only."""
        kinds = {type(node) for node in ast.walk(statement)}
        house = "{}"
        if kinds & {ast.Break, ast.Continue}:
            house = "for v0 in (1, 2):\n    {}"
        elif kinds & {ast.AsyncFor, ast.AsyncWith, ast.Await}:
            house = "async def gen():\n    {}\nawait gen()"
        elif kinds & {ast.Return, ast.Yield, ast.YieldFrom}:
            house = "def gen():\n    {}\nsee(list(gen()))"
        elif ast.Nonlocal in kinds:
            house = f"def coro({', '.join(sorted({name for n in ast.walk(statement) if isinstance(n, ast.Nonlocal) for name in n.names}))}):\n"
            house += "    def gen():\n        {}\n    return gen"
        if house == "{}":
            return statement
        tree = ast.parse(house.format("pass"))
        for node in ast.walk(tree):
            if isinstance(node, (ast.For, ast.FunctionDef, ast.AsyncFunctionDef)) and isinstance(
                node.body[0], ast.Pass
            ):
                node.body[0] = statement
        return ast.If(ast.Constant(True), tree.body, [])

    def node(self, group: str, depth: int) -> Any:
        random = self._random
        names = members(group)
        if depth <= 0 and group == "expr":
            return self._make(random.choice(("Name", "Name", "Constant")), 0)
        if depth <= 0 and group == "stmt":
            return self._make(random.choice(("Expr", "Pass")), 0)
        if depth <= 0 and group == "pattern":
            return self._make(random.choice(("MatchAs", "MatchValue", "MatchSingleton")), 0)
        name = random.choice(names)
        while random.random() >= _RARE.get(name, 1.0):
            name = random.choice(names)
        return self._make(name, depth)

    def _make(self, name: str, depth: int) -> Any:
        special = getattr(self, f"_make_{name}", None)
        return special(depth) if special else self._plain(name, depth)

    def _plain(self, name: str, depth: int) -> Any:
        made = {field.name: self._field(name, field, depth - 1) for field in fields_of(name)}
        return getattr(ast, name)(**made)

    def _field(self, owner: str, field: Field, depth: int) -> Any:
        random = self._random
        if (owner, field.name) in _STORED_FIELDS:
            return [self._target(depth)] if field.count == "*" else self._target(depth)
        if field.count == "?":
            return (
                self._one(owner, field, depth)
                if random.random() < 0.4 and field.name not in ("type_comment", "kind")
                else None
            )
        if field.count == "*":
            least = 1 if field.name in _NEVER_EMPTY else 0
            return [
                self._one(owner, field, depth)
                for _ in range(max(least, random.choice((0, 1, 1, 2))))
            ]
        return self._one(owner, field, depth)

    def _one(self, owner: str, field: Field, depth: int) -> Any:
        match field.kind:
            case "identifier":
                return self.attribute() if (owner, field.name) in _ATTRIBUTES else self.variable()
            case "int":
                return 0
            case "constant":
                return self.constant()
            case "string":
                return "text"
            case "expr_context":
                return ast.Load()
            case kind:
                return self.node(kind, depth)

    def _target(self, depth: int) -> Any:
        kind = self._random.choice(_TARGETS) if depth > 0 else "Name"
        return _storing(
            ast.Name(self.variable(), ast.Store())
            if kind == "Name"
            else self._make(kind, min(depth, 1))
        )

    # -- leaves

    def variable(self) -> str:
        random = self._random
        if random.random() < self._boldness:
            return random.choice(words.REFUSED_NAMES)
        return random.choice(_VARIABLES)

    def attribute(self) -> str:
        random = self._random
        if random.random() < self._boldness:
            return random.choice(words.REFUSED_NAMES)
        return random.choice(
            random.choice((words.GUARDED_NAMES, words.PLAIN_NAMES, words.UNLISTED_NAMES))
        )

    def constant(self) -> Any:
        random = self._random
        return random.choice(
            (
                0,
                1,
                -1,
                2.5,
                1j,
                "",
                "a",
                "__globals__",
                b"",
                b"a",
                True,
                None,
                ...,
                "{0.__class__}",
                10**30,
                "\ud800",
                "é",
            )
        )

    # -- nodes whose parts depend on each other

    def _make_Name(self, depth: int) -> Any:  # noqa: N802
        return ast.Name(self.variable(), ast.Load())

    def _make_Constant(self, depth: int) -> Any:  # noqa: N802
        return ast.Constant(self.constant())

    def _make_MatchSingleton(self, depth: int) -> Any:  # noqa: N802
        return ast.MatchSingleton(self._random.choice((True, False, None)))

    def _make_MatchValue(self, depth: int) -> Any:  # noqa: N802
        if self._random.random() < 0.5:
            return ast.MatchValue(
                ast.Attribute(ast.Name(self.variable(), ast.Load()), self.attribute(), ast.Load())
            )
        return ast.MatchValue(ast.Constant(self._random.choice((0, 1.5, "a", b"b"))))

    def _make_MatchAs(self, depth: int) -> Any:  # noqa: N802
        name = None if self._random.random() < 0.3 else self.variable()
        return ast.MatchAs(
            (
                self.node("pattern", depth - 1)
                if name and depth > 0 and self._random.random() < 0.4
                else None
            ),
            name,
        )

    def _make_MatchMapping(self, depth: int) -> Any:  # noqa: N802
        keys = [
            ast.Constant(key)
            for key in self._random.sample(("a", "b", 1), self._random.randint(0, 2))
        ]
        rest = self.variable() if self._random.random() < 0.5 else None
        return ast.MatchMapping(keys, [self.node("pattern", depth - 1) for _ in keys], rest)

    def _make_MatchClass(self, depth: int) -> Any:  # noqa: N802
        named = list(dict.fromkeys(self.attribute() for _ in range(self._random.randint(0, 2))))
        positional = [self.node("pattern", depth - 1) for _ in range(self._random.randint(0, 2))]
        cls = ast.parse(self._random.choice(doors.PATTERN_CLASSES), mode="eval").body
        return ast.MatchClass(
            cls, positional, named, [self.node("pattern", depth - 1) for _ in named]
        )

    def _make_MatchStar(self, depth: int) -> Any:  # noqa: N802
        return ast.MatchSequence([ast.MatchStar(self.variable())])

    def _make_MatchOr(self, depth: int) -> Any:  # noqa: N802
        return ast.MatchOr([ast.MatchValue(ast.Constant(1)), self.node("pattern", depth - 1)])

    def _make_JoinedStr(self, depth: int) -> Any:  # noqa: N802
        spec = self._random.choice((None, None, ast.JoinedStr([ast.Constant(">3")])))
        shown = ast.FormattedValue(
            self.node("expr", depth - 1), self._random.choice((-1, 114, 115, 97)), spec
        )
        return ast.JoinedStr([ast.Constant("x"), shown])

    def _make_TemplateStr(self, depth: int) -> Any:  # noqa: N802
        value = self.node("expr", depth - 1)
        text = ast.unparse(ast.fix_missing_locations(ast.Expression(value)))
        return ast.TemplateStr([ast.Interpolation(value, text, -1, None)])  # type: ignore[attr-defined]

    def _make_Compare(self, depth: int) -> Any:  # noqa: N802
        count = self._random.choice((1, 1, 2))
        parts = [self.node("expr", depth - 1) for _ in range(count + 1)]
        return ast.Compare(parts[0], [self.node("cmpop", 0) for _ in range(count)], parts[1:])

    def _make_Dict(self, depth: int) -> Any:  # noqa: N802
        count = self._random.randint(0, 2)
        keys = [
            None if self._random.random() < 0.2 else self.node("expr", depth - 1)
            for _ in range(count)
        ]
        return ast.Dict(keys, [self.node("expr", depth - 1) for _ in range(count)])

    def _make_Subscript(self, depth: int) -> Any:  # noqa: N802
        index = (
            ast.Slice(self.node("expr", depth - 2), None, None)
            if self._random.random() < 0.2
            else self.node("expr", depth - 1)
        )
        return ast.Subscript(self.node("expr", depth - 1), index, ast.Load())

    def _make_Try(self, depth: int, kind: Callable[..., Any] = ast.Try) -> Any:  # noqa: N802
        handlers = [self._handler(depth - 1) for _ in range(self._random.choice((1, 1, 2)))]
        last = [self.node("stmt", depth - 1)] if self._random.random() < 0.3 else []
        return kind([self.node("stmt", depth - 1)], handlers, [], last)

    def _make_TryStar(self, depth: int) -> Any:  # noqa: N802
        return self._make_Try(depth, ast.TryStar)

    def _handler(self, depth: int) -> Any:
        name = self.variable() if self._random.random() < 0.7 else None
        return ast.ExceptHandler(
            ast.Name("Exception", ast.Load()), name, [self.node("stmt", depth)]
        )

    def _make_arguments(self, depth: int) -> Any:
        names = list(dict.fromkeys(self.variable() for _ in range(5)))
        made = [
            ast.arg(name, self.node("expr", depth - 1) if self._random.random() < 0.2 else None)
            for name in names
        ]
        split = self._random.randint(0, len(made))
        plain, only = made[:split], made[split:]
        defaults = [self.node("expr", 0) for _ in plain]
        return ast.arguments(
            [], plain, None, only, [self.node("expr", 0) for _ in only], None, defaults
        )

    def _make_Lambda(self, depth: int) -> Any:  # noqa: N802
        taken = self._make_arguments(depth)
        for one in (*taken.args, *taken.kwonlyargs):
            one.annotation = None
        return ast.Lambda(taken, self.node("expr", depth - 1))

    def _make_Import(self, depth: int) -> Any:  # noqa: N802
        return ast.Import([ast.alias(self._module(), self.variable())])

    def _make_ImportFrom(self, depth: int) -> Any:  # noqa: N802
        return ast.ImportFrom(
            self._module(),
            [ast.alias(self.attribute(), self.variable())],
            0 if self._random.random() < 0.95 else 1,
        )

    def _module(self) -> str:
        table = words.FORBIDDEN_MODULES if self._random.random() < self._boldness else words.MODULES
        return self._random.choice(table)

    def _make_NamedExpr(self, depth: int) -> Any:  # noqa: N802
        return ast.NamedExpr(ast.Name(self.variable(), ast.Store()), self.node("expr", depth - 1))

    def _make_AnnAssign(self, depth: int) -> Any:  # noqa: N802
        value = self.node("expr", depth - 1) if self._random.random() < 0.7 else None
        return ast.AnnAssign(
            ast.Name(self.variable(), ast.Store()), self.node("expr", depth - 1), value, 1
        )

    def _make_AugAssign(self, depth: int) -> Any:  # noqa: N802
        target = self._target(1)
        if isinstance(target, (ast.Tuple, ast.List, ast.Starred)):
            target = ast.Name(self.variable(), ast.Store())
        return ast.AugAssign(target, self.node("operator", 0), self.node("expr", depth - 1))

    def _make_TypeAlias(self, depth: int) -> Any:  # noqa: N802
        return ast.TypeAlias(
            ast.Name(self.variable(), ast.Store()), [], self.node("expr", depth - 1)
        )  # type: ignore[attr-defined]

    def _make_Delete(self, depth: int) -> Any:  # noqa: N802
        return ast.Delete([ast.Name(self.variable(), ast.Del())])

    def _make_comprehension(self, depth: int) -> Any:
        ifs = [self.node("expr", depth - 1)] if self._random.random() < 0.3 else []
        return ast.comprehension(
            self._target(1), self.node("expr", depth - 1), ifs, int(self._random.random() < 0.1)
        )


_VARIABLES = (
    *words.VARIABLES,
    "see",
    "Own",
    "Text",
    "error",
    "gen",
    "coro",
    "print",
    "getattr",
    "type",
    "str",
    "len",
    "list",
    "x",
    "_y",
)
_NEVER_EMPTY = {
    "body",
    "targets",
    "values",
    "generators",
    "elts",
    "items",
    "cases",
    "names",
    "patterns",
    "comparators",
    "ops",
    "handlers",
}
_ATTRIBUTES = {("Attribute", "attr"), ("keyword", "arg"), ("MatchClass", "kwd_attrs")}
_STORED_FIELDS = {
    ("Assign", "targets"),
    ("For", "target"),
    ("AsyncFor", "target"),
    ("withitem", "optional_vars"),
}


def _storing(node: Any) -> Any:
    if hasattr(node, "ctx"):
        node.ctx = ast.Store()
    if isinstance(node, ast.Starred):
        return ast.Tuple(
            [ast.Starred(_storing(ast.Name("v0", ast.Store())), ast.Store())], ast.Store()
        )
    for child in getattr(node, "elts", ()):
        if isinstance(child, (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List)):
            _storing(child)
    if isinstance(node, (ast.Tuple, ast.List)):
        node.elts = [
            (
                e
                if isinstance(e, (ast.Name, ast.Attribute, ast.Subscript))
                else ast.Name("v1", ast.Store())
            )
            for e in node.elts
        ] or [ast.Name("v2", ast.Store())]
    return node
