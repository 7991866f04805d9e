"""What an agent costs beside its model and its code: the loop's own time a step, beside smolagents'
where it is installed.

    python benchmarks/agent.py                          a minute
    python benchmarks/agent.py --steps 50               sooner
    python benchmarks/agent.py --check --json FILE      exit code 1 if the bar is missed, and every
                                                        sample in a file

The model answers at once with a step that was written before, and the executor's own time and the
model's are taken off, in both. What is left is the loop: prompts, parsing, observations, memory,
metrics. The runs of both take turns.
"""

from __future__ import annotations

import argparse
import importlib.util
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import command
from side_by_side import Bar, Figure, Measure, interleave, shown

from fumehood import CodeAgent, LocalPythonExecutor

BAR = 2e-3
CODE = "total = sum(range(100))\nprint(total)\ntotal"
TURN = f"I add the numbers and look at the sum.\n```python\n{CODE}\n```"


class Clock:
    """The time that was spent in functions that are not the loop's."""

    def __init__(self) -> None:
        self.spent = 0.0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.spent += time.perf_counter() - started

        return timed


def ours(steps: int, isolation: str) -> Measure:
    clock = Clock()
    executor: Any = LocalPythonExecutor(isolation=isolation, on_fault="keep")  # type: ignore[arg-type]
    executor.run = clock.around(executor.run)
    agent = CodeAgent([], lambda messages, **options: answer(), executor=executor, max_steps=steps)
    answer = clock.around(lambda: TURN)

    def measure() -> float:
        clock.spent = 0.0
        started = time.perf_counter()
        result = agent.run("Add.", return_full_result=True)
        elapsed = time.perf_counter() - started
        assert len(result.steps) == steps and result.metrics.error_count == 0, result.steps[
            -1
        ].error
        return (elapsed - clock.spent) / steps

    return measure


def theirs(steps: int) -> Measure:
    import smolagents
    from smolagents.monitoring import LogLevel

    clock = Clock()
    text = f"Thought: I add the numbers and look at the sum.\n<code>\n{CODE}\n</code>"

    class Written(smolagents.Model):  # type: ignore[misc]
        def generate(self, messages: Any, **options: Any) -> Any:
            started = time.perf_counter()
            answer = smolagents.ChatMessage(role="assistant", content=text)
            clock.spent += time.perf_counter() - started
            return answer

    agent = smolagents.CodeAgent(
        tools=[], model=Written(), max_steps=steps, verbosity_level=LogLevel.OFF
    )
    executor = agent.python_executor
    agent.python_executor = Timed(executor, clock)

    def measure() -> float:
        clock.spent = 0.0
        started = time.perf_counter()
        agent.run("Add.")
        return (time.perf_counter() - started - clock.spent) / steps

    return measure


class Timed:
    """An executor of smolagents whose time is taken off."""

    def __init__(self, executor: Any, clock: Clock) -> None:
        self._executor = executor
        self._call = clock.around(executor.__call__)

    def __call__(self, code: str) -> Any:
        return self._call(code)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._executor, name)


def overhead(steps: int, batches: int, others: bool) -> Figure:
    sides = {"fumehood, jail": ours(steps, "jail"), "fumehood, inline": ours(steps, "inline")}
    if others and importlib.util.find_spec("smolagents"):
        sides["smolagents"] = theirs(steps)
    title = f"The loop's own time a step, in runs of {steps} steps, without model and code"
    bars = (Bar("fumehood, jail", BAR), Bar("fumehood, inline", BAR))
    measured = interleave(sides, batches=batches)
    most = shown(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, "bytes")
    return Figure(
        "overhead",
        title,
        "seconds",
        measured,
        bars,
        [f"the host's memory was never more than {most}"],
    )


FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "overhead": lambda options: overhead(
        options.steps or (20 if options.quick else 200), 2 if options.quick else 5, options.others
    )
}


def main() -> int:
    parser = command.parser(__doc__ or "", FIGURES)
    parser.add_argument("--steps", type=int, help="steps of each run (200; 20 with --quick)")
    return command.run(FIGURES, command.parsed(parser, FIGURES, {}))


if __name__ == "__main__":
    sys.exit(main())
