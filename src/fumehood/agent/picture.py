"""What an agent is made of, as a tree: its model, the place where its code runs, its limits, its
tools, and the agents it manages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from fumehood.agent.console.text import beginning, counted, encodable
from fumehood.policy import Policy
from fumehood.tools.prompting import signature_text

_MOST_TOOLS = 100
_MOST_IMPORTS = 30
_LONGEST = 300


def visualize(agent: Any, console: Console | None = None) -> None:
    """Print the tree."""
    shown = console or Console(highlight=False)
    shown.print(tree(agent, shown.encoding))


def tree(agent: Any, encoding: str = "utf-8") -> Tree:
    """The tree, in words that the encoding has."""
    return _Drawing(encoding).of(agent, ())


class _Drawing:
    def __init__(self, encoding: str) -> None:
        self._encoding = encoding

    def of(self, agent: Any, above: tuple[Any, ...]) -> Tree:
        drawn = Tree(self._title(agent), guide_style="dim")
        if any(agent is other for other in above):
            return drawn  # it manages one that manages it
        drawn.add(self._row(("model", "magenta"), (_model(agent.model), "default")))
        drawn.add(self._row(("code runs", "magenta"), (_place(agent), "default")))
        drawn.add(self._row(("limits", "magenta"), (_limits(agent), "default")))
        drawn.add(self._row(("imports", "magenta"), (_imports(agent), "default")))
        tools = {name: tool for name, tool in agent.tools.items() if name != "final_answer"}
        branch = drawn.add(self._row(("tools", "magenta"), ("" if tools else "none", "default")))
        for name, tool in islice(tools.items(), _MOST_TOOLS):
            branch.add(self._tool(name, tool))
        if len(tools) > _MOST_TOOLS:
            branch.add(self._row((f"and {len(tools) - _MOST_TOOLS:,} more", "dim")))
        if agent.managed_agents:
            managed = drawn.add(self._row(("managed agents", "magenta")))
            for member in agent.managed_agents.values():
                managed.add(
                    self.of(member, (*above, agent))
                    if hasattr(member, "tools")
                    else self._title(member)
                )
        return drawn

    def _title(self, agent: Any) -> Text:
        description = getattr(agent, "description", None)
        return self._row(
            (getattr(agent, "name", None) or "agent", "bold cyan"),
            (type(agent).__name__, "dim"),
            (str(description or ""), "default"),
        )

    def _tool(self, name: str, tool: Any) -> Text:
        head, _, rest = signature_text(tool, name).partition("\n")
        about = next(
            (words for words in map(str.strip, rest.replace('"""', "\n").splitlines()) if words), ""
        )
        called = head.removeprefix("async ").removeprefix("def ").removesuffix(":")
        return self._row((called, "green"), (about if about != "..." else "", "dim"))

    def _row(self, *parts: tuple[str, str]) -> Text:
        """Words of untrusted origin side by side, each in its style."""
        row = Text()
        for words, style in parts:
            if shown := encodable(beginning(words, _LONGEST), self._encoding):
                row.append("  " if row else "").append(shown, style)
        return row


def _model(model: Any) -> str:
    kind, name = type(model).__name__, getattr(model, "model_id", "")
    return f"{name} ({kind})" if name else kind


def _place(agent: Any) -> str:
    kind = getattr(agent, "executor_type", "") or type(agent.python_executor).__name__
    try:
        said = agent.python_executor.report().partition(". ")[0]
    except Exception:  # a closed executor, or one of somebody else's
        said = ""
    return f"{kind} ({beginning(said, 160)})" if said else str(kind)


def _policy(agent: Any) -> Policy:
    policy = getattr(agent.python_executor, "policy", None)
    return policy if isinstance(policy, Policy) else Policy()


def _limits(agent: Any) -> str:
    limits = _policy(agent).limits
    parts: Iterable[str] = (
        counted(agent.max_steps, "step"),
        f"{agent.timeout:g} s for a run" if getattr(agent, "timeout", None) else "",
        f"{limits.cell_seconds:g} s for the code of a step" if limits.cell_seconds else "",
        f"{limits.memory_bytes >> 20:,} MB of memory"
        if getattr(agent, "executor_type", "") != "inline"
        else "",
        f"{counted(limits.output_characters, 'character')} of output",
    )
    return ", ".join(part for part in parts if part)


def _imports(agent: Any) -> str:
    policy = _policy(agent)
    added = list(policy.imports)
    default = len(Policy().authorized_imports)
    if "*" in added:
        return "everything"
    more = f" and {len(added) - _MOST_IMPORTS:,} more" if len(added) > _MOST_IMPORTS else ""
    named = ", ".join(added[:_MOST_IMPORTS]) + more
    return (
        f"{named}; and {default} of the standard library"
        if added
        else f"{default} of the standard library"
    )
