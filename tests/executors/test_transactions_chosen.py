"""What is undone and what is kept is for the caller to say: faults kept, and ordinary exceptions
undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fumehood import LocalPythonExecutor, Policy

from .conftest import MakeExecutor
from .ways_to_fail import QUICK, WAYS, each_of, fail, let_it_be_killed, plain

# -- on_fault="keep"


@each_of("exit", "segfault", "loop in C", "killed from outside", "endless output")
def test_with_keep_the_variables_die_with_their_process_and_the_executor_goes_on(
    make_jailed: MakeExecutor, way: str
) -> None:
    executor = make_jailed(policy=plain(), on_fault="keep")
    let_it_be_killed(executor)
    executor("kept = 1")
    execution = fail(executor, way)
    assert (execution.fault, execution.rolled_back) == (WAYS[way].fault, False)
    assert "variables are lost" in execution.error.message  # type: ignore[union-attr]
    assert executor.run("kept").error.type == "NameError"  # type: ignore[union-attr]


@each_of("loop", "memory error")
def test_with_keep_what_a_cell_did_before_it_was_stopped_stays(
    make_jailed: MakeExecutor, way: str
) -> None:
    executor = make_jailed(policy=plain(), on_fault="keep")
    executor("kept = [1]")
    execution = fail(executor, way, "kept.append(2)")
    assert (execution.fault, execution.rolled_back) == (WAYS[way].fault, False)
    assert executor("kept").output == [1, 2]


# -- on_error="rollback"

ERRORS = {
    "exception": ("1 / 0", "ZeroDivisionError"),
    "class of its own": ("class Mine(Exception): pass\nraise Mine('x')", "Mine"),
    "assertion": ("assert False", "AssertionError"),
    "exit": ("raise SystemExit(1)", "SystemExit"),
    "in a task": (
        "import asyncio\nasync def f(): raise KeyError(1)\nawait asyncio.gather(f(), f())",
        "KeyError",
    ),
    "too deep": ("def f(): f()\nf()", "RecursionError"),
    "group": ("raise ExceptionGroup('x', [ValueError(1)])", "ExceptionGroup"),
}


@pytest.fixture
def make_strict(make_jailed: MakeExecutor) -> Callable[..., LocalPythonExecutor]:
    """Makes executors that undo every cell that raises."""

    def make(**options: Any) -> LocalPythonExecutor:
        return make_jailed(policy=Policy(files=True, limits=QUICK), on_error="rollback", **options)

    return make


@pytest.mark.parametrize("how", ERRORS)
def test_a_cell_that_raises_is_undone_where_that_is_asked_for(
    make_strict: Callable[..., LocalPythonExecutor], how: str
) -> None:
    executor = make_strict()
    executor("kept = [1]\ndef f(): return 'f'\nwith open('a', 'w') as file: file.write('old')")
    code, kind = ERRORS[how]
    execution = executor.run(
        "print('on')\nkept.append(2)\nwith open('a', 'w') as file: file.write('new')\nnew ="
        f" 1\n{code}"
    )
    assert execution.error is not None
    assert (execution.error.type.rpartition(".")[2], execution.logs, execution.rolled_back) == (
        kind,
        "on\n",
        True,
    )
    assert executor("kept, f(), open('a').read()").output == ([1], "f", "old")
    assert "new" not in executor.state


def test_a_refused_cell_has_nothing_to_undo_and_changes_nothing(
    make_strict: Callable[..., LocalPythonExecutor],
) -> None:
    executor = make_strict()
    executor("kept = [1]")
    execution = executor.run("kept.append(2)\nimport subprocess")
    assert execution.fault == "refused"
    assert executor("kept").output == [1]


def test_a_refusal_in_the_middle_of_a_cell_is_undone(
    make_strict: Callable[..., LocalPythonExecutor],
) -> None:
    executor = make_strict()
    executor("kept = [1]")
    execution = executor.run("kept.append(2)\n__import__('socket')")
    assert (execution.fault, execution.rolled_back) == ("refused", True)
    assert executor("kept").output == [1]


def test_errors_can_be_undone_and_faults_kept(
    make_strict: Callable[..., LocalPythonExecutor],
) -> None:
    executor = make_strict(on_fault="keep")
    executor("kept = [1]")
    assert executor.run("kept.append(2)\n1 / 0").rolled_back
    assert executor("kept").output == [1]
