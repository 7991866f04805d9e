"""Walks from one object to the next, as far as the rules let code go: what can be read, called and
taken apart is, at random.

A program of the other targets is written before anything runs. Here each step is chosen among what
is really there: a name that an object has, a function that takes so many arguments, an item of a
container. The steps are cells of one session.
"""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import Any

from fumehood.language.guarded.names import reading
from fumehood.policy import Policy

from ..engine import Found
from . import planting, words
from .children import Row, rows_of
from .running import POLICY, Host
from .writing import imports_for, spelled

_ROUNDS = 8
_STEPS = 12
_MOST_OBJECTS = 400
_CONSTANTS = (
    "0",
    "1",
    "-1",
    "''",
    "'a'",
    "b'a'",
    "None",
    "()",
    "[]",
    "{}",
    "1.5",
    "'{0.__class__}'",
    "see",
    "Own",
    "Own()",
    "(lambda *a, **k: a)",
    "object",
)
# What would end the walk, or wait: not what the walk is about.
_LEFT_OUT = {
    "exit",
    "quit",
    "sleep",
    "final_answer",
    "input",
    "set_debug",
    "run_forever",
    "setrecursionlimit",
}


class Walks:
    name = "walks"
    about = "from nothing that code can get at does a step lead to anything of the host's"
    cases_in_tests = 6

    def __init__(
        self, policy: Policy = POLICY, prepare: Callable[[Host], None] | None = None
    ) -> None:
        self._policy = policy
        self._prepare = prepare

    @cached_property
    def _host(self) -> Host:
        return Host(borrowed=False, policy=self._policy)

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        host, path = self._host, planting.plant()
        seed = random.getrandbits(64)

        def work(tell: Callable[[Row], None]) -> None:
            if self._prepare is not None:
                self._prepare(host)
            host.enter()
            walk = _Walk(host, Random(seed), path)
            for _ in range(_ROUNDS):
                tell(walk.round())

        told: list[str] = []
        try:
            for row in rows_of(work):
                if "died" in row:
                    if "Traceback" in row["died"]:
                        raise RuntimeError(row["died"])
                    tally["ended their process"] += 1
                    continue
                told.append(row["cell"])
                tally["steps"] += row["steps"]
                tally["objects"] += row["objects"]
                if row["found"]:
                    raise Found("; ".join(row["found"]), "\n# ---\n".join(told))
        finally:
            planting.uproot(path)
        tally["walks"] += 1


class _Walk:
    def __init__(self, host: Host, random: Random, secret_path: str) -> None:
        self._host = host
        self._random = random
        self._path = secret_path
        self._count = 0
        self._begun = False

    def round(self) -> Row:
        """A cell of a few steps, each of which may fail."""
        lines = [] if self._begun else [self._beginning()]
        steps = [self._step() for _ in range(_STEPS)]
        lines += [
            f"try:\n    {step}\nexcept BaseException as raised:\n    see(raised)" for step in steps
        ]
        cell = "\n".join(lines)
        before = len(self._host.session.namespace)
        _execution, found = self._host.run((cell,), self._path, fresh=not self._begun)
        self._begun = True
        return {
            "cell": cell,
            "steps": len(steps),
            "objects": max(0, len(self._host.session.namespace) - before),
            "found": found,
        }

    def _beginning(self) -> str:
        roots = self._random.sample(words.ROOTS, 12)
        self._count = len(roots)
        begun = [
            f"try:\n    o{n} = {root}\nexcept BaseException as raised:\n    o{n} = raised"
            for n, root in enumerate(roots)
        ]
        text = "\n".join(begun)
        return f"{imports_for(text)}{words.OWN_THINGS}{text}"

    def _step(self) -> str:
        random = self._random
        name, thing = self._some()
        self._count += 1
        return f"o{self._count} = {self._reached(random, name, thing)}"

    def _some(self) -> tuple[str, Any]:
        """A variable, and what it holds. The newest are nearest to where nobody has been."""
        names = [
            name for name in self._host.session.namespace if name[:1] == "o" and name[1:].isdigit()
        ][-_MOST_OBJECTS:]
        if not names:
            return "o0", None
        name = names[-1 - int(len(names) * self._random.random() ** 2)]
        return name, dict.get(self._host.session.namespace, name)

    def _argument(self) -> str:
        random = self._random
        if random.random() < 0.5:
            return self._some()[0]
        return (
            random.choice(_CONSTANTS)
            if random.random() < 0.8
            else spelled(random, random.choice(words.REFUSED_NAMES))
        )

    def _reached(self, random: Random, name: str, thing: Any) -> str:
        roll = random.random()
        if roll < 0.25 and issubclass(type(thing), _CALLABLE):
            given = ", ".join(self._argument() for _ in range(random.choice((0, 1, 1, 2, 3))))
            return f"{name}({given})"
        if roll < 0.32:
            return random.choice(_OTHERWISE).format(name, self._argument())
        found = _names_of(thing)
        if not found:
            return f"type({name})"
        refused = [each for each in found if reading(each) == "refused"]
        chosen = random.choice(refused if refused and random.random() < 0.3 else found)
        if chosen in _LEFT_OUT:
            chosen = "__class__"
        if reading(chosen) == "refused" or not chosen.isidentifier() or random.random() < 0.2:
            return random.choice(_BY_TEXT).format(name, spelled(random, chosen))
        given = ", ".join(self._argument() for _ in range(random.choice((0, 1, 2))))
        return f"{name}.{chosen}" if random.random() < 0.6 else f"{name}.{chosen}({given})"


_CALLABLE = (
    type,
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)
_OTHERWISE = (
    "next(iter({0}))",
    "{0}[{1}]",
    "list({0})",
    "{0} | {1}",
    "type({0})",
    "{0}.__class__.__mro__",
    "vars({0})",
    "repr({0})",
    "f'{{{0}!r}}'",
    "[*{0}]",
    "dict({0})",
    "{0}.__get__({1})",
    "copy.copy({0})",
    "type('K', ({0},), {{}})",
    "functools.partial({0}, {1})",
    "{0} == {1}",
    "super({0}, {1})",
    "types.MethodType({0}, {1})",
    "next({0} for _ in (1,))",
    "{0}.__dict__",
)
_BY_TEXT = (
    "getattr({0}, {1})",
    "operator.attrgetter({1})({0})",
    "vars({0})[{1}]",
    "type({0}).__dict__[{1}]",
    "string.Formatter().get_field('0.' + {1}, ({0},), {{}})[0]",
    "('{{0.' + {1} + '}}').format({0})",
    "object.__getattribute__({0}, {1})",
    "operator.methodcaller({1})({0})",
    "super(type({0}), {0}).__getattribute__({1})",
    "functools.reduce(getattr, [{1}], {0})",
)


def _names_of(thing: Any) -> list[str]:
    """The names of an object's attributes, asked of its classes and not of itself."""
    found: set[str] = set()
    for base in type.__dict__["__mro__"].__get__(type(thing)):
        found |= {name for name in type.__dict__["__dict__"].__get__(base) if type(name) is str}
    if issubclass(type(thing), type):
        for base in type.__dict__["__mro__"].__get__(thing):
            found |= {name for name in type.__dict__["__dict__"].__get__(base) if type(name) is str}
    if issubclass(type(thing), types.ModuleType):
        found |= {
            name
            for name in types.ModuleType.__getattribute__(thing, "__dict__")
            if type(name) is str
        }
    return sorted(found)
