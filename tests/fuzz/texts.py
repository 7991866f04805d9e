"""Texts that are hardly programs: the checker of the guarded language refuses or accepts them, and
never fails."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from fumehood.attack import corpus
from fumehood.language.guarded import access
from fumehood.language.guarded.compile import check_source, compile_cell
from fumehood.policy import Policy
from fumehood.results import Violation

from .engine import Found, must_raise_only
from .spoiling import spoilt

POLICY = Policy()
_CASES = Path(__file__).parents[1] / "language" / "cases"
_GUARDS = tuple(access.GUARDS)

_TOKENS = (
    "def class async await match case type lambda if else elif for while try except* except finally"
    " with as import from return yield global nonlocal del raise assert pass break continue not and"
    " or is in True False None print ( ) [ ] { } , : ; . ... -> := = == != < > <= >= + - * ** / //"
    " % @ & | ^ ~ << >> += -= @= **= \n \n\n \t # \\ ' \" ''' \"\"\" f' f\" rb' {x!r:>{y}} {{ }}"
    " 0x_f 1_0 1e9 1j 0777 0b2 10**9999 _ __ __x__ __class__ __import__ ﬁ ª µ 𝒙 ｅｖａｌ"
    " ﹍﹍globals﹍﹍ \ufeff \x00 \ud800 \x0c \r \u2028 self cls x y t'{x}' X[T]=int def[T:int=str]"
).split(" ")


@functools.cache
def _programs() -> tuple[str, ...]:
    """The cells of the attack programs, and the language cases."""
    cells = [cell for name in corpus.names() for cell in corpus.read(name).cells]
    return (*cells, *(path.read_text(encoding="utf-8") for path in sorted(_CASES.rglob("*.py"))))


def _tokens(random: Random) -> str:
    return random.choice(("", " ")).join(random.choices(_TOKENS, k=random.randrange(60)))


def _letters(random: Random) -> str:
    return "".join(
        chr(
            random.choice(
                (random.randrange(128), random.randrange(0x3000), random.randrange(0x110000))
            )
        )
        for _ in range(random.randrange(80))
    )


def _bytes(random: Random) -> str:
    data = spoilt(random, random.choice(_programs()).encode("utf-8", "surrogatepass"))
    return data.decode("utf-8", random.choice(("replace", "surrogateescape", "ignore")))


def _nested(random: Random) -> str:
    depth = random.choice((50, 90, 200, 1000, 5000))
    return random.choice(
        (
            lambda: "(" * depth + ")" * depth,
            lambda: "[" * depth,
            lambda: "-" * depth + "1",
            lambda: "x" + ".a" * depth,
            lambda: "x" + "()" * depth,
            lambda: "x = " * depth + "1",
            lambda: "+".join("1" for _ in range(depth)),
            lambda: (
                "".join(" " * level + "if x:\n" for level in range(depth % 99)) + " " * 99 + "pass"
            ),
            lambda: "lambda: " * depth + "1",
            lambda: "not " * depth + "x",
            lambda: "f'{" * (depth % 150) + "x" + "}'" * (depth % 150),
            lambda: "x if y else " * depth + "z",
            lambda: "match x:\n case " + "[" * depth + "]" * depth + ": pass",
            lambda: "match x:\n case " + "C(" * depth + ")" * depth + ": pass",
            lambda: "9" * depth * 20,
            lambda: "0x" + "f" * depth * 20,
            lambda: f"10**{'9' * (depth % 30)}",
            lambda: "'" + "\\N{DIGIT ONE}" * (depth % 300) + "'",
            lambda: ";".join(f"x{n}=1" for n in range(depth)),
            lambda: "@x\n" * depth + "def f(): pass",
            lambda: "def f(" + ",".join(f"a{n}" for n in range(depth)) + "): pass",
            lambda: "class C(" + "C," * depth + "): pass",
            lambda: "try: pass\n" + "except x: pass\n" * depth,
            lambda: "[" + "x for x in " * depth + "y]",
            lambda: "async def f():\n " + "await " * depth + "x",
            lambda: "from a import " + ",".join(f"b{n}" for n in range(depth)),
            lambda: "x[" * depth + "0" + "]" * depth,
            lambda: "*" * depth + "x = 1",
            lambda: "global " + ",".join(f"g{n}" for n in range(depth)),
        )
    )()


def _changed(random: Random) -> str:
    """A real program with a few of its letters changed."""
    text = random.choice(_programs())
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(text) + 1)
        text = (
            text[:at]
            + random.choice((random.choice(_TOKENS), "", "\n", " "))
            + text[at + random.choice((0, 1, 5)) :]
        )
    return text


_WAYS: tuple[Callable[[Random], str], ...] = (
    _tokens,
    _letters,
    _bytes,
    _nested,
    _changed,
    lambda random: random.choice(_programs()),
)


class Texts:
    name = "texts"
    about = (
        "whatever the text, the checker gives violations, a SyntaxError or nothing; and compiling"
        " agrees with checking"
    )
    cases_in_tests = 350

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        text = random.choice(_WAYS)(random)
        tally["texts"] += 1
        tally["characters"] += len(text)
        guards = dict.fromkeys(_GUARDS, len)
        accepted = refused = False
        with must_raise_only((SyntaxError,), text):
            violations = compile_cell(text, "<cell 1>", POLICY, guards).findings.violations
            accepted, refused = not violations, bool(violations)
            _look_at(violations, text)
        tally["accepted"] += accepted
        tally["refused"] += refused
        if (
            accepted and "await" not in text and "async" not in text
        ):  # which only a cell may have at its top level
            with must_raise_only(SyntaxError, text):
                if found := check_source(text, POLICY):
                    raise Found(f"compiled, and yet: {found[0]}", text)


def _look_at(violations: list[Violation], text: str) -> None:
    """Every violation says where and why, in words that can be shown."""
    lines = text.count("\n") + text.count("\r") + text.count("\f") + 1
    for violation in violations:
        if not (
            1 <= violation.line <= lines
            and violation.column >= 1
            and violation.reason
            and violation.rule
        ):
            raise Found(f"a violation that says nothing: {violation!r}", text)
        str(violation)
