"""Agents that give work to agents."""

from __future__ import annotations

from typing import Any

import pytest

from fumehood import CodeAgent, ReplayModel, ToolError

from .conftest import MakeAgent


def test_a_member_is_a_function_of_its_lead_s_code(make_agent: MakeAgent) -> None:
    member = make_agent(
        "x = 6 * 7", "final_answer(x)", name="researcher", description="Finds things out."
    )
    lead = make_agent(
        "found = researcher('Multiply six by seven.')\nfinal_answer(found + 1)",
        managed_agents=[member],
    )
    assert lead.run("Go.") == 43
    assert (
        "def researcher(task: str" in lead.system_prompt
        and "Finds things out." in lead.system_prompt
    )
    assert (
        member.metrics.steps_used == 2
        and lead.metrics.steps_used == 1
        and lead.metrics.tool_calls == {"researcher": 1}
    )


def test_values_are_handed_on_to_a_member(make_agent: MakeAgent) -> None:
    member = make_agent("final_answer(sum(data))", name="adder", description="Adds.")
    lead = make_agent(
        "final_answer(adder('Add them.', additional_args={'data': [1, 2, 3]}))",
        managed_agents=[member],
    )
    assert lead.run("Go.") == 6


def test_a_member_may_say_how_it_was_found(make_agent: MakeAgent) -> None:
    member = make_agent(
        "final_answer(9)", name="adder", description="Adds.", provide_run_summary=True
    )
    lead = make_agent("final_answer(adder('Add.'))", managed_agents=[member])
    report = lead.run("Go.")
    assert report.startswith("9") and "I run this." in report


def test_a_member_that_fails_is_an_error_that_the_lead_can_handle(make_agent: MakeAgent) -> None:
    def broken(messages: Any) -> str:
        raise ConnectionError("no route")

    member = make_agent(model=broken, name="adder", description="Adds.")
    code = "try:\n    adder('Add.')\nexcept Exception as error:\n    final_answer(str(error))"
    assert "no route" in make_agent(code, managed_agents=[member]).run("Go.")


def test_a_member_can_be_asked_from_several_places_at_once(make_agent: MakeAgent) -> None:
    member = make_agent(*["final_answer(1)"] * 4, name="one", description="Says one.")
    code = (
        "import asyncio\nfinal_answer(sum(await asyncio.gather(*(one.aio('Say.') for _ in"
        " range(4)))))"
    )
    assert make_agent(code, managed_agents=[member]).run("Go.") == 4


def test_an_agent_cannot_be_asked_by_its_own_member(make_agent: MakeAgent) -> None:
    lead: CodeAgent

    def ask_lead() -> Any:
        """Asks the lead."""
        return lead("Say.")

    member = make_agent(
        "final_answer(ask_lead())",
        "final_answer('gave up')",
        name="member",
        description="Asks.",
        tools=[ask_lead],
    )
    lead = make_agent(
        "final_answer(member('Say.'))", name="lead", description="Leads.", managed_agents=[member]
    )
    assert lead.run("Go.") == "gave up"


@pytest.mark.parametrize(
    ("name", "description", "said"),
    [
        (None, "x", "needs a name"),
        ("two words", "x", "needs a name"),
        ("class", "x", "needs a name"),
        ("member", None, "needs a description"),
    ],
)
def test_a_member_needs_a_name_and_a_description(name: Any, description: Any, said: str) -> None:
    member = CodeAgent(
        [], ReplayModel([]), name=name, description=description, executor_type="inline"
    )
    with pytest.raises(ToolError, match=said):
        CodeAgent([], ReplayModel([]), managed_agents=[member], executor_type="inline")


def test_two_under_one_name_are_refused() -> None:
    def member(x: int) -> int:
        """A tool."""
        return x

    agent = CodeAgent([], ReplayModel([]), name="member", description="x", executor_type="inline")
    with pytest.raises(ToolError, match="'member'"):
        CodeAgent([member], ReplayModel([]), managed_agents=[agent], executor_type="inline")
    with pytest.raises(ToolError, match="'member'"):
        CodeAgent([], ReplayModel([]), managed_agents=[agent, agent], executor_type="inline")
