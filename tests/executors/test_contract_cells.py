"""What every executor promises of a cell: its value, its variables, its errors, its end."""

from __future__ import annotations

import asyncio
import math
import threading

import pytest

from fumehood import (
    CodeRaised,
    CodeRefused,
    InterpreterError,
    LimitReached,
    LocalPythonExecutor,
    Policy,
    PythonExecutor,
    SandboxFailed,
)

from .conftest import MakeExecutor

# -- values


CELLS_AND_VALUES: list[tuple[str, object]] = [
    ("1 + 1", 2),
    ("x = 3", 3),
    ("x = y = [1]", [1]),
    ("x: int = 5", 5),
    ("x = 1\nx += 4", 5),
    ("a, b = 1, 2", (1, 2)),
    ("if True:\n    'inner'", "inner"),
    ("for i in range(3):\n    i * 10", 20),
    ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    'caught'", "caught"),
    ("pass", None),
    ("", None),
    ("# nothing but a comment", None),
    ("def f(): return 1", None),
    ("import math", None),
    ("print('x')", None),
    ("import asyncio\nawait asyncio.sleep(0, 'awaited')", "awaited"),
    ("import asyncio\nx = await asyncio.sleep(0, 20)\nx + 2", 22),
    ("[i for i in range(3)]", [0, 1, 2]),
    ("10 ** 40", 10**40),
    ("-(2 ** 63)", -(2**63)),
    ("2 ** 63 - 1", 2**63 - 1),
    ("float('inf')", math.inf),
    ("1.5e-300", 1.5e-300),
    ("1 - 2j", 1 - 2j),
    ("'gr\\u00fc\\u00df \\U0001f40d'", "grüß 🐍"),
    ("'\\ud800'", "\ud800"),
    ("b'\\x00\\xff'", b"\x00\xff"),
    ("bytearray(b'ab')", bytearray(b"ab")),
    ("(1, [2, {3: {4}}])", (1, [2, {3: {4}}])),
    ("frozenset({1, 2})", frozenset({1, 2})),
    ("{(1, 2): None, None: True}", {(1, 2): None, None: True}),
    ("range(1, 10, 3)", range(1, 10, 3)),
    ("slice(1, None, 2)", slice(1, None, 2)),
    ("...", ...),
    ("True", True),
]


def test_the_value_of_a_cell_is_that_of_its_last_statement(executor: LocalPythonExecutor) -> None:
    wrong = {}
    for code, value in CELLS_AND_VALUES:
        execution = executor.run(code)
        seen = execution.error or execution.value
        if seen != value or type(seen) is not type(value):
            wrong[code] = seen
    assert wrong == {}


def test_a_nan_stays_a_nan_and_a_negative_zero_negative(executor: LocalPythonExecutor) -> None:
    nan, zero = executor("float('nan'), -0.0").output
    assert math.isnan(nan)
    assert math.copysign(1, zero) == -1


def test_parts_that_are_one_object_come_back_as_one_object(executor: LocalPythonExecutor) -> None:
    first, second = executor("shared = [1]\n(shared, shared)").output
    assert first is second


def test_a_list_that_holds_itself_comes_back_so(executor: LocalPythonExecutor) -> None:
    loop = executor("loop = []\nloop.append(loop)\nloop").output
    assert loop[0] is loop


def test_what_cannot_be_copied_comes_back_as_something_with_its_repr(
    executor: LocalPythonExecutor,
) -> None:
    value = executor(
        "class Thing:\n    def __repr__(self): return 'the thing'\n(lambda: 0, Thing())"
    ).output
    assert "lambda" in repr(value[0])
    assert "the thing" in repr(value[1]) or "Thing" in repr(value[1])


def test_a_value_whose_repr_raises_does_no_harm(executor: LocalPythonExecutor) -> None:
    execution = executor.run(
        "class Bad:\n    def __repr__(self): raise ValueError('no repr')\nbad = Bad()\nf = lambda:"
        " bad\nbad.f = f\nbad"
    )
    assert execution.error is None
    assert executor("1").output == 1


# -- variables


def test_variables_functions_and_classes_are_kept(executor: LocalPythonExecutor) -> None:
    executor("import json\nn = 2\ndef double(x): return n * x\nclass P:\n    z = 7")
    assert executor("json.dumps([double(4), P.z])").output == "[8, 7]"


