"""fumehood as the executor of a real smolagents CodeAgent, with models that say what they are told
to say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fumehood import LocalPythonExecutor, PolicyError
from fumehood.errors import JailUnavailable

from ..executors.conftest import skip_where_there_is_no_jail

pytest.importorskip("smolagents")

import smolagents
from smolagents import tool
from smolagents.local_python_executor import CodeOutput, InterpreterError, PythonExecutor
from smolagents.models import ChatMessage, MessageRole, Model, TokenUsage

from fumehood.integrations.smolagents import FumehoodExecutor


def code(text: str) -> str:
    return f"Thought: let me see.\n<code>\n{text}\n</code>"


class Scripted(Model):  # type: ignore[misc]
    """Says its turns one after the other; `seen` is what it was asked."""

    def __init__(self, *turns: str) -> None:
        super().__init__(model_id="scripted")
        self.turns = [*turns]
        self.seen: list[str] = []

    def generate(self, messages: Any, stop_sequences: Any = None, **options: Any) -> Any:
        self.seen.append(str([message.content for message in messages]))
        return ChatMessage(
            role=MessageRole.ASSISTANT, content=self.turns.pop(0), token_usage=TokenUsage(1, 1)
        )


@tool  # type: ignore[untyped-decorator, unused-ignore]
def price(name: str, factor: float = 1.0) -> float:
    """The price of a thing.

    Args:
        name: What it is called.
        factor: What to multiply with.
    """
    if not name:
        raise ValueError("it has no name")
    return len(name) * factor


MakeExecutor = Callable[..., Any]


@pytest.fixture(params=["inline", "jail"])
def make(request: pytest.FixtureRequest) -> Iterator[MakeExecutor]:
    """Makes executors for smolagents in each kind of place, and ends them."""
    made: list[Any] = []

    def make(*args: Any, **options: Any) -> Any:
        try:
            made.append(FumehoodExecutor(*args, isolation=request.param, **options))
        except JailUnavailable as missing:
            skip_where_there_is_no_jail(missing)
            raise
        return made[-1]

    yield make
    for executor in made:
        executor.cleanup()


def agent_of(executor: Any, *turns: str, tools: Any = (), **options: Any) -> Any:
    return smolagents.CodeAgent(
        [*tools], Scripted(*turns), executor=executor, verbosity_level=0, **options
    )


# -- alone


def test_it_is_an_executor_of_smolagents(make: MakeExecutor) -> None:
    executor = make()
    assert isinstance(executor, PythonExecutor)
    executor.send_variables(variables={"x": 20})
    executor.send_tools({"price": price})
    output = executor("print('hello')\nx + price('ab')")
    assert isinstance(output, CodeOutput)
    assert (output.output, output.logs, output.is_final_answer) == (22, "hello\n", False)
    assert executor("final_answer(x)").is_final_answer


def test_what_goes_wrong_is_their_error_with_our_words(make: MakeExecutor) -> None:
    executor = make(timeout_seconds=1.5)
    with pytest.raises(InterpreterError, match="ZeroDivisionError: division by zero"):
        executor("1 / 0")
    with pytest.raises(InterpreterError, match="import subprocess: this module is not authorized"):
        executor("import subprocess")
    with pytest.raises(InterpreterError, match=r"longer than 1\.5 seconds"):
        executor("print('before')\nwhile True: pass")
    assert str(executor.state["_print_outputs"]) == "before\n"
    assert executor("1").output == 1


def test_an_executor_that_is_given_is_used_and_stays_open() -> None:
    with LocalPythonExecutor(isolation="inline") as own:
        executor = FumehoodExecutor(executor=own)
        executor("x = 1")
        executor.cleanup()
        assert own("x").output == 1
        with pytest.raises(
            PolicyError,
            match=r"has its options already; give it, or additional_authorized_imports$",
        ):
            FumehoodExecutor(["xml"], executor=own)
        with pytest.raises(
            PolicyError, match=r"has its options already; give it, or timeout_seconds$"
        ):
            FumehoodExecutor(executor=own, timeout_seconds=3)
    with pytest.raises(
        PolicyError, match=r"must be a fumehood executor, not object: give LocalPythonExecutor\(\)"
    ):
        FumehoodExecutor(executor=object())  # type: ignore[arg-type]


def test_an_answer_may_be_shaped_by_a_tool(make: MakeExecutor) -> None:
    class Shaped(smolagents.FinalAnswerTool):  # type: ignore[misc, name-defined]
        def forward(self, answer: Any) -> Any:
            return f"<{answer}>"

    executor = make()
    executor.send_tools({"final_answer": smolagents.FinalAnswerTool()})
    assert executor("final_answer(3)").output == 3
    executor.send_tools({"final_answer": Shaped()})
    assert executor("final_answer(3)").output == "<3>"
    executor.send_tools({"final_answer": smolagents.FinalAnswerTool()})
    assert executor("final_answer(answer=4)").output == 4


# -- in an agent


def test_an_agent_uses_a_tool_makes_an_error_repairs_it_and_answers(make: MakeExecutor) -> None:
    agent = agent_of(
        make(),
        code("total = price('abc', 2)\nprint('so far', total)\ntotal / 0"),
        code("price('')"),
        code("final_answer(total + bonus)"),
        tools=[price],
    )
    assert agent.run("What does it cost?", additional_args={"bonus": 0.5}) == 6.5
    errors = [str(step.error) for step in agent.memory.steps if getattr(step, "error", None)]
    assert "ZeroDivisionError" in errors[0]
    assert "ValueError: it has no name" in errors[1]
    assert "so far 6" in agent.model.seen[1], "what was printed before the error is told too"
    assert "line 3" in agent.model.seen[1]


def test_variables_stay_from_step_to_step_and_from_run_to_run(make: MakeExecutor) -> None:
    agent = agent_of(make(), code("x = 1"), code("final_answer(x)"), code("final_answer(x + 1)"))
    assert agent.run("one") == 1
    assert agent.run("two", reset=False) == 2


def test_a_check_of_the_answer_that_fails_is_told_and_the_agent_goes_on(make: MakeExecutor) -> None:
    def is_positive(answer: Any, memory: Any, agent: Any = None) -> bool:
        return bool(answer > 0)

    agent = agent_of(
        make(), code("final_answer(-1)"), code("final_answer(1)"), final_answer_checks=[is_positive]
    )
    assert agent.run("a positive number") == 1
    assert "is_positive" in str(agent.memory.steps[1].error)


def test_a_managed_agent_is_a_function_of_the_code(make: MakeExecutor) -> None:
    member = agent_of(make(), code("final_answer(what * 2)"), name="helper", description="Helps.")
    agent = agent_of(
        make(),
        code("report = helper('double it', additional_args={'what': 21})\nfinal_answer(report)"),
        managed_agents=[member],
    )
    assert "42" in agent.run("have it doubled")


def test_an_executor_that_two_agents_share_is_an_error_and_no_deadlock(make: MakeExecutor) -> None:
    shared = make()
    member = agent_of(
        shared, code("1"), code("1"), "gave up", name="helper", description="Helps.", max_steps=2
    )
    agent = agent_of(
        shared, code("helper('x')"), code("final_answer('went on')"), managed_agents=[member]
    )
    assert agent.run("go") == "went on"


@pytest.mark.extended
def test_code_that_ends_the_process_ends_a_step_and_not_the_run() -> None:
    try:
        executor = FumehoodExecutor(timeout_seconds=5)
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise
    turns = (
        code("x = 5"),
        code("raise SystemExit(3)"),
        code("big = []\nwhile True: big.append(bytearray(10**8))"),
        code("final_answer(x)"),
    )
    with agent_of(executor, *turns) as agent:
        assert agent.run("go") == 5
        assert len([step for step in agent.memory.steps if getattr(step, "error", None)]) == 2


def test_leaving_the_agent_s_block_ends_the_sandbox(make: MakeExecutor) -> None:
    executor = make()
    with agent_of(executor, code("final_answer(1)")) as agent:
        agent.run("go")
    with pytest.raises(InterpreterError, match="closed"):
        executor("1")
    executor.delete()
