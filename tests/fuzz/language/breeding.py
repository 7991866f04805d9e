"""Programs bred from real ones: those of the attack suite, which know where to go, and the language
cases, which know how to get along.

Parts of one take the place of parts of another of the same kind; names, texts and numbers are
exchanged for others; and what stands plainly is put where it is not expected: in a decorator, a
class body, a default, a comprehension, a pattern's guard.
"""

from __future__ import annotations

import ast
import copy
import functools
import textwrap
import warnings
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fumehood.attack import corpus

from . import words
from .writing import Writer, assembled

CASES = Path(__file__).parents[2] / "language" / "cases"
_LONGEST = 4000
_MOST_NODES = 1500


class Seeds(NamedTuple):
    attacks: tuple[str, ...]
    cases: tuple[str, ...]
    statements: tuple[ast.stmt, ...]
    expressions: tuple[ast.expr, ...]


@functools.cache
def seeds() -> Seeds:
    """The real programs, and their parts."""
    attacks = [cell for name in corpus.names() for cell in _cells(name)]
    cases = [path.read_text(encoding="utf-8") for path in sorted(CASES.rglob("*.py"))]
    statements: list[ast.stmt] = []
    expressions: list[ast.expr] = []
    for text in (*attacks, *cases):
        for node in ast.walk(parsed(text) or ast.Module([], [])):
            if isinstance(node, ast.stmt):
                statements.append(node)
            elif (
                isinstance(node, ast.expr)
                and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
                and not isinstance(node, _NOT_ALONE)
            ):
                expressions.append(node)
    return Seeds(tuple(attacks), tuple(cases), tuple(statements), tuple(expressions))


_NOT_ALONE = (ast.Starred, ast.Slice, ast.FormattedValue)


def _cells(name: str) -> tuple[str, ...]:
    """Of a program that hands over what it gets. Those that judge themselves attack the kernel, and
    do harm where nothing holds them."""
    program = corpus.read(name)
    return (
        ()
        if program.judges_itself
        else tuple(cell.replace("loot(", "see(") for cell in program.cells)
    )


