"""The E2B executor of another package, as it is, against this server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .service import Service

smolagents = pytest.importorskip("smolagents")
remote_executors = pytest.importorskip("smolagents.remote_executors")


@pytest.fixture(scope="module")
def executor(service: Service) -> Iterator[Any]:
    from smolagents.monitoring import AgentLogger, LogLevel

    made = remote_executors.E2BExecutor(
        ["numpy"], AgentLogger(level=LogLevel.OFF), **service.options()
    )
    yield made
    made.cleanup()


def test_its_tools_run_in_the_sandbox_and_its_final_answer_ends_the_run(executor: Any) -> None:
    tool = smolagents.tool  # its parser knows the decorator by this name only

    @tool
    def double(number: int) -> int:
        """Doubles.

        Args:
            number: what to double
        """
        return number * 2

    executor.send_tools({"double": double, "final_answer": smolagents.FinalAnswerTool()})
    assert executor("double(21)").output == "42"
    answer = executor("final_answer({'answer': double(21), 'pair': (1, 2)})")
    assert answer.is_final_answer and answer.output == {"answer": 42, "pair": (1, 2)}
    long = executor("final_answer('x' * 300_000)")
    assert long.is_final_answer and long.output == "x" * 300_000


@pytest.mark.long
def test_an_agent_of_that_package_solves_a_task_here(service: Service) -> None:
    class Scripted(smolagents.Model):  # type: ignore[misc, name-defined]
        """Says what it was told to say."""

        def __init__(self) -> None:
            super().__init__()
            self.lines = [
                "```python\nkept = 6\nprint(kept)\n```",
                "```python\nfinal_answer(kept * 7)\n```",
            ]

        def generate(self, messages: Any, **options: Any) -> Any:
            text = self.lines.pop(0)
            tags = options.get("stop_sequences") or []
            if any("</code>" in tag for tag in tags):
                text = text.replace("```python\n", "<code>\n").replace("\n```", "\n</code>")
            return smolagents.ChatMessage(role="assistant", content=text)

    agent = smolagents.CodeAgent(
        tools=[],
        model=Scripted(),
        executor_type="e2b",
        executor_kwargs=service.options(),
        verbosity_level=0,
    )
    try:
        assert agent.run("multiply") == 42
    finally:
        agent.cleanup()
