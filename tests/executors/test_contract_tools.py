"""What every executor promises of tools: the host's functions, called from code."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import Any

import pytest

from fumehood import LocalPythonExecutor, Policy, PolicyError, ToolError

from .conftest import MakeExecutor, outcome_of
from .test_contract_variables import TRAVELLERS, differing


def test_tools_come_with_the_base_tools(executor: LocalPythonExecutor) -> None:
    executor.send_tools({"double": lambda x: 2 * x})
    assert executor("double(sqrt(16))").output == 8
    assert {"double", "len", "sqrt"} <= set(executor.static_tools)


def test_positional_named_and_starred_arguments_arrive_as_given(
    executor: LocalPythonExecutor,
) -> None:
    def tell(a: Any, /, b: Any, *rest: Any, c: Any = 3, **more: Any) -> Any:
        return a, b, rest, c, more

    executor.send_tools({"tell": tell})
    assert executor("tell(1, 2)").output == (1, 2, (), 3, {})
    assert executor("tell(1, b=2, c=4, d=5)").output == (1, 2, (), 4, {"d": 5})
    assert executor("tell(1, 2, *[3, 4], **{'c': 0, 'zz': 9})").output == (
        1,
        2,
        (3, 4),
        0,
        {"zz": 9},
    )


def test_arguments_and_results_of_every_kind_travel(executor: LocalPythonExecutor) -> None:
    seen: list[object] = []

    def swap(argument: Any) -> Any:
        seen.append(argument)
        return TRAVELLERS[len(seen) - 1]

    executor.send_tools({"swap": swap})
    executor.send_variables({"values": TRAVELLERS})
    results, differ = executor(
        "results = [swap(value) for value in values]\n"
        "differ = [(value, result) for value, result in zip(values, results)\n"
        "          if type(value) is not type(result) or value != result]\n"
        "results, differ"
    ).output
    assert differ == []
    assert differing(TRAVELLERS, results) == []
    assert differing(TRAVELLERS, seen) == []


@pytest.mark.parametrize("call", ["f()", "f(1, 2, 3)", "f(nope=1)", "f('a', y='b')"])
def test_a_call_that_does_not_fit_the_signature_raises_type_error_in_the_code(
    executor: LocalPythonExecutor, call: str
) -> None:
    def f(x: int, y: int = 0) -> int:
        return x + y

    executor.send_tools({"f": f})
    assert (
        executor(f"try:\n    {call}\nexcept TypeError as e:\n    r = 'caught'\nr").output
        == "caught"
    )
    assert executor("f(1, y=2)").output == 3


def test_an_exception_of_a_tool_is_raised_in_the_code_with_its_type_and_arguments(
    executor: LocalPythonExecutor,
) -> None:
    def fails(kind: str) -> None:
        raise {
            "value": ValueError("bad", 3),
            "key": KeyError("k"),
            "os": FileNotFoundError(2, "no such thing"),
        }[kind]

    executor.send_tools({"fails": fails})
    code = (
        "try:\n    fails({!r})\nexcept Exception as e:\n    r = type(e).__name__, e.args,"
        " e.__context__, e.__cause__\nr"
    )
    assert executor(code.format("value")).output == ("ValueError", ("bad", 3), None, None)
    assert executor(code.format("key")).output == ("KeyError", ("k",), None, None)
    assert executor(code.format("os")).output == (
        "FileNotFoundError",
        (2, "no such thing"),
        None,
        None,
    )


def test_an_exception_that_code_does_not_know_is_a_runtime_error_that_names_it(
    executor: LocalPythonExecutor,
) -> None:
    class Trouble(Exception):
        pass

    def fails() -> None:
        raise Trouble("own trouble")

    executor.send_tools({"fails": fails})
    assert (
        executor("try:\n    fails()\nexcept RuntimeError as e:\n    r = str(e)\nr").output
        == "Trouble: own trouble"
    )


@pytest.mark.parametrize(
    "kind", [SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError]
)
def test_a_tool_cannot_end_the_cell_with_an_exception_that_ends_programs(
    make_jailed: MakeExecutor, kind: type[BaseException]
) -> None:
    """In the jail only: inline, what ends the host's program ends it."""
    executor = make_jailed()

    def fails() -> None:
        raise kind("stop")

    executor.send_tools({"fails": fails})
    assert (
        executor("try:\n    fails()\nexcept Exception as e:\n    r = 'an error'\nr").output
        == "an error"
    )


