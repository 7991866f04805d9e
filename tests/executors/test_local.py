"""LocalPythonExecutor, inline: what the specification shows, and what a caller may do with it."""

from __future__ import annotations

import dataclasses
import threading
import warnings

import pytest

from fumehood import (
    DangerousImport,
    Execution,
    Limits,
    LocalPythonExecutor,
    Policy,
    PolicyError,
    PythonExecutor,
    SandboxFailed,
)


@pytest.fixture
def executor() -> LocalPythonExecutor:
    return LocalPythonExecutor(isolation="inline")


# -- as the specification shows it


def test_the_output_has_names_too(executor: LocalPythonExecutor) -> None:
    made = executor("1 + 1")
    assert isinstance(made, Execution)
    assert (made.output, made.logs, made.is_final_answer) == (2, "", False)


def test_imports_and_print_length_are_given_by_position() -> None:
    executor = LocalPythonExecutor(["xml"], 100, isolation="inline")
    assert executor.max_print_outputs_length == 100
    assert executor.additional_authorized_imports == ["xml"]
    assert {"xml", "math"} <= set(executor.authorized_imports)
    assert executor("import xml.dom\nxml.dom.Node.TEXT_NODE").output == 3


def test_it_is_a_python_executor_and_a_context_manager() -> None:
    with LocalPythonExecutor(isolation="inline") as executor:
        assert isinstance(executor, PythonExecutor)
        assert executor("1").output == 1
    with pytest.raises(SandboxFailed, match="closed"):
        executor.run("1")
    executor.close()


# -- isolation


def test_the_report_says_what_inline_does_not_stop(executor: LocalPythonExecutor) -> None:
    for words in ("inline", "C call", "memory", "finalizers", "No rollback"):
        assert words in executor.report()


# -- contradictions


@pytest.mark.parametrize(
    "arguments",
    [
        {"timeout_seconds": 5, "limits": Limits(cell_seconds=6)},
        {"timeout_seconds": 5, "policy": Policy()},
        {"max_print_outputs_length": 5, "limits": Limits()},
        {"additional_authorized_imports": ["xml"], "policy": Policy(imports=("tomllib",))},
        {"limits": Limits(cell_seconds=1), "policy": Policy()},
        {"isolation": "none"},
        {"on_fault": "retry"},
        {"on_error": "rollback"},
        {"additional_authorized_imports": "numpy"},
        {"additional_authorized_imports": ["surely_not_installed"]},
        {"timeout_seconds": -1},
        {"max_print_outputs_length": 0},
        {"policy": "strict"},
    ],
)
def test_arguments_that_contradict_each_other_or_make_no_sense_are_an_error(
    arguments: dict[str, object],
) -> None:
    with pytest.raises(PolicyError):
        LocalPythonExecutor(**{"isolation": "inline", **arguments})  # type: ignore[arg-type]


def test_arguments_that_agree_are_fine() -> None:
    policy = Policy(imports=("xml",), limits=Limits(cell_seconds=5))
    executor = LocalPythonExecutor(
        ["xml"], isolation="inline", timeout_seconds=5, policy=policy, limits=Limits(cell_seconds=5)
    )
    assert executor.policy == dataclasses.replace(policy, language="guarded")


def test_no_time_limit_can_be_asked_for() -> None:
    assert (
        LocalPythonExecutor(isolation="inline", timeout_seconds=None).policy.limits.cell_seconds
        is None
    )


def test_a_dangerous_import_warns_where_the_executor_is_made() -> None:
    with pytest.warns(DangerousImport, match="shell commands") as caught:
        LocalPythonExecutor(["subprocess"], isolation="inline")
    assert caught[0].filename == __file__


@pytest.mark.parametrize("code", [None, 3, b"1", ["x"]])
def test_code_that_is_not_a_string_is_an_error_result(
    executor: LocalPythonExecutor, code: object
) -> None:
    execution = executor.run(code)  # type: ignore[arg-type]
    assert execution.error.type == "SyntaxError"
    assert "must be a string" in execution.error.message


# -- many at once


def test_many_threads_use_many_executors_at_once_and_keep_their_output_apart() -> None:
    results: dict[int, tuple[object, str]] = {}

    def work(number: int) -> None:
        executor = LocalPythonExecutor(isolation="inline", timeout_seconds=20)
        for _ in range(5):
            made = executor.run(
                f"import json, random\nrandom.seed({number})\nprint({number})\nx = sum(range(2000))"
                f" + {number}"
            )
            results[number] = (made.value, made.logs)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: (1999000 + number, f"{number}\n") for number in range(8)}


def test_a_cell_does_not_change_the_host_s_warnings_streams_or_recursion_limit(
    executor: LocalPythonExecutor,
) -> None:
    import sys

    before = sys.stdout, sys.stderr, sys.getrecursionlimit(), list(warnings.filters)
    executor(
        "import sys,"
        " warnings\nsys.setrecursionlimit(5000)\nwarnings.simplefilter('error')\nprint('x',"
        " file=sys.stderr)"
    )
    assert before == (sys.stdout, sys.stderr, sys.getrecursionlimit(), list(warnings.filters))
    assert executor("sys.getrecursionlimit()").output == 5000
