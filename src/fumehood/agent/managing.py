"""Agents as functions: how one agent gives work to another."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from fumehood.agent.run import CURRENT
from fumehood.agent.steps import ActionStep
from fumehood.asked import shown
from fumehood.errors import AgentError, ToolError

if TYPE_CHECKING:
    from fumehood.agent.code_agent import CodeAgent

_LONGEST_STEP = 400


def as_members(
    agents: Iterable[CodeAgent] | Mapping[str, CodeAgent] | None, taken: Iterable[str]
) -> dict[str, CodeAgent]:
    """Managed agents by their names. Each needs one that code can call it by, and a description for
    its lead to know what for."""
    if isinstance(agents, str) or agents is not None and not isinstance(agents, Iterable):
        raise ToolError(
            f"managed_agents must be a list of agents, not {shown(agents)}; for one, write [it]"
        )
    members: dict[str, CodeAgent] = {}
    for agent in agents.values() if isinstance(agents, Mapping) else agents or ():
        name = getattr(agent, "name", None)
        if not callable(getattr(agent, "run", None)):
            raise ToolError(
                "a managed agent must be an agent, such as a CodeAgent with a name and a"
                f" description, not {shown(agent)}"
            )
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise ToolError(
                "a managed agent needs a name that code can call it by, like name='researcher';"
                f" this one's is {shown(name)}"
            )
        if not getattr(agent, "description", None):
            raise ToolError(
                f"the managed agent {name!r} needs a description, so that its lead knows what it"
                " can be asked"
            )
        if name in members or name in taken:
            raise ToolError(
                f"two tools or managed agents are called {name!r}; give one of them another name"
            )
        members[name] = agent
    return members


def as_function(agent: CodeAgent) -> Callable[..., Any]:
    """What code calls: takes a task, gives back a report."""

    def member(task: str, additional_args: dict[str, Any] | None = None) -> Any:
        return report(agent, task, additional_args)

    member.__name__ = member.__qualname__ = agent.name or "member"
    member.__doc__ = f"""{agent.description}

    Args:
        task: what is to be done, in words, with everything there is to know about it
        additional_args: values to work with, by name
    """
    return member


def report(agent: CodeAgent, task: str, additional_args: dict[str, Any] | None = None) -> Any:
    """Have a member do a task. What comes back is its answer, and how it was found if it was made
    to say."""
    lead = CURRENT.get()
    above = lead
    while above is not None:
        if above.agent is agent:
            raise AgentError(
                f"{agent.name} is waiting for this very answer; it cannot be asked meanwhile: do"
                " this without it"
            )
        above = above.lead
    if not hasattr(agent, "prompt_templates") or not hasattr(agent, "start"):
        return agent.run(task)  # an agent of another kind
    asked = agent.prompt_templates.render("managed_task", name=agent.name, task=task)
    with agent.turn:
        run = agent.start(asked, additional_args=additional_args, lead=lead)
        result = run.go()
    if result.error is not None and result.output is None:
        raise result.error
    if not agent.provide_run_summary:
        return result.output
    steps = "\n".join(
        _shortened(step.thought or step.code_action or "")
        for step in result.steps
        if isinstance(step, ActionStep)
    )
    return agent.prompt_templates.render(
        "managed_report", name=agent.name, report=result.output, steps=steps
    )


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return f"- {line if len(line) <= _LONGEST_STEP else line[:_LONGEST_STEP] + '…'}"