def test_an_error_of_a_tool_that_is_not_caught_is_the_cell_s(executor: LocalPythonExecutor) -> None:
    def fails() -> None:
        raise ValueError("from the host")

    executor.send_tools({"fails": fails})
    error = executor.run("x = 1\nfails()").error
    assert (error.type, error.message, error.line) == ("ValueError", "from the host", 2)
    assert "test_contract" not in error.traceback


def test_an_asynchronous_tool_can_be_called_awaited_and_gathered(
    executor: LocalPythonExecutor,
) -> None:
    async def fetch(x: int) -> int:
        await asyncio.sleep(0)
        return x + 1

    executor.send_tools({"fetch": fetch})
    assert executor("fetch(1)").output == 2
    assert executor("await fetch.aio(2)").output == 3
    assert executor(
        "import asyncio\nawait asyncio.gather(*[fetch.aio(i) for i in range(20)])"
    ).output == list(range(1, 21))
    assert executor("await asyncio.gather(*[fetch(i) for i in range(20)])").output == list(
        range(1, 21)
    )
    assert executor("await fetch(1)").output == 2


@pytest.mark.parametrize("options", [{"language": "guarded"}, {"clock": 0.0}], ids=str)
def test_a_loop_without_descriptors_waits_for_a_tool_before_any_timer(
    make_executor: MakeExecutor, place: str, options: dict[str, Any]
) -> None:
    if place == "inline" and "clock" in options:
        pytest.skip("a clock of its own needs the jail")

    async def fetch(x: int) -> int:
        await asyncio.sleep(0.01)
        return x + 1

    executor = make_executor(policy=Policy(**options))
    executor.send_tools({"fetch": fetch})
    assert executor("await fetch.aio(1)").output == 2
    code = "import asyncio\nawait asyncio.gather(asyncio.sleep(0.01), fetch.aio(2), fetch.aio(3))"
    assert executor(code).output == [None, 3, 4]


def test_gathered_calls_of_a_blocking_tool_are_answered_each_with_its_own(
    executor: LocalPythonExecutor,
) -> None:
    executor.send_tools({"square": lambda x: x * x})
    code = "import asyncio\nawait asyncio.gather(*[square.aio(i) for i in range(50)])"
    assert executor(code).output == [i * i for i in range(50)]


def test_a_failing_call_among_gathered_ones_fails_alone(executor: LocalPythonExecutor) -> None:
    def maybe(x: int) -> int:
        if x == 2:
            raise ValueError("two")
        return x

    executor.send_tools({"maybe": maybe})
    code = (
        "import asyncio\n[str(r) for r in await asyncio.gather(*[maybe.aio(i) for i in range(4)],"
        " return_exceptions=True)]"
    )
    assert executor(code).output == ["0", "1", "two", "3"]


def test_asynchronous_tools_run_on_the_caller_s_loop_under_arun(make_jailed: MakeExecutor) -> None:
    async def main() -> bool:
        here = asyncio.get_running_loop()

        async def same_loop() -> bool:
            return asyncio.get_running_loop() is here

        executor = make_jailed()
        executor.send_tools({"same_loop": same_loop})
        return (await executor.arun("same_loop()")).value

    assert asyncio.run(main()) is True


def test_tools_see_the_caller_s_context_variables(executor: LocalPythonExecutor) -> None:
    variable = contextvars.ContextVar("variable", default="nothing")
    variable.set("the caller's")
    executor.send_tools({"read": lambda: variable.get()})
    assert executor("read()").output == "the caller's"


def test_tool_calls_are_listed_in_order(executor: LocalPythonExecutor) -> None:
    executor.send_tools({"a": lambda: 1, "b": lambda: 2})
    assert executor.run("a(); b(); a()").tool_calls == ("a", "b", "a")
    assert executor.run("1").tool_calls == ()


@pytest.mark.long
@pytest.mark.extended
def test_ten_thousand_calls_in_one_cell(make_executor: MakeExecutor) -> None:
    executor = make_executor(
        timeout_seconds=None
    )  # each goes a long way where code is in a container
    executor.send_tools({"add": lambda a, b: a + b})
    execution = executor.run("t = 0\nfor i in range(10_000):\n    t = add(t, i)\nt")
    assert execution.value == sum(range(10_000))
    assert len(execution.tool_calls) == 10_000


def test_a_final_answer_tool_shapes_the_answer(executor: LocalPythonExecutor) -> None:
    executor.send_tools({"final_answer": lambda answer: f"<{answer}>"})
    execution = executor.run("final_answer(3)\nprint('never')")
    assert (execution.value, execution.is_final_answer, execution.logs) == ("<3>", True, "")


