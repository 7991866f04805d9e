"""The environment that code runs in, set by the host."""

from __future__ import annotations

import os
from typing import Any

import pytest

from fumehood import LocalPythonExecutor, Policy, PolicyError

from .conftest import MakeExecutor

LOOK = "import os\n{name: os.environ.get(name) for name in ('A', 'B', 'HOME')}"


@pytest.fixture
def executor(make_jailed: MakeExecutor) -> LocalPythonExecutor:
    return make_jailed(policy=Policy(language="off"))


def test_variables_are_set_changed_and_removed_and_the_rest_stays(
    executor: LocalPythonExecutor,
) -> None:
    home = executor(LOOK).output["HOME"]
    executor.set_environment({"A": "ä=1", "B": ""})
    assert executor(LOOK).output == {"A": "ä=1", "B": "", "HOME": home}
    executor.set_environment({"A": "2", "B": None, "C": None})
    assert executor(LOOK).output == {"A": "2", "B": None, "HOME": home}
    assert "A" not in os.environ


def test_what_was_set_is_there_after_a_cell_is_undone_and_after_a_runner_is_lost(
    make_jailed: MakeExecutor,
) -> None:
    for on_fault in ("rollback", "keep"):
        executor = make_jailed(policy=Policy(language="off"), on_fault=on_fault)
        executor("x = 1")
        executor.set_environment({"A": "set"})
        assert executor.run("import os\nos.environ['A'] = 'by code'\nos._exit(1)").fault == "crash"
        assert executor(LOOK).output["A"] == "set"


def test_forks_have_it_and_part_from_then_on(executor: LocalPythonExecutor) -> None:
    executor.set_environment({"A": "both"})
    with executor.fork() as fork:
        fork.set_environment({"B": "fork"})
        assert (executor(LOOK).output["B"], fork(LOOK).output["A"], fork(LOOK).output["B"]) == (
            None,
            "both",
            "fork",
        )
        assert fork.run("import os\nos._exit(1)").rolled_back
        assert fork(LOOK).output["B"] == "fork"


@pytest.mark.parametrize(
    "variables",
    [
        {"": "x"},
        {"A=B": "x"},
        {"A\0": "x"},
        {"A": "x\0"},
        {"A": 1},
        {1: "x"},
        {"A": "x" * (2 << 20)},
        [("A", "x")],
        "A=x",
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_environment_is_refused_in_words(
    make_jailed: MakeExecutor, variables: Any
) -> None:
    executor = make_jailed()
    with pytest.raises(PolicyError, match="environment"):
        executor.set_environment(variables)
    assert executor("1").output == 1
