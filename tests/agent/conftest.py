"""Agents whose model says what it is told to, over every executor there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fumehood import CodeAgent, Policy, ReplayModel

from ..containers import Containers

MakeAgent = Callable[..., CodeAgent]

# Every executor that an agent can have on this machine. A new place is one row here.
PLACES = ("local", "inline", "docker")


def turn(code: str, thought: str = "I run this.") -> str:
    """What a well-behaved model writes."""
    return f"{thought}\n```python\n{code}\n```"


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make_agent(place: str, request: pytest.FixtureRequest) -> Iterator[MakeAgent]:
    """Makes agents in each place in turn. Texts in place of a model are what it will say; code
    alone is put in a block."""
    made: list[CodeAgent] = []

    def make(*turns: str, **options: Any) -> CodeAgent:
        if turns:
            options["model"] = ReplayModel(
                [text if "```" in text or "<" in text else turn(text) for text in turns]
            )
        options.setdefault("tools", [])
        if "executor" not in options:
            options.setdefault("executor_type", place)
            if options["executor_type"] == "docker":
                given = options.get("executor_kwargs", {})
                shared: Containers = request.getfixturevalue("containers")
                options["executor_kwargs"] = {
                    "container": shared.fit_for(
                        options.get("policy") or given.get("policy") or Policy()
                    ),
                    **given,
                }
        agent = CodeAgent(**options)
        made.append(agent)
        return agent

    yield make
    for agent in made:
        agent.close()