def test_an_answer_too_many_is_told_under_the_name_that_code_knows(
    executor: LocalPythonExecutor,
) -> None:
    assert (
        executor.run("final_answer(1, 2)").error.message
        == "final_answer() takes from 0 to 1 positional arguments but 2 were given"
    )


def test_a_tool_that_uses_its_own_executor_gets_a_clear_error(
    executor: LocalPythonExecutor,
) -> None:
    executor.send_tools({"again": lambda: executor.run("1")})
    assert "an executor of its own" in executor.run("again()").error.message
    assert executor("2").output == 2


@pytest.mark.parametrize(
    "use",
    [
        lambda executor: executor.state["x"],
        lambda executor: executor.state.__setitem__("x", 2),
        lambda executor: executor.send_tools({"f": len}),
        lambda executor: executor.report(),
    ],
    ids=["state", "send", "send_tools", "report"],
)
def test_a_tool_that_looks_into_its_own_executor_gets_a_clear_error_and_no_deadlock(
    make_jailed: MakeExecutor, use: Any
) -> None:
    executor = make_jailed()
    executor.send_tools({"look": lambda: use(executor)})
    assert "an executor of its own" in executor.run("x = 1\nlook()").error.message
    assert executor("x").output == 1


def test_an_asynchronous_tool_that_uses_its_own_executor_gets_a_clear_error(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed()

    async def again() -> Any:
        return executor.run("1").value

    executor.send_tools({"again": again})
    assert "an executor of its own" in outcome_of(lambda: executor.run("again()")).error.message


def test_a_tool_may_use_another_executor(make_executor: MakeExecutor) -> None:
    outer, inner = make_executor(), make_executor()
    outer.send_tools({"nested": lambda code: inner(code).output})
    assert outer("nested('20 + 1') * 2").output == 42


def test_a_tool_shows_its_name_and_documentation_and_nothing_else(
    executor: LocalPythonExecutor,
) -> None:
    class Weather:
        name = "weather"
        description = "Tells the weather."
        key = "secret"

        def __call__(self, city: str) -> str:
            return f"rain in {city}"

    executor.send_tools({"weather": Weather()})
    name, doc = executor("weather.__name__, weather.__doc__").output
    assert name == "weather"
    assert "Tells the weather." in doc
    assert executor("weather('Oslo')").output == "rain in Oslo"
    assert executor.run("weather.key").error.type == "AttributeError"
    assert executor.run("weather.key").error.type == "AttributeError"


def test_a_tool_s_name_can_be_used_for_a_variable_and_comes_back(
    executor: LocalPythonExecutor,
) -> None:
    executor.send_tools({"search": lambda q: f"found {q}"})
    assert executor("search = 5\nsearch").output == 5
    assert executor("del search\nsearch('x')").output == "found x"


def test_a_tool_sent_again_replaces_the_old_one(executor: LocalPythonExecutor) -> None:
    executor.send_tools({"f": lambda: 1})
    executor("g = f")
    executor.send_tools({"f": lambda: 2})
    assert executor("f()").output == 2


@pytest.mark.parametrize("tools", [{"x": 3}, {"no name": print}, {"": print}])
def test_what_is_not_a_tool_is_an_error(
    executor: LocalPythonExecutor, tools: dict[str, object]
) -> None:
    with pytest.raises((ToolError, PolicyError)):
        executor.send_tools(tools)
    assert executor("1").output == 1


def test_additional_functions_are_tools(make_executor: MakeExecutor) -> None:
    executor = make_executor(additional_functions={"triple": lambda x: 3 * x})
    assert executor("triple(2)").output == 6


def test_the_wait_for_a_tool_does_not_count_against_the_time(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(timeout_seconds=2)
    executor.send_tools({"wait": lambda: threading.Event().wait(2.5)})
    assert executor.run("wait()\n'done'").value == "done"


def test_output_before_and_after_a_call_stays_in_order(executor: LocalPythonExecutor) -> None:
    executor.send_tools({"f": lambda: None})
    assert executor.run("print(1)\nf()\nprint(2)").logs == "1\n2\n"


def test_print_s_end_without_a_new_line_is_kept_before_a_call(make_executor: MakeExecutor) -> None:
    seen: list[str] = []
    executor = make_executor(on_output=seen.append)
    at_call: list[str] = []
    executor.send_tools({"f": lambda: at_call.append("".join(seen))})
    executor("print('half', end='')\nf()\nprint(' whole')")
    assert "".join(seen) == "half whole\n"
