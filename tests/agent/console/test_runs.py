"""Real runs of real agents, as they are shown."""

from __future__ import annotations

import pytest

from fumehood import tool

from ..conftest import MakeAgent


@tool
def double(number: int) -> int:
    """Doubles a number.

    Args:
        number: what to double
    """
    print("a tool prints")
    return 2 * number


def test_a_verbose_agent_prints_its_steps(
    make_agent: MakeAgent, capsys: pytest.CaptureFixture[str]
):
    agent = make_agent(
        "print('so far')\nx = double(21)", "1 / 0", "final_answer(x)", tools=[double], verbose=True
    )
    assert agent.run("Double it.") == 42
    shown = capsys.readouterr().out
    parts = [
        "agent · at most 20 steps",
        "Double it.",
        "step 1 of 20",
        "I run this.",
        "▎ x = double(21)",
        "  so far",
        "  = 42",
    ]
    parts += [
        "step 2 of 20",
        "▎ 1 / 0",
        "ZeroDivisionError: division by zero",
        "step 3 of 20",
        "━━ answer ━━",
        "\n42\n",
        "3 steps · ",
    ]
    places = [shown.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)


def test_a_member_is_shown_where_its_lead_is_and_set_apart(
    make_agent: MakeAgent, capsys: pytest.CaptureFixture[str]
):
    member = make_agent(
        "print('looking')\nfinal_answer('found')",
        name="researcher",
        description="Looks things up.",
        verbose=True,
    )
    lead = make_agent(
        "x = researcher('Look it up.')\nprint('got', x)",
        "final_answer(x)",
        managed_agents=[member],
        verbose=True,
    )
    assert lead.run("Find it.") == "found"
    shown = capsys.readouterr().out
    assert "│ ── step 1 of 20 · researcher ──" in shown
    assert "│   looking\n" in shown
    assert "\n  got found\n" in shown
    assert shown.index("▎ x = researcher") < shown.index("looking") < shown.index("got found")


def test_what_happened_can_be_replayed_and_the_agent_drawn(
    make_agent: MakeAgent, capsys: pytest.CaptureFixture[str]
):
    agent = make_agent("print('so far')\nx = 1", "final_answer(x)", tools=[double])
    agent.run("Do it.")
    capsys.readouterr()
    agent.replay()
    shown = capsys.readouterr().out
    for part in ("Do it.", "step 1", "▎ x = 1", "  so far", "  = 1", "step 2", "answer", "\n1\n"):
        assert part in shown
    agent.replay(detailed=True)
    assert "told to the model" in capsys.readouterr().out
    agent.visualize()
    assert "double(number: int) -> int" in capsys.readouterr().out
