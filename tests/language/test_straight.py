"""The short way for cells of one plain line: it lets nothing through that the long way refuses or
guards, and gives what that gives."""

from __future__ import annotations

import ast
import opcode
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fumehood
from fumehood import Policy
from fumehood.language import names, straight
from fumehood.language.check import check_tree
from fumehood.language.compile import Compiled, compile_cell
from fumehood.language.rules import REFUSED_BUILTINS
from fumehood.language.run import Session
from fumehood.results import Execution

POLICY = Policy()
GUARDS = Session(POLICY)._guards
FOLDERS = Path(__file__).parent / "cases", Path(fumehood.__file__).parent / "attack" / "programs"
BEFORE = (
    "a = 5\nb = [1, 2, 3]\nclass C:\n    y = 7\n    def m(self, n=1, *, k=0):\n        return n +"
    " k\nc = C()"
)

# A cell, and what it is worth after BEFORE.
PLAIN: dict[str, object] = {
    "x = 1 + 1": 2,
    "a": 5,
    "b[0]": 1,
    "b[0:2]": [1, 2],
    "b[a:]": [],
    "x = b[::2]": [1, 3],
    "x = -a": -5,
    "x = ~a": -6,
    "x = not a": False,
    "not_a_keyword = 1": 1,
    "len(b)": 3,
    "x = max(b) * a": 15,
    "c.y": 7,
    "c.m(2)": 2,
    "x = c.m(a, k=2)": 7,
    "x = (a, 1)": (5, 1),
    "x = a,": (5,),
    "[a, 1]": [5, 1],
    "[1, 2, 3, 4]": [1, 2, 3, 4],
    "{a, 1}": {5, 1},
    "{1, 2, 3, 4}": {1, 2, 3, 4},
    "{a: 1}": {5: 1},
    "x = {'k': a, 'l': b}": {"k": 5, "l": [1, 2, 3]},
    "a < 3": False,
    "a is None": False,
    "a in b": False,
    "x = a == 5": True,
    "'text'": "text",
    "5 + a": 10,
    "(a)  # said": 5,
    "x = None": None,
    "print('p')": None,
    "x = 'ü' + \"é\"": "üé",
    "x = ...": ...,
    "x = b''": b"",
    "x = 2j": 2j,
}

# Cells that have to go the long way, and why.
LONG = {
    "x = 1; y = 2": "two statements",
    "x = 1\ny = 2": "two lines",
    "x = 1\ry = 2": "two lines",
    "x = 1\fy": "not one line for everybody",
    " x": "a mistake",
    "\tx = 1": "a mistake",
    "": "nothing",
    "x = 1 if a else 2": "it goes two ways",
    "a and b": "it goes two ways",
    "x = [n for n in b]": "it has code in it",
    "x = lambda: 0": "it has code in it",
    "x, y = 1, 2": "its value is in two variables",
    "x = y, z = 1, 2": "its value is in two variables",
    "b[0] = 1": "its value is in no variable",
    "c.y = 1": "its value is in no variable",
    "x += 1": "not an assignment of the plain kind",
    "x: int = 1": "not an assignment of the plain kind",
    "x = (y := 1)": "two variables",
    "x = y = 3": "two variables",
    "f'{a}'": "it formats",
    "x = f'{a}'": "it formats",
    "f(*b)": "a call of unknown arguments",
    "x = f(**b)": "a call of unknown arguments",
    "await a": "it waits",
    "x = await a": "it waits",
    "import math": "it imports",
    "from math import pi": "it imports",
    "del a": "another statement",
    "pass": "another statement",
    "assert a": "another statement",
    "raise a": "another statement",
    "xﬁ = 1": "Python knows that variable by another name",
    "x = " + "+".join(["1"] * 200): "long",
    "x = 'a'.format": "an attribute that is looked at",
    "'{0.y}'.format(c)": "an attribute that is looked at",
    "x = c._y": "a name that begins with an underscore",
    "_x = 1": "a name that begins with an underscore",
    "x = _x": "a name that begins with an underscore",
    "f(_k=1)": "a name that begins with an underscore",
    "x = f(__k__=1)": "a name that begins with an underscore",
}


def short_way(source: str) -> Compiled | None:
    """What became of a cell by the short way; None if it does not go there."""
    try:
        compiled = compile_cell(source, "<cell 1>", POLICY, GUARDS, may_be_straight=True)
    except Exception:
        return None
    return compiled if compiled.is_expression or compiled.variable is not None else None


def both_ways(cell: str, monkeypatch: pytest.MonkeyPatch) -> list[Execution]:
    outcomes = []
    for form in (straight.form, lambda source: None):
        with monkeypatch.context() as patch:
            patch.setattr(straight, "form", form)
            session = Session(POLICY)
            assert session.run(BEFORE).ok
            outcomes.append(session.run(cell))
    return outcomes


