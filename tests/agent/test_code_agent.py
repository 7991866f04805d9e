"""What an agent does with what its model writes."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fumehood import (
    ActionStep,
    AgentError,
    AgentExecutionError,
    AgentGenerationError,
    AgentParsingError,
    ChatMessage,
    CodeAgent,
    LocalPythonExecutor,
    Model,
    PolicyError,
    ReplayModel,
    RunResult,
    TokenUsage,
    ToolError,
)

from .conftest import MakeAgent, turn


class Heard:
    """A model that keeps what it was asked."""

    def __init__(self, *turns: str) -> None:
        self.turns = list(turns)
        self.asked: list[list[dict[str, Any]]] = []

    def __call__(self, messages: list[dict[str, Any]]) -> str:
        self.asked.append(messages)
        return self.turns.pop(0)

    def last_said(self) -> str:
        content = self.asked[-1][-1]["content"]
        return content if isinstance(content, str) else content[0]["text"]


def action_steps(agent: CodeAgent) -> list[ActionStep]:
    return [step for step in agent.memory.steps if isinstance(step, ActionStep)]


# -- answers


def test_the_answer_of_the_code_is_the_answer_of_the_run(make_agent: MakeAgent) -> None:
    assert make_agent("import math\nfinal_answer(math.sqrt(1764))").run("The root of 1764?") == 42.0


def test_variables_of_one_step_are_there_in_the_next(make_agent: MakeAgent) -> None:
    assert (
        make_agent("x = 20", "def double(n):\n    return 2 * n", "final_answer(double(x) + 2)").run(
            "Go."
        )
        == 42
    )


def test_tables_and_arrays_come_back_as_they_are(make_agent: MakeAgent) -> None:
    pandas = pytest.importorskip("pandas")
    agent = make_agent(
        "import pandas as pd\nfinal_answer(pd.DataFrame({'a': [1, 2]}))",
        additional_authorized_imports=["pandas"],
    )
    assert agent.run("Go.").equals(pandas.DataFrame({"a": [1, 2]}))


# -- what the model is told


def test_the_model_is_told_its_imports_its_limits_and_its_tools(make_agent: MakeAgent) -> None:
    def population(city: str) -> int:
        """How many people live in a city.

        Args:
            city: its name in English
        """
        return 3

    model = Heard(turn("final_answer(1)"))
    make_agent(
        model=model, tools=[population], additional_authorized_imports=["numpy"], step_timeout=17
    ).run("Count.")
    [system, user] = model.asked[0]
    assert system["role"] == "system" and user["content"] == "Count."
    for told in (
        "numpy",
        "statistics",
        "17 seconds",
        "def population(city: str) -> int",
        "its name in English",
        "final_answer",
    ):
        assert told in system["content"], told


def test_an_error_is_told_as_the_executor_words_it_and_can_be_repaired(
    make_agent: MakeAgent,
) -> None:
    model = Heard(turn("count = 3\ncont + 1"), turn("final_answer(count + 1)"))
    agent = make_agent(model=model)
    assert agent.run("Go.") == 4
    assert "NameError: name 'cont' is not defined. Did you mean: 'count'?" in model.last_said()
    assert isinstance(action_steps(agent)[0].error, AgentExecutionError)


def test_text_without_code_is_answered_with_what_to_write(make_agent: MakeAgent) -> None:
    model = Heard("I think it is 42.", turn("final_answer(42)"))
    agent = make_agent(model=model)
    assert agent.run("Go.") == 42
    assert isinstance(action_steps(agent)[0].error, AgentParsingError)
    assert "```python" in model.last_said()


def test_users_and_assistant_take_turns_whatever_happens(make_agent: MakeAgent) -> None:
    model = Heard("", "no code", turn("1/0"), turn("x = 1"), turn("final_answer(x)"))
    make_agent(model=model).run("Go.")
    assert len(model.asked) == 5
    for asked in model.asked:
        roles = [message["role"] for message in asked]
        assert (
            roles[0] == "system" and roles[1] == "user" and all(a != b for a, b in pairwise(roles))
        ), roles


def test_instructions_and_other_templates_are_taken(make_agent: MakeAgent, tmp_path: Path) -> None:
    model = Heard(turn("final_answer(1)"))
    make_agent(model=model, instructions="Answer in French.").run("Go.")
    assert "Answer in French." in model.asked[0][0]["content"]
    model = Heard(turn("final_answer(1)"))
    make_agent(
        model=model, prompt_templates={"system": "Imports: {{ authorized_imports | length }}"}
    ).run("Go.")
    assert model.asked[0][0]["content"].startswith("Imports: ")
    (tmp_path / "task.md").write_text("TASK {{ task }}")
    model = Heard(turn("final_answer(1)"))
    make_agent(model=model, prompt_templates=tmp_path).run("Go.")
    assert model.asked[0][1]["content"] == "TASK Go."


@pytest.mark.parametrize(
    ("templates", "said"),
    [
        ({"sistem": "x"}, "there is no prompt template 'sistem'"),
        ({"system": "{{ nothing }}"}, "'nothing' is undefined"),
        (
            {"system": "a\nb\n{{ 1 / 0 }}"},
            r"cannot be filled in: ZeroDivisionError: division by zero \(line 3\)$",
        ),
        ({"system": "{% if %}"}, "line 1"),
        ({"system": 3}, "must be a text"),
        ("/nowhere/at/all", "is no directory"),
        ("You are an agent.\n" * 1000, "is no directory"),
    ],
    ids=lambda given: f"{given!r:.30}",
)
def test_a_template_that_cannot_be_used_is_an_error_at_once(
    make_agent: MakeAgent, templates: Any, said: str
) -> None:
    with pytest.raises(PolicyError, match=said):
        make_agent("1", prompt_templates=templates)


# -- variables that are sent


def test_arguments_are_sent_to_the_sandbox_and_described_not_dumped(make_agent: MakeAgent) -> None:
    model = Heard(turn("final_answer(sum(numbers))"))
    agent = make_agent(model=model)
    assert agent.run("Add them.", additional_args={"numbers": list(range(100_000))}) == sum(
        range(100_000)
    )
    told = model.asked[0][1]["content"]
    assert "numbers" in told and "100000" in told.replace(",", "") and len(told) < 2_000
    assert agent.state["numbers"][:2] == [0, 1]


def test_an_argument_under_a_name_that_code_cannot_use_is_refused_before_anything_happens(
    make_agent: MakeAgent,
) -> None:
    agent = make_agent("final_answer(1)")
    with pytest.raises(PolicyError, match="identifier"):
        agent.run("Go.", additional_args={"not a name": 1})
    assert agent.run("Go.") == 1


# -- pictures


def test_pictures_are_shown_to_the_model(make_agent: MakeAgent) -> None:
    image = pytest.importorskip("PIL.Image").new("RGB", (3, 2), "red")
    model = Heard(turn("final_answer('red')"))
    make_agent(model=model).run("What colour?", images=[image])
    [text, picture] = model.asked[0][1]["content"]
    assert text["text"] == "What colour?" and picture["image_url"]["url"].startswith(
        "data:image/png;base64,"
    )


def test_a_picture_that_is_none_is_refused(make_agent: MakeAgent) -> None:
    agent = make_agent("1")
    png = b"\x89PNG\r\n\x1a\n"
    for images, said in (
        ([b"nothing of the kind"], r"images\[0\] is none of them: it begins with b'nothing '"),
        ([png, b""], r"images\[1\] is none of them: it is empty"),
        ([__file__], "test_code_agent.py' is none of them"),
        ([png, "a\0b"], r"images\[1\] cannot be 'a\\x00b'"),
        ([png, 3], r"images\[1\] must be a picture: bytes, a path, or an image of Pillow, not 3"),
        (3, r"images must be a list of pictures, not 3; for one, write \[picture\]"),
    ):
        with pytest.raises(PolicyError, match=said):
            agent.run("Go.", images=images)


def test_a_picture_can_be_the_answer(make_agent: MakeAgent) -> None:
    pytest.importorskip("PIL.Image")
    code = "from PIL import Image\nfinal_answer(Image.new('RGB', (3, 2), 'red'))"
    answer = make_agent(code, additional_authorized_imports=["PIL"]).run("Draw.")
    assert tuple(answer.size) == (3, 2)


@pytest.mark.extended
def test_plots_are_kept_with_their_step_and_shown_if_asked(
    make_agent: MakeAgent, place: str
) -> None:
    pytest.importorskip("matplotlib")
    if place == "inline":
        pytest.skip("inline has no displays")
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    model = Heard(turn(code), turn("final_answer(1)"))
    agent = make_agent(
        model=model, additional_authorized_imports=["matplotlib"], show_displays=True
    )
    agent.run("Plot.")
    [bundle] = action_steps(agent)[0].displays
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert model.asked[1][-1]["content"][1]["type"] == "image_url"


# -- ends


def test_after_the_last_step_the_model_is_asked_for_a_summary(make_agent: MakeAgent) -> None:
    model = Heard(turn("x = 1"), turn("x = 2"), "It is probably two.")
    agent = make_agent(model=model, max_steps=2)
    result = agent.run("Count.", return_full_result=True)
    assert (result.state, result.output, len(result.steps)) == (
        "max_steps",
        "It is probably two.",
        2,
    )
    assert "2 steps" in str(result.error) and "Count." in model.last_said()
    assert not result.ok


def test_a_model_that_fails_ends_the_run_with_its_reason(make_agent: MakeAgent) -> None:
    def model(messages: Any) -> str:
        raise ConnectionError("no route to model")

    agent = make_agent(model=model)
    with pytest.raises(AgentGenerationError, match="no route to model"):
        agent.run("Go.")
    result = agent.run("Go.", return_full_result=True)
    assert result.state == "error" and isinstance(result.error, AgentGenerationError)


# -- several runs


def test_a_conversation_goes_on_only_if_it_is_not_reset(make_agent: MakeAgent) -> None:
    model = Heard(turn("final_answer(1)"), turn("final_answer(2)"), turn("final_answer(3)"))
    agent = make_agent(model=model)
    agent.run("First.")
    agent.run("Second.", reset=False)
    assert [message["role"] for message in model.asked[1]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert "Second." in model.last_said()
    agent.run("Third.")
    assert len(model.asked[2]) == 2


def test_an_agent_at_work_cannot_be_asked_again(make_agent: MakeAgent) -> None:
    agent = make_agent(model=lambda messages: nested(), tools=[])

    def nested() -> str:
        with pytest.raises(AgentError, match="at work already"):
            agent.run("Again.")
        return turn("final_answer(1)")

    assert agent.run("Go.") == 1


# -- plans


def test_plans_are_made_every_so_many_steps_and_told(make_agent: MakeAgent) -> None:
    model = Heard(
        "1. Look.", turn("x = 1"), turn("x = 2"), "2. Look again.", turn("final_answer(x)")
    )
    agent = make_agent(model=model, planning_interval=2)
    result = agent.run("Go.", return_full_result=True)
    assert [type(step).__name__ for step in result.steps] == [
        "PlanningStep",
        "ActionStep",
        "ActionStep",
        "PlanningStep",
        "ActionStep",
    ]
    assert "plan" in model.asked[0][-1]["content"] and model.asked[1][-2]["content"] == "1. Look."


# -- checks and callbacks


def test_an_answer_that_a_check_refuses_is_not_taken(make_agent: MakeAgent) -> None:
    def is_even(answer: int, memory: Any) -> bool:
        return answer % 2 == 0

    def is_large(answer: int, memory: Any, agent: CodeAgent) -> bool:
        assert agent.memory is memory
        if answer < 10:
            raise ValueError("too small")
        return True

    model = Heard(turn("final_answer(3)"), turn("final_answer(4)"), turn("final_answer(12)"))
    agent = make_agent(model=model, final_answer_checks=[is_even, is_large])
    assert agent.run("Go.") == 12
    assert (
        "is_even returned False" in model.asked[1][-1]["content"]
        and "is_large: too small" in model.asked[2][-1]["content"]
    )
    assert agent.metrics.error_count == 2


def test_callbacks_see_each_step_and_what_they_raise_ends_the_run(make_agent: MakeAgent) -> None:
    seen: list[Any] = []

    def with_agent(step: ActionStep, agent: CodeAgent) -> None:
        seen.append((step.step_number, agent))

    agent = make_agent(
        "x = 1",
        "final_answer(x)",
        step_callbacks=[lambda step: seen.append(step.step_number), with_agent],
    )
    agent.run("Go.")
    assert seen == [1, (1, agent), 2, (2, agent)]

    def stop(step: ActionStep) -> None:
        raise LookupError("enough")

    agent = make_agent("x = 1", "final_answer(2)", step_callbacks=[stop])
    with pytest.raises(LookupError, match="enough"):
        agent.run("Go.")
    agent.step_callbacks.clear()
    assert agent.run("Go.") == 2


# -- tools


def test_tools_of_the_host_are_called_from_code(make_agent: MakeAgent) -> None:
    here = threading.current_thread()
    called: list[tuple[str, int]] = []

    def look_up(name: str, times: int = 1) -> dict[str, int]:
        called.append((name, times))
        return {name: times}

    agent = make_agent(
        "a = look_up('x')\nb = look_up(name='y', times=3)\nfinal_answer({**a, **b})",
        tools=[look_up],
    )
    assert agent.run("Go.") == {"x": 1, "y": 3} and called == [("x", 1), ("y", 3)]
    assert agent.metrics.tool_calls == {"look_up": 2} and here is threading.current_thread()


def test_what_a_tool_raises_is_told_to_the_model(make_agent: MakeAgent) -> None:
    def look_up(name: str) -> int:
        raise KeyError(name)

    model = Heard(turn("look_up('Atlantis')"), turn("final_answer(0)"))
    make_agent(model=model, tools=[look_up]).run("Go.")
    assert "KeyError" in model.last_said() and "Atlantis" in model.last_said()


# -- executors


def test_an_executor_of_an_unknown_type_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'moon'.*'local', 'inline', 'docker', 'e2b', 'ray'"):
        CodeAgent([], ReplayModel([]), executor_type="moon")


def test_an_executor_that_was_given_is_used_and_left_open() -> None:
    with LocalPythonExecutor(isolation="inline") as executor:
        executor.send_variables({"x": 41})
        with CodeAgent([], ReplayModel([turn("final_answer(x + 1)")]), executor=executor) as agent:
            assert agent.run("Go.") == 42
        assert executor.run("x").value == 41
        with pytest.raises(PolicyError, match="additional_authorized_imports"):
            CodeAgent(
                [], ReplayModel([]), executor=executor, additional_authorized_imports=["numpy"]
            )
        with pytest.raises(
            TypeError, match=r"PythonExecutor.*, not 'local'; executor_type='local' has one made"
        ):
            CodeAgent([], ReplayModel([]), executor="local")  # type: ignore[arg-type]


def test_what_an_agent_cannot_be_made_with_is_said(make_agent: MakeAgent) -> None:
    with pytest.raises(TypeError, match="needs a model"):
        CodeAgent([])
    for name, value in (
        ("max_steps", 0),
        ("max_steps", 2.5),
        ("planning_interval", 0),
        ("timeout", 0),
        ("timeout", "1"),
        ("timeout", math.inf),
        ("timeout", 10**400),
        ("step_timeout", -1),
        ("max_print_outputs_length", 0),
        ("verbose", "yes"),
        ("verbosity_level", "2"),
        ("name", 3),
        ("description", b"finds things"),
        ("instructions", ["be brief"]),
        ("prompt_templates", ["system"]),
        ("final_answer_checks", len),
        ("step_callbacks", [print, None]),
        ("on_event", "print"),
    ):
        with pytest.raises(PolicyError, match=f"^{name}") as raised:
            make_agent("1", **{name: value})
        assert len(str(raised.value)) < 200 and str(raised.value).isprintable()
    with pytest.raises(
        ToolError, match=r"managed_agents must be a list of agents, not 3; for one, write \[it\]"
    ):
        make_agent("1", managed_agents=3)
    with pytest.raises(PolicyError, match="executor_kwargs must be a dictionary such as"):
        CodeAgent([], ReplayModel([]), executor_kwargs="on_fault")  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match=r"unsupported executor type \['local'\]; supported are"):
        CodeAgent([], ReplayModel([]), executor_type=["local"])  # type: ignore[arg-type]


# -- asynchronous


def test_a_run_can_be_awaited_and_its_asynchronous_tools_run_on_that_loop(
    make_agent: MakeAgent, place: str
) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def slowly(n: int) -> int:
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return n + 1

    agent = make_agent("final_answer(slowly(41))", tools=[slowly])

    async def main() -> tuple[Any, asyncio.AbstractEventLoop]:
        return await agent.arun("Go."), asyncio.get_running_loop()

    answer, loop = asyncio.run(main())
    assert answer == 42
    if place != "inline":  # which awaits on a loop of its own
        assert loops == [loop]


# -- numbers


class Counting(Model):
    """Answers with known numbers of tokens."""

    model_id = "counting"

    def __init__(self, turns: list[str]) -> None:
        self.turns = turns

    def generate(self, messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
        return ChatMessage("assistant", self.turns.pop(0), token_usage=TokenUsage(100, 10))


def test_metrics_of_known_runs_are_the_known_numbers(make_agent: MakeAgent) -> None:
    def nothing() -> None:
        """Does nothing."""

    turns = [
        turn("import math\nimport json\nnothing()\nx = math.pi"),
        turn("1 / 0"),
        "no code here",
        turn("import subprocess"),
        turn("import collections\nnothing()\nfinal_answer(json.dumps([1]))"),
        turn("final_answer(2)"),
    ]
    agent = make_agent(model=Counting(turns), tools=[nothing])
    result = agent.run("Go.", return_full_result=True)
    assert isinstance(result, RunResult)
    metrics = result.metrics
    assert (metrics.runs, metrics.steps_used, metrics.error_count) == (1, 5, 3)
    assert (metrics.token_usage, metrics.total_tokens) == (
        TokenUsage(500, 50),
        550,
    ) and result.token_usage == metrics.token_usage
    assert metrics.imports_used == ("collections", "json", "math")
    assert metrics.tool_calls == {"nothing": 2} and metrics.faults == {"refused": 1}
    assert metrics.code_cells == [
        step.code_action for step in action_steps(agent) if step.code_action
    ]
    assert len(metrics.code_cells) == 4
    assert result.timing.duration is not None and metrics.execution_time >= metrics.cell_seconds
    agent.run("Again.")
    assert (agent.metrics.runs, agent.metrics.steps_used, agent.metrics.total_tokens) == (2, 6, 660)
    assert agent.metrics.as_dict()["token_usage"] == {"input_tokens": 600, "output_tokens": 60}
    assert result.metrics.steps_used == 5, "a result is not changed by later runs"
