"""What an agent is made of, as a tree."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from fumehood.agent.picture import tree
from fumehood.executors.local import LocalPythonExecutor
from fumehood.models.replay import ReplayModel
from fumehood.policy import Policy
from fumehood.tools.adopting import as_tools


def fetch(**anything):
    return None


@pytest.fixture
def make():
    """Makes what looks like an agent, around a real executor."""
    made = []

    def make(tools=(), managed=(), policy=None, **fields):
        executor = LocalPythonExecutor(policy=policy or Policy(), isolation="inline")
        made.append(executor)
        known = {
            "name": "lead",
            "description": "Leads.",
            "model": ReplayModel(["x"], model_id="parrot-1"),
            "python_executor": executor,
            "executor_type": "inline",
            "max_steps": 7,
            "timeout": 90.0,
            "tools": as_tools(tools),
            "managed_agents": {agent.name: agent for agent in managed},
        }
        return SimpleNamespace(**{**known, **fields})

    yield make
    for executor in made:
        executor.close()


def drawn(agent, width=160) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(tree(agent))
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def test_agents_that_manage_each_other_are_drawn_once(make):
    one, other = make(name="one"), make(name="other")
    one.managed_agents, other.managed_agents = {"other": other}, {"one": one}
    assert drawn(one).count("one  SimpleNamespace") == 2


def test_hostile_words_are_only_words(make):
    evil = "[red]not markup[/red] \x1b[31m\x9b:smile:\nnext line " + "x" * 10_000
    text = drawn(make(name=evil, description=evil, executor_type=evil))
    assert "[red]not markup[/red] :smile: next line" in text
    assert "\x1b" not in text
    assert len(text) < 5_000