@pytest.mark.parametrize("cell", PLAIN)
def test_a_plain_line_goes_the_short_way_and_is_worth_the_same(
    cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert short_way(cell) is not None
    short, long = both_ways(cell, monkeypatch)
    assert short.ok, short.error
    assert (
        (short.value, short.logs)
        == (long.value, long.logs)
        == (PLAIN[cell], "p\n" if "print" in cell else "")
    )


def test_every_instruction_of_the_table_is_in_some_plain_line() -> None:
    used = {
        code
        for cell in PLAIN
        for compiled in [short_way(cell)]
        if compiled is not None
        for code in compiled.code.co_code[::2]
    }
    known = {name for name in straight.INSTRUCTIONS if opcode.opmap.get(name, 256) < 256}
    assert {name for name in known if opcode.opmap[name] not in used} <= {
        "NOP",
        "POP_TOP",
        "BUILD_CONST_KEY_MAP",
    }  # not in every version


@pytest.mark.parametrize("cell", LONG)
def test_what_is_not_plain_goes_the_long_way(cell: str) -> None:
    assert short_way(cell) is None, LONG[cell]


def test_code_among_the_literals_is_not_plain_whatever_is_done_with_it() -> None:
    compiled = short_way("x = 1")
    assert compiled is not None
    assert straight.is_plain(compiled.code)
    assert not straight.is_plain(compiled.code.replace(co_consts=(1, compiled.code)))
    assert not straight.is_plain(compiled.code.replace(co_consts=(1, (compiled.code,))))


@pytest.mark.parametrize(
    "cell",
    ["nothing", "x = 1 / 0", "b[7]", "c.m(1, 2, 3)", "x = c.n", "a(1)", "x = len(5) + nothing"],
)
def test_an_error_is_told_as_by_the_long_way(cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert short_way(cell) is not None
    short, long = both_ways(cell, monkeypatch)
    assert short.error is not None
    assert short.error == long.error


@pytest.mark.parametrize("cell", ["x = (", "x = 'a", "a b", "x = a b", "print 1", "5 = a", "a$"])
def test_a_mistake_is_told_as_by_the_long_way(cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = both_ways(cell, monkeypatch)
    assert short.error is not None
    assert short.error.type == "SyntaxError"
    assert short.error == long.error


@pytest.mark.parametrize(
    "cell", ["x = a is 5", "x = a is 5 and _b"]
)  # the second goes the short way first, and then the long one
def test_what_the_compiler_warns_of_is_told_once(
    cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, long = both_ways(cell, monkeypatch)
    assert short.logs == long.logs
    assert short.logs.count("SyntaxWarning") == 1


# But for the one that the compiler takes for the literal True.
NAMES = sorted({*names.NAMES, *REFUSED_BUILTINS, "__anything__", "_private"} - {"__debug__"})


@pytest.mark.parametrize(
    "place", ["{}", "x = {}", "x = c.{}", "c.{}(1)", "x = f({}=1)", "{} = 1", "{}(1)"]
)
def test_no_name_that_any_table_has_goes_the_short_way(place: str) -> None:
    assert [name for name in NAMES if short_way(place.format(name)) is not None] == []


def lines_of_programs() -> Iterator[str]:
    """Every statement and every expression of every case and every attack, as one line, alone and
    assigned."""
    seen = set()
    for path in sorted(path for folder in FOLDERS for path in folder.rglob("*.py")):
        try:
            tree = ast.parse(path.read_text())
        except (SyntaxError, ValueError, RecursionError):
            continue  # some attacks are no programs, or those of a later Python
        for node in ast.walk(tree):
            if isinstance(node, (ast.expr, ast.stmt)):
                try:
                    text = ast.unparse(node)
                except (RecursionError, ValueError):
                    continue
                if len(text) <= 150 and text not in seen:
                    seen.add(text)
                    yield text


def guarded_by_the_tree(line: str) -> str:
    """What the long way would do about a line: what it refuses, and where it puts guards."""
    findings = check_tree(ast.parse(line), POLICY, ())
    return "; ".join(
        [
            *map(str, findings.violations),
            *(type(rewrite.node).__name__ for rewrite in findings.rewrites),
        ]
    )


@pytest.mark.extended
def test_of_all_programs_nothing_goes_the_short_way_that_the_long_way_would_look_at() -> None:
    went = 0
    for text in lines_of_programs():
        for line in (text, f"x = {text}"):
            if short_way(line) is not None:
                went += 1
                assert guarded_by_the_tree(line) == "", line
    assert went > 3000


WORDS = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "x",
        "format",
        "__class__",
        "_p",
        "open",
        "eval",
        "f_back",
        "gi_frame",
        "y",
        "mro",
        "tb_frame",
    ]
)
PARTS = st.one_of(
    WORDS, st.sampled_from(list("=.,()[]{}+-*:;@ \n\t#'\"\\~!<>%&|^")), st.integers(0, 99).map(str)
)


@given(st.lists(PARTS, max_size=14).map("".join))
def test_of_any_text_nothing_goes_the_short_way_that_the_long_way_would_look_at(text: str) -> None:
    for line in (text, f"x = {text}"):
        if short_way(line) is not None:
            assert guarded_by_the_tree(line) == ""


@pytest.mark.extended
def test_a_finalizer_that_sets_the_variable_does_not_change_what_a_cell_is_worth() -> None:
    session = Session(POLICY)
    for cell in (
        "x = 5",
        "class D:\n    def __del__(self):\n        global x\n        x = 'mine'",
        "x = D()",
        "x = 5",
        "x = 5",
    ):
        assert session.run(cell).ok
    assert session.run("x = D()").ok
    execution = session.run("x = 5")
    assert execution.value == 5


def test_without_the_language_nothing_goes_the_short_way() -> None:
    off = Policy(language="off")
    compiled = compile_cell("x = 1", "<cell 1>", off, Session(off)._guards, may_be_straight=True)
    assert compiled.variable is None
