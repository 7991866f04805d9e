"""What every executor promises of printed output: all of it, in order, within bounds, as it
comes."""

from __future__ import annotations

import asyncio
import threading

import pytest

from fumehood import Execution, InterpreterError, LocalPythonExecutor, Policy

from .conftest import MakeExecutor


def test_both_streams_are_kept_in_the_order_of_writing(make_executor: MakeExecutor) -> None:
    executor = make_executor(policy=Policy(["sys"]))
    code = (
        "import sys\nfor i in range(5):\n    print('out', i)\n    print('err', i,"
        " file=sys.stderr)\n    sys.stdout.write('w')"
    )
    assert executor.run(code).logs == "".join(f"out {i}\nerr {i}\nw" for i in range(5))


@pytest.mark.parametrize(
    "text",
    ["grüß 🐍", "a\rb\tc", "\x1b[31mred", "no end", "\ud800", "\0", "x" * 9000, "\n" * 50],
    ids=lambda text: ascii(text)[:12],
)
def test_text_of_every_kind_is_printed(executor: LocalPythonExecutor, text: str) -> None:
    executor.send_variables({"text": text})
    logs = executor.run("print(text, end='')").logs
    assert logs in (text, text.encode("utf-8", "backslashreplace").decode())


def test_each_cell_has_its_own_output(executor: LocalPythonExecutor) -> None:
    assert [executor.run(f"print({n})").logs for n in range(5)] == [f"{n}\n" for n in range(5)]


def test_a_cell_s_output_is_there_when_it_raises_is_refused_or_is_final(
    executor: LocalPythonExecutor,
) -> None:
    assert executor.run("print('a')\n1 / 0").logs == "a\n"
    assert executor.run("print('b', end='')\ngetattr(int, '__sub' + 'classes__')").logs == "b"
    assert executor.run("print('c')\nfinal_answer(1)").logs == "c\n"


def test_long_output_keeps_head_and_tail_and_says_how_much_is_gone(
    make_executor: MakeExecutor,
) -> None:
    executor = make_executor([], 1000)
    logs = executor.run("for i in range(100_000): print(i)").logs
    assert logs.startswith("0\n1\n2\n")
    assert logs.endswith("99998\n99999\n")
    assert "characters cut" in logs
    assert len(logs) < 1100


def test_output_of_exactly_the_limit_is_not_cut(make_executor: MakeExecutor) -> None:
    executor = make_executor([], 100)
    assert executor.run("print('x' * 100, end='')").logs == "x" * 100
    assert "1 characters cut" in executor.run("print('x' * 101, end='')").logs


def test_output_is_handed_on_while_the_cell_runs(make_executor: MakeExecutor) -> None:
    came = threading.Event()
    pieces: list[str] = []

    def on_output(text: str) -> None:
        pieces.append(text)
        came.set()

    executor = make_executor(on_output=on_output)
    executor.send_tools({"wait": lambda: came.wait(60)})
    assert executor.run("print('first')\nok = wait()\nprint('second')\nok").value is True
    assert "".join(pieces) == "first\nsecond\n"


def test_what_is_handed_on_is_whole_even_where_the_kept_text_is_cut(
    make_executor: MakeExecutor,
) -> None:
    pieces: list[str] = []
    executor = make_executor([], 50, on_output=pieces.append)
    executor("for i in range(3000): print('line', i)")
    assert "".join(pieces) == "".join(f"line {i}\n" for i in range(3000))


def test_characters_are_never_split_between_pieces(make_executor: MakeExecutor) -> None:
    pieces: list[str] = []
    executor = make_executor(on_output=pieces.append)
    executor("print('🐍ü' * 100_000)")
    assert "".join(pieces) == "🐍ü" * 100_000 + "\n"


def test_an_error_of_the_listener_is_the_caller_s_and_the_executor_goes_on(
    make_executor: MakeExecutor,
) -> None:
    def on_output(text: str) -> None:
        if "bad" in text:
            raise ValueError("of the listener")

    executor = make_executor(on_output=on_output)
    with pytest.raises(ValueError, match="of the listener"):
        executor.run("x = 1\nprint('bad')\nx = 2")
    assert executor.run("print('good')").logs == "good\n"


def test_a_hundred_thousand_lines_do_not_break_anything(executor: LocalPythonExecutor) -> None:
    logs = executor.run("for i in range(100_000): print('0123456789')").logs
    assert "characters cut" in logs


def test_standard_input_is_empty_or_absent(executor: LocalPythonExecutor) -> None:
    execution = executor.run("input()")
    assert execution.error is not None
    assert executor("1").output == 1


def test_streams_can_be_redirected_by_the_code(executor: LocalPythonExecutor) -> None:
    code = (
        "import io, contextlib\nb = io.StringIO()\nwith contextlib.redirect_stdout(b):\n   "
        " print('inside')\nprint('outside')\nb.getvalue()"
    )
    execution = executor.run(code)
    assert (execution.value, execution.logs) == ("inside\n", "outside\n")


def test_a_warning_goes_to_the_output(executor: LocalPythonExecutor) -> None:
    assert "careful" in executor.run("import warnings\nwarnings.warn('careful')").logs


# -- the result


def test_every_way_to_run_a_cell_gives_the_same_type(executor: LocalPythonExecutor) -> None:
    for execution in (
        executor("print('p')\n5"),
        executor.run("print('p')\n5"),
        asyncio.run(executor.arun("print('p')\n5")),
    ):
        assert type(execution) is Execution
        output, logs, is_final = execution
        assert (output, logs, is_final) == (5, "p\n", False)
        assert execution.output == execution.value == 5 and execution.ok
    assert [*executor("final_answer([1])")] == [[1], "", True]


def test_a_call_that_fails_raises_an_error_that_has_the_execution(
    executor: LocalPythonExecutor,
) -> None:
    with pytest.raises(InterpreterError) as raised:
        executor("print('before')\n1 / 0")
    execution = raised.value.execution
    assert type(execution) is Execution and execution.error is not None
    assert (execution.logs, execution.error.type) == ("before\n", "ZeroDivisionError")


def test_what_is_shown_is_free_of_escapes_and_what_is_returned_is_not_changed(
    executor: LocalPythonExecutor,
) -> None:
    execution = executor.run("print('\\x1b[31mred')\n'\\x1b[2J\\ud800'")
    assert (execution.output, execution.logs) == ("\x1b[2J\ud800", "\x1b[31mred\n")
    for shown in (repr(execution), str(execution), *execution._repr_mimebundle_().values()):
        assert "\x1b" not in shown
        shown.encode()