def test_variables_of_a_cell_that_raised_are_kept_up_to_there(
    executor: LocalPythonExecutor,
) -> None:
    assert executor.run("a = 1\n1 / 0\nb = 2").error is not None
    assert executor("a").output == 1
    assert executor.run("b").error.type == "NameError"


def test_two_executors_share_nothing(make_executor: MakeExecutor) -> None:
    one, other = make_executor(), make_executor()
    one("x = 1\nimport collections\ncollections.mine = 1")
    assert other.run("x").error.type == "NameError"
    assert other.run("import collections\ncollections.mine").error is not None


# -- the final answer


def test_a_final_answer_ends_the_cell_and_is_its_value(executor: LocalPythonExecutor) -> None:
    execution = executor.run("print('before')\nfinal_answer({'a': [1]})\nprint('after')")
    assert (execution.value, execution.is_final_answer, execution.logs, execution.error) == (
        {"a": [1]},
        True,
        "before\n",
        None,
    )


def test_a_caught_final_answer_stands(executor: LocalPythonExecutor) -> None:
    execution = executor.run(
        "try:\n    final_answer(1)\nexcept BaseException:\n    pass\nfinal_answer(2)"
    )
    assert (execution.value, execution.is_final_answer) == (1, True)


def test_a_final_answer_of_none_is_final(executor: LocalPythonExecutor) -> None:
    execution = executor.run("final_answer(None)")
    assert (execution.value, execution.is_final_answer) == (None, True)


def test_a_cell_without_final_answer_is_not_final_after_one_with(
    executor: LocalPythonExecutor,
) -> None:
    executor("final_answer(1)")
    assert executor.run("2").is_final_answer is False


# -- errors


@pytest.mark.parametrize(
    ("code", "kind", "error", "fault"),
    [
        ("1 / 0", CodeRaised, "ZeroDivisionError", None),
        ("x = (", CodeRaised, "SyntaxError", None),
        ("undefined", CodeRaised, "NameError", None),
        ("raise SystemExit(3)", CodeRaised, "SystemExit", None),
        ("raise KeyboardInterrupt", CodeRaised, "KeyboardInterrupt", None),
        ("class Own(Exception): pass\nraise Own('mine')", CodeRaised, "Own", None),
        ("raise ExceptionGroup('g', [ValueError(1)])", CodeRaised, "ExceptionGroup", None),
        ("def f(): f()\nf()", CodeRaised, "RecursionError", None),
        ("import subprocess", CodeRefused, None, "refused"),
        ("__import__('o' + 's').system", CodeRefused, None, "refused"),
    ],
)
def test_the_type_of_an_error_says_whose_fault_it_is(
    executor: LocalPythonExecutor,
    code: str,
    kind: type[InterpreterError],
    error: str | None,
    fault: str | None,
) -> None:
    with pytest.raises(InterpreterError) as caught:
        executor("print('said')\n" + code)
    assert type(caught.value) is kind
    execution = caught.value.execution
    assert execution is not None
    assert execution.fault == fault
    if error is not None:
        assert execution.error.type == error
    assert executor("1").output == 1


def test_an_error_has_its_line_and_the_frames_of_the_code_alone(
    executor: LocalPythonExecutor,
) -> None:
    error = executor.run("def f(x):\n    return 10 + 1 / x\n\nf(0)").error
    assert (error.type, error.message, error.line) == ("ZeroDivisionError", "division by zero", 2)
    assert error.traceback.splitlines() == [
        "Traceback (most recent call last):",
        "  cell 1, line 4, in <module>",
        "    f(0)",
        "  cell 1, line 2, in f",
        "    return 10 + 1 / x",
        "                ^^^^^",
        "ZeroDivisionError: division by zero",
    ]


def test_a_traceback_through_an_earlier_cell_shows_that_cell(executor: LocalPythonExecutor) -> None:
    executor("def f():\n    return missing")
    text = executor.run("f()").error.traceback
    assert "cell 2, line 1" in text
    assert "cell 1, line 2, in f" in text
    assert "return missing" in text


def test_a_refusal_lists_every_violation_with_its_line_and_nothing_runs(
    executor: LocalPythonExecutor,
) -> None:
    execution = executor.run("print('ran')\nimport socket\ndef f():\n    import ctypes, shutil")
    assert [violation.line for violation in execution.violations] == [2, 4, 4]
    assert all(
        violation.reason and violation.rule and violation.name for violation in execution.violations
    )
    assert execution.logs == ""


