"""evaluate_python_code, BASE_PYTHON_TOOLS and fix_final_answer_code, as the specification shows
them."""

from __future__ import annotations

import pytest

from fumehood import (
    BASE_PYTHON_TOOLS,
    InterpreterError,
    evaluate_python_code,
    fix_final_answer_code,
)


def test_it_gives_the_value_and_whether_it_is_final() -> None:
    state: dict[str, object] = {"x": 20}
    result = evaluate_python_code(
        code="y = x + 1\nprint('got', y)\nfinal_answer(y * 2)",
        static_tools={**BASE_PYTHON_TOOLS},
        custom_tools={},
        state=state,
        authorized_imports=["math"],
        max_print_outputs_length=1000,
    )
    assert result == (42, True)
    assert state["y"] == 21
    assert state["_print_outputs"] == "got 21\n"


def test_state_and_custom_tools_carry_over() -> None:
    state: dict[str, object] = {}
    tools: dict[str, object] = {}
    evaluate_python_code("def double(x):\n    return 2 * x\nn = 4", None, tools, state)
    assert set(tools) == {"double"}
    assert evaluate_python_code("double(n)", None, tools, state) == (8, False)
    assert "__builtins__" not in state


def test_only_the_authorized_imports_can_be_imported() -> None:
    assert evaluate_python_code("import math\nmath.floor(2.5)", authorized_imports=["math"])[0] == 2
    with pytest.raises(InterpreterError, match="random: this module is not authorized"):
        evaluate_python_code("import random", authorized_imports=["math"])


def test_an_error_of_the_code_is_an_interpreter_error_and_the_state_keeps_the_logs() -> None:
    state: dict[str, object] = {}
    with pytest.raises(InterpreterError, match="ZeroDivisionError"):
        evaluate_python_code("print('before')\n1 / 0", state=state)
    assert state["_print_outputs"] == "before\n"


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("final_answer = 5", 5),
        ("final_answer = 5\nprint(final_answer)", 5),
        ("x = 2\nfinal_answer = x * 3", 6),
        ("final_answer = 1\nfinal_answer(final_answer + 1)", 2),
        ("if True:\n    final_answer = 'inner'\nelse:\n    final_answer = 'other'", "inner"),
        ("for i in range(3):\n    final_answer = i", 2),
        (
            "try:\n    final_answer = 1 / 0\nexcept ZeroDivisionError:\n    final_answer = 'none'",
            "none",
        ),
        ("final_answer: int = 7", 7),
        ("é = 'ü'; final_answer = é + '!'", "ü!"),
        ("final_answer(9)", 9),
    ],
)
def test_assigning_to_final_answer_gives_the_answer(code: str, answer: object) -> None:
    fixed = fix_final_answer_code(code)
    assert evaluate_python_code(fixed) == (answer, True)


@pytest.mark.parametrize(
    "code",
    [
        "text = 'final_answer = 3'",
        "# final_answer = 3\nx = 1",
        "def f():\n    final_answer = 3\n    return final_answer",
        "x = 1",
        "this is not python = 3",
        "final_answer(3)",
    ],
)
def test_code_with_nothing_to_mend_comes_back_as_it_is(code: str) -> None:
    assert fix_final_answer_code(code) == code
