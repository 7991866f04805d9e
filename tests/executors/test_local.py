"""LocalPythonExecutor, inline: what the specification shows, and what a caller may do with it."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import threading
import warnings

import pytest

from fumehood import (
    CodeRaised,
    CodeRefused,
    DangerousImport,
    Execution,
    InterpreterError,
    JailUnavailable,
    LimitReached,
    Limits,
    LocalPythonExecutor,
    Policy,
    PolicyError,
    PythonExecutor,
    SandboxFailed,
    ToolError,
)

from .conftest import skip_where_there_is_no_jail


@pytest.fixture
def executor() -> LocalPythonExecutor:
    return LocalPythonExecutor(isolation="inline")


# -- as the specification shows it


def test_calling_it_gives_output_logs_and_whether_it_is_final(
    executor: LocalPythonExecutor,
) -> None:
    output, logs, is_final = executor(
        "result = 5 * 10\nprint(f'The intermediate result is: {result}')\nfinal_answer(result)"
    )
    assert (output, logs, is_final) == (50, "The intermediate result is: 50\n", True)


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


def test_variables_stay_from_cell_to_cell(executor: LocalPythonExecutor) -> None:
    executor("x = 5")
    assert executor.run("x").ok
    assert executor("x + 1").output == 6
    assert executor.state["x"] == 5


def test_sent_variables_are_there(executor: LocalPythonExecutor) -> None:
    executor.send_variables({"data": [1, 2, 3]})
    assert executor("sum(data)").output == 6


def test_sent_tools_can_be_called_and_come_with_the_base_tools(
    executor: LocalPythonExecutor,
) -> None:
    assert executor.static_tools is None
    executor.send_tools({"double": lambda x: 2 * x})
    assert executor("double(sqrt(16))").output == 8
    assert {"double", "len", "sqrt"} <= set(executor.static_tools)


def test_functions_that_code_defines_are_its_custom_tools(executor: LocalPythonExecutor) -> None:
    executor("def f(x):\n    return x + 1")
    assert executor.custom_tools["f"](1) == 2


def test_the_logs_are_in_the_state(executor: LocalPythonExecutor) -> None:
    executor("print('hello')")
    assert str(executor.state.get("_print_outputs", "")) == "hello\n"


def test_it_is_a_python_executor_and_a_context_manager() -> None:
    with LocalPythonExecutor(isolation="inline") as executor:
        assert isinstance(executor, PythonExecutor)
        assert executor("1").output == 1
    with pytest.raises(SandboxFailed, match="closed"):
        executor.run("1")
    executor.close()


def test_code_that_catches_the_final_answer_changes_nothing(executor: LocalPythonExecutor) -> None:
    catching = (
        "try:\n    final_answer({})\nexcept BaseException as e:\n    print(type(e).__name__)\n"
    )
    code = catching.format(1) + catching.format(2) + "1 / 0"
    assert tuple(executor(code)) == (1, "FinalAnswerException\n" * 2, True)


# -- isolation


def test_the_default_is_the_jail() -> None:
    try:
        with LocalPythonExecutor() as executor:
            assert executor.report().startswith("isolation: jail")
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise


def test_the_report_says_what_inline_does_not_stop(executor: LocalPythonExecutor) -> None:
    for words in ("inline", "C call", "memory", "finalizers", "No rollback"):
        assert words in executor.report()


# -- errors


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("1 / 0", CodeRaised),
        ("import subprocess", CodeRefused),
        ("x.__globals__", CodeRefused),
        ("x = (", CodeRaised),
        ("raise SystemExit(3)", CodeRaised),
    ],
)
def test_the_type_of_the_error_says_whose_fault_it_is(
    executor: LocalPythonExecutor, code: str, kind: type[InterpreterError]
) -> None:
    with pytest.raises(InterpreterError) as caught:
        executor(code)
    assert type(caught.value) is kind
    assert caught.value.execution is not None
    assert executor("1").output == 1


def test_a_time_limit_is_a_limit_reached() -> None:
    executor = LocalPythonExecutor(isolation="inline", timeout_seconds=0.1)
    with pytest.raises(LimitReached) as caught:
        executor("print('before')\nwhile True: pass")
    assert (caught.value.fault, caught.value.logs) == ("timeout", "before\n")


def test_a_refusal_lists_every_violation_with_its_line(executor: LocalPythonExecutor) -> None:
    with pytest.raises(CodeRefused) as caught:
        executor("import os.system\nimport socket\nx.__code__\nopen('f')")
    assert [violation.line for violation in caught.value.violations] == [1, 2, 3, 4]
    assert "authorized imports:" in str(caught.value)


def test_an_error_shows_the_line_with_carets_and_no_frames_but_the_code_s_own(
    executor: LocalPythonExecutor,
) -> None:
    execution = executor.run("def f(x):\n    return 10 + 1 / x\n\nf(0)")
    assert execution.error.type == "ZeroDivisionError"
    assert execution.error.line == 2
    assert execution.error.traceback.splitlines() == [
        "Traceback (most recent call last):",
        "  cell 1, line 4, in <module>",
        "    f(0)",
        "  cell 1, line 2, in f",
        "    return 10 + 1 / x",
        "                ^^^^^",
        "ZeroDivisionError: division by zero",
    ]


def test_a_misspelt_name_gets_a_suggestion(executor: LocalPythonExecutor) -> None:
    assert "Did you mean: 'total'?" in executor.run("total = 1\ntotl").error.traceback
    assert "Did you mean: 'append'?" in executor.run("[].apend(1)").error.traceback


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


@pytest.mark.parametrize("name", ["not an identifier", "__builtins__", 3, "a.b"])
def test_variables_need_usable_names(executor: LocalPythonExecutor, name: object) -> None:
    with pytest.raises(PolicyError):
        executor.send_variables({name: 1})  # type: ignore[dict-item]


@pytest.mark.parametrize("code", [None, 3, b"1", ["x"]])
def test_code_that_is_not_a_string_is_an_error_result(
    executor: LocalPythonExecutor, code: object
) -> None:
    execution = executor.run(code)  # type: ignore[arg-type]
    assert execution.error.type == "SyntaxError"
    assert "must be a string" in execution.error.message


# -- tools


def test_a_tool_s_name_can_be_used_for_a_variable_and_comes_back(
    executor: LocalPythonExecutor,
) -> None:
    executor.send_tools({"search": lambda q: f"found {q}"})
    assert executor("search = 5\nsearch").output == 5
    assert executor("del search\nsearch('x')").output == "found x"


def test_a_tool_s_exception_comes_back_with_type_and_message_and_nothing_of_the_host(
    executor: LocalPythonExecutor,
) -> None:
    class Trouble(Exception):
        pass

    def fails(kind: str) -> None:
        raise {"value": ValueError("bad value"), "own": Trouble("own trouble", object())}[kind]

    executor.send_tools({"fails": fails})
    code = (
        "try:\n    fails({!r})\nexcept Exception as e:\n    r = type(e).__name__, e.args,"
        " e.__context__, e.__cause__\nr"
    )
    assert executor(code.format("value")).output == ("ValueError", ("bad value",), None, None)
    assert executor(code.format("own")).output == (
        "RuntimeError",
        ("Trouble: own trouble",),
        None,
        None,
    )


def test_an_asynchronous_tool_works_as_a_plain_one_and_awaited(
    executor: LocalPythonExecutor,
) -> None:
    async def fetch(x: int) -> int:
        await asyncio.sleep(0)
        return x + 1

    executor.send_tools({"fetch": fetch})
    assert executor("fetch(1)").output == 2
    assert executor("import asyncio\nawait asyncio.gather(fetch.aio(1), fetch.aio(2))").output == [
        2,
        3,
    ]


def test_tools_see_the_caller_s_context_and_code_does_not(executor: LocalPythonExecutor) -> None:
    variable = contextvars.ContextVar("variable", default="nothing")
    variable.set("the caller's")
    executor.send_tools({"read": variable.get})
    assert executor("read()").output == "the caller's"


def test_tool_calls_are_listed(executor: LocalPythonExecutor) -> None:
    executor.send_tools({"a": lambda: 1, "b": lambda: 2})
    assert executor.run("a(); b(); a()").tool_calls == ("a", "b", "a")


def test_a_final_answer_tool_shapes_the_answer(executor: LocalPythonExecutor) -> None:
    executor.send_tools({"final_answer": lambda answer: f"<{answer}>"})
    execution = executor.run("final_answer(3)\nprint('never')")
    assert (execution.value, execution.is_final_answer, execution.logs) == ("<3>", True, "")


@pytest.mark.parametrize("tools", [{"x": 3}, {"no name": print}])
def test_what_is_not_a_tool_is_an_error(
    executor: LocalPythonExecutor, tools: dict[str, object]
) -> None:
    with pytest.raises((ToolError, PolicyError)):
        executor.send_tools(tools)


def test_a_tool_that_runs_code_in_the_same_executor_gets_a_clear_error(
    executor: LocalPythonExecutor,
) -> None:
    executor.send_tools({"again": lambda: executor.run("1")})
    assert "an executor of its own" in executor.run("again()").error.message


def test_additional_functions_are_tools() -> None:
    executor = LocalPythonExecutor(
        isolation="inline", additional_functions={"triple": lambda x: 3 * x}
    )
    assert executor("triple(2)").output == 6


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


def test_it_works_inside_a_running_event_loop_and_leaves_it_alone() -> None:
    async def main() -> tuple[object, object, bool]:
        async with LocalPythonExecutor(isolation="inline") as executor:
            here = executor.run("import asyncio\nasyncio.run(asyncio.sleep(0, 'inner'))").value
            there = (await executor.arun("import asyncio\nawait asyncio.sleep(0, 'thread')")).value
            return here, there, asyncio.get_running_loop().is_running()

    assert asyncio.run(main()) == ("inner", "thread", True)


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