def test_a_refusal_while_running_is_a_refusal_and_can_be_caught(
    executor: LocalPythonExecutor,
) -> None:
    refused = executor.run("print('ran')\nname = 'sub' + 'process'\n__import__(name)")
    assert (refused.fault, refused.logs) == ("refused", "ran\n")
    assert (
        executor("try:\n    __import__(name)\nexcept ImportError as e:\n    r = 'caught'\nr").output
        == "caught"
    )


def test_the_guarded_language_refuses_names_and_attributes(make_executor: MakeExecutor) -> None:
    executor = make_executor(policy=Policy(language="guarded"))
    for code in (
        "x.__globals__",
        "().__class__.__base__.__subclasses__()",
        "getattr(int, '__sub' + 'classes__')()",
    ):
        with pytest.raises(CodeRefused):
            executor(code)
    execution = executor.run("print('ran')\nimport socket\nx.__code__\nimport ctypes")
    assert [violation.line for violation in execution.violations] == [2, 3, 4]
    assert execution.logs == ""


def test_an_import_that_is_authorized_works_and_is_listed(make_executor: MakeExecutor) -> None:
    executor = make_executor(["xml"])
    execution = executor.run("import xml.dom, json\nxml.dom.Node.TEXT_NODE")
    assert execution.value == 3
    assert {"xml.dom", "json"} <= set(execution.imports)
    assert executor.run("import ftplib").fault == "refused"


def test_very_long_code_is_refused_and_not_parsed(executor: LocalPythonExecutor) -> None:
    execution = executor.run("1;" * 1_500_000)
    assert execution.error is not None
    assert executor("1").output == 1


@pytest.mark.parametrize(
    "code",
    [
        "(" * 5000,
        "-" * 200_000 + "1",
        "x" + ".y" * 50_000,
        "\0",
        "\ud800",
        "\ufeff1",
        "if True:\n\t1\n        2",
    ],
)
def test_odd_source_text_is_an_error_or_a_value_and_never_more(
    executor: LocalPythonExecutor, code: str
) -> None:
    executor("kept = 1")
    executor.run(code)
    assert executor("kept").output == 1


# -- the time limit and interrupts


@pytest.mark.parametrize(
    "loop",
    [
        "while True: pass",
        "while True:\n    try:\n        while True: pass\n    except Exception: pass",
        "import time\ntime.sleep(1000)",
        "import itertools\nfor _ in itertools.count(): pass",
        "def f(n):\n    while True: n += 1\nf(1)",
        "import asyncio\nawait asyncio.sleep(1000)",
    ],
)
def test_a_cell_that_takes_too_long_is_stopped_and_undone_where_that_can_be(
    make_executor: MakeExecutor, place: str, loop: str
) -> None:
    executor = make_executor(timeout_seconds=1)
    executor.send_variables({"kept": [1]})
    with pytest.raises(LimitReached) as caught:
        executor(f"print('before')\nkept.append(2)\n{loop}")
    assert (caught.value.fault, caught.value.logs) == ("timeout", "before\n")
    can_go_back = (
        place in ("docker", "e2b", "ray")
        or place == "jail"
        and "absent    mount namespace" not in executor.report()
    )
    assert caught.value.execution.rolled_back is can_go_back
    assert executor.state["kept"] == ([1] if can_go_back else [1, 2])


def test_each_cell_has_all_of_the_time(make_executor: MakeExecutor) -> None:
    executor = make_executor(timeout_seconds=4)
    assert [executor(f"import time\ntime.sleep(1.4)\n{n}").output for n in range(3)] == [0, 1, 2]


def test_a_running_cell_is_interrupted_from_another_thread(make_executor: MakeExecutor) -> None:
    started = threading.Event()
    executor = make_executor(on_output=lambda text: started.set())
    results: list[object] = []
    thread = threading.Thread(
        target=lambda: results.append(
            executor.run("kept = 1\nprint('on', flush=True)\nwhile True: pass")
        )
    )
    thread.start()
    assert started.wait(60)
    assert executor.interrupt() is True
    thread.join(60)
    assert not thread.is_alive()
    assert results[0].fault == "killed"  # type: ignore[attr-defined]
    assert executor("kept").output == 1


