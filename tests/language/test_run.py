"""A session: what a cell costs, keeps, prints and survives."""

from __future__ import annotations

import gc
import time

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy
from fumehood.language import magics
from fumehood.language.guarded.session import InlineSession
from fumehood.wire.output import BoundedText
from fumehood.wire.show import bounded_repr

# -- hostile values, big and deep things

ENDINGS = {
    "raise SystemExit('bye')": "SystemExit",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "raise GeneratorExit": "GeneratorExit",
    "exit('bye')": "SystemExit",
    "import sys\nsys.exit(3)": "SystemExit",
    "class E(Exception):\n    def __str__(self): raise KeyboardInterrupt\nraise E": "E",
    "class E(Exception):\n    def __str__(self): return 3\nraise E": "E",
    "print(10 ** 5000)": "ValueError",
    "def f(): return f()\nf()": "RecursionError",
    "x = []\nfor _ in range(100_000): x = [x]\nrepr(x)": "RecursionError",
    "class R:\n    def __repr__(self): raise SystemExit(1)\nprint(R())": "SystemExit",
    "(" * 5000 + ")" * 5000: "SyntaxError",
    "x = " + "-" * 100_000 + "1": "SyntaxError",
    "x" + ".a" * 100_000: "SyntaxError",
    "+".join(["1"] * 100_000): "SyntaxError",
    "\0": "SyntaxError",
    "\ud800": "SyntaxError",
    "def f(:": "SyntaxError",
    "return 1": "SyntaxError",
    "from __future__ import nonsense": "SyntaxError",
    "x = 1\nfrom __future__ import annotations": "SyntaxError",
    "bytearray(10 ** 15)": "MemoryError",
}


@pytest.mark.parametrize("code", ENDINGS, ids=lambda code: code[:30])
def test_a_bad_end_is_an_error_result_and_the_host_lives(code: str) -> None:
    executor = LocalPythonExecutor(isolation="inline")
    execution = executor.run(code)
    assert execution.error.type == ENDINGS[code]
    assert executor.run("'alive'").value == "alive"


@pytest.mark.parametrize("code", ["exit()", "import sys\nsys.exit(0)", "raise SystemExit"])
def test_code_that_leaves_without_an_error_has_none(code: str) -> None:
    execution = LocalPythonExecutor(isolation="inline").run(
        f"print('before')\n{code}\nprint('after')"
    )
    assert (execution.error, execution.logs) == (None, "before\n")


@pytest.mark.parametrize(
    "code",
    [
        "10 ** 5000",
        "class R:\n    def __repr__(self): raise SystemExit\nR()",
        "x = []\nx.append(x)\nx",
    ],
)
def test_an_unprintable_value_is_still_a_value(code: str) -> None:
    execution = LocalPythonExecutor(isolation="inline").run(code)
    assert execution.error is None
    assert 0 < len(bounded_repr(execution.value, 200)) <= 200


def test_a_source_over_the_limit_is_refused_without_being_parsed() -> None:
    executor = LocalPythonExecutor(
        isolation="inline", policy=Policy(limits=Limits(source_characters=100))
    )
    assert "limit is 100" in executor.run("x = 1\n" * 100).error.message


def test_a_long_expression_that_cpython_takes_is_taken() -> None:
    source = "+".join(["1"] * 900)
    assert LocalPythonExecutor(isolation="inline").run(source).value == eval(source)


def test_a_long_chain_of_branches_is_taken() -> None:
    source = (
        "n = 1400\nif n == 0: 'a'\n"
        + "".join(f"elif n == {i}: {i}\n" for i in range(1, 900))
        + "else: 'last'"
    )
    assert LocalPythonExecutor(isolation="inline").run(source).value == "last"


# -- output


def test_output_keeps_its_head_and_its_tail_and_says_how_much_was_cut() -> None:
    executor = LocalPythonExecutor(max_print_outputs_length=100, isolation="inline")
    logs = executor.run("for i in range(1000): print(i)").logs
    assert logs.startswith("0\n1\n2\n")
    assert logs.endswith("998\n999\n")
    assert "3,790 characters cut" in logs


@pytest.mark.parametrize(
    "sizes", [[10], [50, 50], [1] * 300, [99, 1], [1000], [30, 200, 5], [100], [101]]
)
def test_no_character_is_lost_that_is_not_counted(sizes: list[int]) -> None:
    buffer = BoundedText(100)
    text = ""
    for number, size in enumerate(sizes):
        part = chr(97 + number % 26) * size
        text += part
        buffer.write(part)
    made = buffer.getvalue()
    if len(text) <= 100:
        assert made == text
    else:
        head, note, tail = made[:50], made[50:-50], made[-50:]
        assert (head, tail) == (text[:50], text[-50:])
        assert note == f"\n... {len(text) - 100:,} characters cut ...\n"


def test_many_prints_cost_no_more_than_their_number() -> None:
    """Counted in the pieces kept, not in seconds."""
    buffer = BoundedText(1000)
    for _ in range(100_000):
        buffer.write("x")
    assert len(buffer._head) + len(buffer._tail) <= 1000