def parsed(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def bred(random: Random, attacks: float = 0.7) -> str | None:
    """A program; None if what came of it cannot be written. `attacks` is how often its first
    ancestor is one."""
    pool = seeds()
    first = parsed(random.choice(pool.attacks if random.random() < attacks else pool.cases))
    if first is None:
        return None
    tree = copy.deepcopy(first)
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        random.choice(CHANGES)(random, tree)
    if sum(1 for _ in ast.walk(tree)) > _MOST_NODES:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            text = ast.unparse(ast.fix_missing_locations(tree))
        except (ValueError, TypeError, AttributeError, RecursionError):
            return None
    if len(text) > _LONGEST:
        return None
    if random.random() < 0.3:
        return assembled([random.choice(_WRAPPINGS).format(textwrap.indent(text, "    "))])
    return (
        assembled(text.split("\n\n"))
        if random.random() < 0.2 and parsed(assembled(text.split("\n\n")))
        else text
    )


_WRAPPINGS = (
    "def wrapped():\n{}\nsee(wrapped())",
    "class Wrapped:\n{}\nsee(Wrapped)",
    "async def wrapped():\n{}\nsee(await wrapped())",
    "for wrapped in (1,):\n{}",
    "with contextlib.nullcontext() as wrapped:\n{}",
    "match 1:\n  case wrapped:\n{}",
    "try:\n    error().nothing\nexcept AttributeError as wrapped:\n{}",
)


# -- changes


def _places(tree: ast.AST, kind: type) -> list[tuple[ast.AST, str, int | None]]:
    """Where nodes of a kind stand: above, the field, the place in it."""
    found: list[tuple[ast.AST, str, int | None]] = []
    for above in ast.walk(tree):
        for name, value in ast.iter_fields(above):
            if isinstance(value, kind):
                found.append((above, name, None))
            elif isinstance(value, list):
                found += [
                    (above, name, at) for at, item in enumerate(value) if isinstance(item, kind)
                ]
    return found


def _get(place: tuple[ast.AST, str, int | None]) -> Any:
    above, name, at = place
    value = getattr(above, name)
    return value if at is None else value[at]


def _put(place: tuple[ast.AST, str, int | None], node: Any) -> None:
    above, name, at = place
    if at is None:
        setattr(above, name, node)
    else:
        getattr(above, name)[at] = node


def _loads(tree: ast.AST) -> list[tuple[ast.AST, str, int | None]]:
    plain = [
        place
        for place in _places(tree, ast.expr)
        if not isinstance(place[0], (ast.JoinedStr, ast.MatchValue, ast.MatchClass))
    ]
    return [
        place
        for place in plain
        if isinstance(getattr(_get(place), "ctx", ast.Load()), ast.Load)
        and not isinstance(_get(place), _NOT_ALONE)
    ]


def _other_expression(random: Random, tree: ast.AST) -> None:
    places = _loads(tree)
    if places:
        _put(random.choice(places), copy.deepcopy(random.choice(seeds().expressions)))


def _written_expression(random: Random, tree: ast.AST) -> None:
    places = _loads(tree)
    made = parsed(Writer(random).expression(1))
    if places and made is not None and isinstance(made.body[0], ast.Expr):
        _put(random.choice(places), made.body[0].value)


def _own_expression(random: Random, tree: ast.AST) -> None:
    places = _loads(tree)
    if len(places) > 1:
        one, other = random.sample(places, 2)
        _put(one, copy.deepcopy(_get(other)))


def _other_statement(random: Random, tree: ast.AST) -> None:
    places = [place for place in _places(tree, ast.stmt) if place[2] is not None]
    if places:
        above, name, at = random.choice(places)
        new = copy.deepcopy(random.choice(seeds().statements))
        body = getattr(above, name)
        if random.random() < 0.5:
            body[at] = new
        else:
            body.insert(at, new)


def _less(random: Random, tree: ast.AST) -> None:
    places = [
        place
        for place in _places(tree, ast.stmt)
        if place[2] is not None and len(getattr(place[0], place[1])) > 1
    ]
    if places:
        above, name, at = random.choice(places)
        del getattr(above, name)[at]


def _other_name(random: Random, tree: ast.AST) -> None:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    if found:
        table = random.choice(
            (words.PLAIN_NAMES, words.GUARDED_NAMES, words.UNLISTED_NAMES, words.REFUSED_NAMES)
        )
        random.choice(found).attr = random.choice(table)


def _other_constant(random: Random, tree: ast.AST) -> None:
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    if found:
        table = random.choice(
            (
                words.REFUSED_NAMES,
                words.GUARDED_NAMES,
                words.UNLISTED_NAMES,
                words.FORBIDDEN_MODULES,
                words.MODULES,
            )
        )
        node = random.choice(found)
        other = random.choice(table)
        node.value = random.choice(
            (other, f"{{0.{other}}}", f"{node.value}.{other}", node.value[::-1])
        )


def _written_attribute_computed(random: Random, tree: ast.AST) -> None:
    """`x.name` becomes `getattr(x, "name")`, or another door to the same."""
    places = [place for place in _loads(tree) if isinstance(_get(place), ast.Attribute)]
    if places:
        place = random.choice(places)
        node = _get(place)
        door = random.choice(_COMPUTED)
        made = ast.parse(door.format(repr(node.attr)), mode="eval").body
        for inner in ast.walk(made):
            for name, value in ast.iter_fields(inner):
                if isinstance(value, ast.Name) and value.id == "HERE":
                    setattr(inner, name, node.value)
                elif isinstance(value, list):
                    value[:] = [
                        node.value if isinstance(item, ast.Name) and item.id == "HERE" else item
                        for item in value
                    ]
        _put(place, made)


_COMPUTED = (
    "getattr(HERE, {})",
    "getattr(HERE, ''.join({}))",
    "type(HERE).__getattribute__(HERE, {})",
    "object.__getattribute__(HERE, {})",
    "HERE.__getattribute__({})",
    "__import__('operator').attrgetter({})(HERE)",
    "__import__('functools').reduce(getattr, [{}], HERE)",
    "vars(type(HERE))[{}].__get__(HERE)",
    "super(type(HERE), HERE).__getattribute__({})",
    "('{{0.' + {} + '}}').format(HERE)",
    "__import__('string').Formatter().get_field('0.' + {}, [HERE], None)[0]",
    "eval('HERE_.' + {}, None, dict(HERE_=HERE))",
)


def _seen(random: Random, tree: ast.AST) -> None:
    """What is computed on the way is handed over, too."""
    places = _loads(tree)
    for place in random.sample(places, min(len(places), 3)):
        node = _get(place)
        if not isinstance(node, ast.Constant):
            call = ast.parse("[see(HERE_ := 0), HERE_][1]", mode="eval").body
            for inner in ast.walk(call):
                if isinstance(inner, ast.NamedExpr):
                    inner.value = node
            _put(place, call)


CHANGES = (
    _other_expression,
    _other_expression,
    _written_expression,
    _written_expression,
    _own_expression,
    _other_statement,
    _less,
    _other_name,
    _other_constant,
    _other_constant,
    _written_attribute_computed,
    _seen,
)
