"""docs/migration.md says of smolagents what is so: each row of its tables is tried with the version
that it names."""

from __future__ import annotations

import importlib.metadata
import inspect
import re
from typing import Any

import pytest

pytest.importorskip("smolagents")

import smolagents
from smolagents.local_python_executor import BASE_BUILTIN_MODULES
from smolagents.local_python_executor import LocalPythonExecutor as Theirs

import fumehood
from fumehood import JailUnavailable, LocalPythonExecutor
from fumehood.default_imports import PLAIN_IMPORTS

from .blocks import DOCS

PAGE = (DOCS / "migration.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


PROGRAMS = [
    (program.strip("`").replace("⏎", "\n"), theirs, ours)
    for program, theirs, ours in rows("The same program")
]


@pytest.fixture(scope="module")
def ours() -> Any:
    try:
        executor = LocalPythonExecutor()
    except JailUnavailable as error:
        pytest.skip(f"no jail on this machine: {error}")
    with executor:
        yield executor


def said(cell: str) -> str:
    return cell.replace("`", "")


def come_of(executor: Any, program: str) -> str:
    try:
        return repr(executor(program).output)
    except Exception as error:
        return str(error)


def test_the_page_speaks_of_the_version_that_is_here() -> None:
    assert importlib.metadata.version("smolagents") in PAGE


@pytest.mark.parametrize(("program", "theirs", "here"), PROGRAMS)
def test_a_program_comes_to_what_the_page_says(
    program: str, theirs: str, here: str, ours: LocalPythonExecutor
) -> None:
    executor = Theirs([])
    executor.send_tools({})
    for cell, came in ((theirs, come_of(executor, program)), (here, come_of(ours, program))):
        assert said(cell) in came.replace("`", "")
        if cell.startswith("`") and cell.endswith("`") and cell.count("`") == 2:
            assert came == said(cell)


@pytest.mark.parametrize(("names", "arguments"), rows("Names"))
def test_a_name_is_in_both_and_takes_the_same_arguments(names: str, arguments: str) -> None:
    found, asked = (set(re.findall(r"`(\w+)`", cell)) for cell in (names, arguments))
    assert found and (asked or not arguments)
    for name in found:
        for package in (smolagents, fumehood):
            maker = getattr(package, name)
            taken = set(
                inspect.signature(maker.__init__ if inspect.isclass(maker) else maker).parameters
            )
            # theirs hand what they do not name themselves to the class above
            for base in maker.__mro__[1:] if inspect.isclass(maker) else ():
                if base is not object and "kwargs" in taken:
                    taken |= set(inspect.signature(base.__init__).parameters)
            assert asked <= taken, f"{package.__name__}.{name}"


def test_both_have_as_many_modules_as_the_page_says() -> None:
    assert f"{len(BASE_BUILTIN_MODULES)} modules" in PAGE
    assert len(PLAIN_IMPORTS) > 100


def test_what_they_have_and_we_have_not_is_so() -> None:
    for name in ("ToolCallingAgent", "TransformersModel", "VLLMModel", "MLXModel", "GradioUI"):
        assert hasattr(smolagents, name)
        assert not hasattr(fumehood, name)
