"""Every case below `cases/` behaves as it does under plain CPython: under the guarded language
inline, and in the jail."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from fumehood import JailUnavailable, LocalPythonExecutor, Policy
from fumehood.wire.values import Record, RemoteError, RemoteObject

from ..executors.conftest import skip_where_there_is_no_jail
from .reference import Case, Outcome, comparable_message, comparable_value, read_case, run_plain

FOLDER = Path(__file__).parent / "cases"
CASES = [read_case(path) for path in sorted(FOLDER.rglob("*.py"))]

# What programs are made of, apart from the roots of trees: classes that only group others, and
# nodes in no group.
GROUPS_OF_NODES = "stmt expr pattern operator unaryop boolop cmpop excepthandler type_param".split()
SINGLE_NODES = "arguments arg keyword alias withitem match_case comprehension".split()

# Kept by `ast` for programs written for older versions; its parser never makes them.
RETIRED_NODES = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis"}

# Stands for the repr of a value that came out of the jail with names for some of its parts instead
# of the parts.
OF_STAND_INS = "made of stand-ins"
# Shown otherwise by the host: the factory of a defaultdict stays behind.
CHANGED_ON_THE_WAY = ("defaultdict(",)

LOOPS = (ast.For, ast.AsyncFor, ast.While)
COMPOUND_WITH_A_VALUE = (*LOOPS, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)


# The first two levels of folders below `cases/`.
FOLDERS = sorted(
    {
        "/".join(path.parts[:2])
        for path in (case.path.parent.relative_to(FOLDER) for case in CASES if case.runs_here)
    }
)


def name_of(case: Case) -> str:
    return case.path.relative_to(FOLDER).as_posix()


def of_folder(folder: str) -> list[Case]:
    return [
        case
        for case in CASES
        if case.runs_here and "/".join(case.path.parent.relative_to(FOLDER).parts[:2]) == folder
    ]


def run_here(case: Case, isolation: Literal["inline", "jail"]) -> list[Outcome]:
    outcomes = []
    imports = ("*",) if isolation == "jail" else ()
    with LocalPythonExecutor(policy=Policy(imports), isolation=isolation) as executor:
        for cell in case.cells:
            execution = executor.run(cell)
            refused = "; ".join(str(violation) for violation in execution.violations)
            assert not refused, f"{name_of(case)} is refused: {refused}"
            kind = message = None
            if execution.error is not None:
                kind = execution.error.type
                message = comparable_message(kind, execution.error.message)
            outcomes.append(Outcome(execution.logs, shown(execution.value), kind, message))
    return outcomes


def shown(value: object) -> str:
    """The repr of a value as the host has it: as code showed it where it stayed inside,
    OF_STAND_INS where parts of it did."""
    if type(value) is RemoteObject:
        return comparable_value(_Shown(value.text))
    return OF_STAND_INS if holds_stand_ins(value) else comparable_value(value)


class _Shown:
    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def holds_stand_ins(value: object) -> bool:
    if isinstance(value, (list, tuple, set, frozenset)) and not isinstance(value, Record):
        return any(holds_stand_ins(item) for item in value)
    if isinstance(value, dict):
        return any(holds_stand_ins(item) for pair in value.items() for item in pair)
    return isinstance(value, (RemoteObject, Record, RemoteError))


@pytest.mark.parametrize("folder", FOLDERS)
def test_programs_do_the_same_under_guard_and_in_the_jail_as_in_plain_python(folder: str) -> None:
    """One test for all cases of a folder: a test for each would take longer than the cases."""
    try:
        differences = {name_of(case): difference(case) for case in of_folder(folder)}
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise
    assert {name: found for name, found in differences.items() if found} == {}


def difference(case: Case) -> str | None:
    """How a case differs from plain Python, if it does."""
    plain = run_plain(case)
    inline = run_here(case, "inline")
    if inline != plain:
        return f"inline: {inline}, plain: {plain}"
    jailed = run_here(case, "jail")
    expected = [
        of_plain
        if outcome.value != OF_STAND_INS and not of_plain.value.startswith(CHANGED_ON_THE_WAY)
        else replace(of_plain, value=outcome.value)
        for outcome, of_plain in zip(jailed, plain, strict=True)
    ]
    return None if jailed == expected else f"in the jail: {jailed}, plain: {plain}"


def test_every_kind_of_node_of_this_python_appears_in_a_case() -> None:
    appearing = {type(node).__name__ for tree in trees_for_this_python() for node in ast.walk(tree)}
    missing = names_of_all_nodes() - appearing
    assert not missing, f"no case contains: {', '.join(sorted(missing))}"


def test_every_optional_part_of_a_node_is_present_in_a_case() -> None:
    """A node may appear without some of its parts: `except E` binds no name, `case {"k": v}` takes
    no rest."""
    filled = set()
    for tree in trees_for_this_python():
        for node in ast.walk(tree):
            present = (field for field, value in ast.iter_fields(node) if value not in (None, []))
            filled |= {(type(node).__name__, field) for field in present}
    wanted = {
        (name, field)
        for name in names_of_all_nodes()
        for field in getattr(ast, name)._fields
        # Type comments are not read by `ast.parse` unless asked, and `kind` only tells u"" from "".
        if field not in ("type_comment", "kind")
    }
    missing = {f"{name}.{field}" for name, field in wanted - filled}
    assert not missing, f"always empty: {', '.join(sorted(missing))}"


def test_there_are_at_least_250_cases() -> None:
    assert len(CASES) >= 250


def test_no_two_cases_are_the_same_program() -> None:
    first_with: dict[str, str] = {}
    for case in CASES:
        program = "\n".join(
            line for cell in case.cells for line in cell.splitlines() if not line.startswith("#")
        )
        assert program not in first_with, f"{name_of(case)} repeats {first_with[program]}"
        first_with[program] = name_of(case)


def test_a_value_is_stated_only_where_plain_python_cannot_tell_it() -> None:
    for case in CASES:
        if case.value is not None and case.runs_here:
            last_statement = ast.parse(case.cells[-1]).body[-1]
            assert isinstance(last_statement, COMPOUND_WITH_A_VALUE), name_of(case)


def trees_for_this_python() -> Iterator[ast.Module]:
    for case in CASES:
        for cell in case.cells if case.runs_here else ():
            try:
                yield ast.parse(cell)
            except SyntaxError:
                continue  # a case about syntax errors


def names_of_all_nodes() -> set[str]:
    groups = tuple(getattr(ast, group) for group in GROUPS_OF_NODES if hasattr(ast, group))
    members = {
        name
        for name, node in vars(ast).items()
        if isinstance(node, type)
        and issubclass(node, groups)
        and node not in groups
        and not name.startswith("_")
    }
    return members - RETIRED_NODES | set(SINGLE_NODES)