def test_what_libraries_print_is_caught_and_what_the_host_prints_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    executor = LocalPythonExecutor(isolation="inline")
    executor.send_tools({"host": lambda: print("from the host's tool")})
    logs = executor.run(
        "import pprint, sys\npprint.pprint([1])\nprint('err', file=sys.stderr)\nhost()"
    ).logs
    assert logs == "[1]\nerr\nfrom the host's tool\n"
    print("after")
    assert capsys.readouterr().out == "after\n"


def test_streams_can_be_redirected_by_code() -> None:
    code = (
        "import io, contextlib, sys\nb = io.StringIO()\nwith contextlib.redirect_stdout(b):\n   "
        " print('in')\nprint('out')\nb.getvalue()"
    )
    execution = LocalPythonExecutor(isolation="inline").run(code)
    assert (execution.value, execution.logs) == ("in\n", "out\n")


# -- memory


def test_sessions_leave_nothing_behind() -> None:
    def count() -> int:
        gc.collect()
        return sum(type(thing) is InlineSession for thing in gc.get_objects())

    before = count()
    for _ in range(20):
        LocalPythonExecutor(isolation="inline").run(
            "import json, asyncio\nclass A: pass\nx = [A() for _ in"
            " range(10)]\nasyncio.run(asyncio.sleep(0))"
        )
    deadline = time.monotonic() + 60
    while count() > before + 1:  # threads of theirs may still be ending
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_traceback_of_many_frames_is_short() -> None:
    executor = LocalPythonExecutor(isolation="inline")
    text = executor.run("def a(n): return b(n)\ndef b(n): return a(n + 1)\na(0)").error.traceback
    assert len(text.splitlines()) < 120
    assert "more frames" in text
    assert "repeated" in executor.run("def f(): return f()\nf()").error.traceback


@pytest.mark.parametrize("cell", ["f(a=1, a=2)", "x = = 1", "'\\ud800'\n\ud800", "(" * 300, "x\0"])
def test_a_syntax_error_tells_nothing_of_what_the_host_was_handling(cell: str) -> None:
    session = InlineSession(Policy())
    try:
        raise LookupError("the password is swordfish")
    except LookupError:
        execution = session.run(cell)
    assert execution.error is not None
    assert execution.error.type == "SyntaxError"
    assert "swordfish" not in execution.error.traceback


@pytest.mark.parametrize(
    ("stands_for", "refused"),
    [
        ("types.GenericAlias(object, ())", "__getattribute__"),
        ("list[int]", "__getattribute__"),
        ("types.MethodType(type, 1)", "__subclasses__"),
        ("types.MethodType(types.GenericAlias(type, ()), 1)", "__subclasses__"),
        ("super(enum.EnumMeta, enum.Enum)", "__reduce_ex__"),
    ],
)
@pytest.mark.parametrize(
    "read",
    ["{0}.__dict__", "vars({0})", "getattr({0}, '__dict__')", "({0}).__getattribute__('__dict__')"],
)
def test_what_stands_for_a_class_does_not_show_more_of_it_than_the_class_does(
    stands_for: str, refused: str, read: str
) -> None:
    execution = InlineSession(Policy()).run(
        f"import enum, types\nfound = {read.format(stands_for)}\n[{refused!r} in found, len(found)"
        " > 3]"
    )
    assert execution.error is not None or execution.value == [False, True], execution.value


def test_the_variables_of_a_library_s_function_are_a_copy_by_way_of_its_methods_too() -> None:
    from collections import Counter

    InlineSession(Policy()).run(
        "import collections\nvars(collections.Counter().most_common)['left'] = 1"
    )
    assert vars(Counter.most_common) == {}


@pytest.mark.parametrize(
    "text",
    ["lambda: " * 3000 + "1", "(" * 3000 + ")" * 3000, "x" + ".a" * 5000, "[x for x in " * 500],
)
def test_whatever_is_nested_too_deeply_is_a_syntax_error_or_runs(text: str) -> None:
    execution = InlineSession(Policy()).run(text)
    assert execution.error is not None
    assert execution.error.type in ("SyntaxError", "NameError")


NEEDS = {
    "open('data.csv')": "files=True",
    "import multiprocessing\nmultiprocessing.Manager()": "programs=True",
    "import socket\nsocket.socket()": "programs=True",
    "open('/proc/meminfo')": "no capability shows a sandbox /proc/meminfo",
}


def test_what_a_sandbox_lacks_fails_with_a_line_that_names_the_capability() -> None:
    with LocalPythonExecutor(["multiprocessing", "socket"]) as executor:
        for code, line in NEEDS.items():
            error = executor.run(code).error
            assert error is not None and line in error.message.splitlines()[-1], (code, error)


def test_a_cell_that_registers_with_atexit_reads_that_it_has_no_effect() -> None:
    with LocalPythonExecutor(["atexit"]) as executor:
        assert "do not run" in executor.run("import atexit\natexit.register(print)").logs
        assert executor.run("import logging, concurrent.futures").logs == ""


def test_a_syntax_error_with_long_names_is_told_at_once() -> None:
    code = "def a_function_whose_name_is_very_long_and_without_its_colon(first, second)\n    pass"
    error = InlineSession(Policy()).run(code).error
    assert error is not None and error.type == "SyntaxError"
    assert magics.translate(code) == code
    assert magics.translate("names, others[0] = !ls") == "names, others[0] = __magic__('sx', 'ls')"