def test_an_interrupt_without_a_cell_does_nothing_to_the_next(
    executor: LocalPythonExecutor,
) -> None:
    assert executor.interrupt() is False
    executor("x = 1")
    assert executor.interrupt() is False
    assert executor("x + 1").output == 2


# -- life


def test_closing_twice_is_harmless_and_use_after_it_is_a_clear_error(
    executor: LocalPythonExecutor,
) -> None:
    executor("x = 1")
    executor.close()
    executor.close()
    with pytest.raises(SandboxFailed, match="closed"):
        executor.run("x")
    with pytest.raises(SandboxFailed, match="closed"):
        executor("x")


def test_it_closes_at_the_end_of_a_with_block(make_executor: MakeExecutor) -> None:
    with make_executor() as executor:
        assert isinstance(executor, PythonExecutor)
        assert executor("1").output == 1
    with pytest.raises(SandboxFailed):
        executor.run("1")


def test_it_closes_at_the_end_of_an_async_with_block(make_executor: MakeExecutor) -> None:
    async def main() -> LocalPythonExecutor:
        async with make_executor() as executor:
            assert (await executor.arun("2 + 2")).value == 4
        return executor

    executor = asyncio.run(main())
    with pytest.raises(SandboxFailed):
        executor.run("1")


def test_a_cell_run_by_arun_leaves_the_event_loop_free(make_executor: MakeExecutor) -> None:
    async def main() -> list[str]:
        executor = make_executor()
        order: list[str] = []

        async def tick() -> None:
            order.append("tick")
            release.set()

        release = threading.Event()
        executor.send_tools({"wait": lambda: release.wait(60)})
        cell = asyncio.create_task(executor.arun("wait()"))
        ticking = asyncio.create_task(tick())
        assert (await cell).value is True
        await ticking
        return order

    assert asyncio.run(main()) == ["tick"]


def test_cancelling_arun_stops_the_cell_and_keeps_the_variables(
    make_executor: MakeExecutor,
) -> None:
    async def main() -> object:
        started = asyncio.Event()
        loop = asyncio.get_running_loop()
        executor = make_executor(on_output=lambda text: loop.call_soon_threadsafe(started.set))
        task = asyncio.create_task(
            executor.arun("kept = 5\nprint('on', flush=True)\nwhile True: pass")
        )
        await asyncio.wait_for(started.wait(), 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return (await executor.arun("kept")).value

    assert asyncio.run(main()) == 5


def test_threads_that_share_an_executor_take_turns(executor: LocalPythonExecutor) -> None:
    executor("count = 0")
    code = "now = count\nimport time\ntime.sleep(0.001)\ncount = now + 1"
    threads = [threading.Thread(target=executor.run, args=(code,)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert executor.state["count"] == 12


def test_many_executors_at_once_keep_everything_apart(make_executor: MakeExecutor) -> None:
    executors = [make_executor() for _ in range(12)]
    results: dict[int, list[tuple[object, str]]] = {}

    def work(number: int) -> None:
        executor = executors[number]
        executor(f"mine = {number}")
        results[number] = [tuple(executor(f"print(mine)\nmine * {n}"))[:2] for n in range(5)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(executors))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {
        number: [(number * n, f"{number}\n") for n in range(5)] for number in range(len(executors))
    }


def test_the_report_says_what_kind_of_isolation_it_is(
    executor: LocalPythonExecutor, place: str
) -> None:
    assert executor.report().startswith(f"isolation: {place}")


def test_usage_is_measured(executor: LocalPythonExecutor) -> None:
    usage = executor.run("sum(i * i for i in range(200_000))").usage
    assert usage.cpu_seconds > 0
    assert 0 < usage.wall_seconds < 30


@pytest.mark.parametrize(
    "code",
    [r"raise ValueError('half a pair: \ud83d')", r"raise type('E\udc00', (Exception,), {})()"],
)
def test_an_error_with_text_that_nothing_can_encode_is_an_error_like_any_other(
    executor: LocalPythonExecutor, code: str
) -> None:
    executor("kept = 1")
    execution = executor.run(code)
    assert execution.fault is None and execution.error is not None and execution.error.line == 1
    assert executor("kept").output == 1
