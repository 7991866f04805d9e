"""Error recovery: an agent whose code is refused, raises, never ends and dies, and which has its
variables after each of these.

What the model says was written down before, mistakes included, and is said again; what becomes of
its code happens now. A cell that never ends, or crashes the interpreter, is undone: the variables
are those from before it, and only the faulty cell is lost.

    python examples/error_recovery.py
"""

from __future__ import annotations

from fumehood import ActionStep, CodeAgent, ReplayModel

TASK = (
    "How many steps does each number up to 10,000 need in the Collatz sequence, and which needs"
    " most?"
)

TURNS = [
    """I look it up.

```python
import urllib.request
steps = {1: 0}
```""",
    """No network, then. I count, with a table of what is known.

```python
steps = {1: 0}

def count(number):
    if number not in steps:
        steps[number] = 1 + count(number // 2 if number % 2 == 0 else 3 * number + 1)
    return step[number]

count(27)
```""",
    """The table is called `steps`. And a loop instead of the recursion.

```python
def count(number):
    path = []
    while number not in steps:
        path.append(number)
        number = number // 2 if number % 2 == 0 else 3 * number - 1
    for known, number in enumerate(reversed(path), start=steps[number] + 1):
        steps[number] = known
    return steps[path[0]] if path else steps[number]

steps["27 tried"] = True
count(27)
```""",
    """It went round in circles: it is 3n + 1, and I wrote 3n - 1. What the endless cell has done is undone, its mark too.

```python
assert "27 tried" not in steps

def count(number):
    path = []
    while number not in steps:
        path.append(number)
        number = number // 2 if number % 2 == 0 else 3 * number + 1
    for known, number in enumerate(reversed(path), start=steps[number] + 1):
        steps[number] = known
    return steps[path[0]] if path else steps[number]

most = max(range(1, 10_001), key=count)
print(f"27 needs {count(27)}; {most} needs most, {count(most)}")
```""",  # noqa: E501
    """That is the answer.

```python
final_answer({"number": most, "steps": steps[most]})
```""",
]


def became(step: ActionStep) -> str:
    """What became of a step, in a line."""
    execution = step.execution
    if execution is None or execution.error is None:
        return execution.logs.strip() or "fine" if execution else "no code"
    kind = "refused" if execution.violations else execution.fault or "raised"
    undone = ", and undone" if execution.rolled_back else ""
    return f"{kind}{undone}: {execution.error.message.splitlines()[0]}"


def main() -> None:
    print(TASK)
    with CodeAgent(model=ReplayModel(TURNS), step_timeout=1) as agent:
        result = agent.run(TASK, return_full_result=True)
    for step in result.steps:
        print(f"\n{step.step_number}. {step.thought}\n   → {became(step)}")
    print(f"\n{result.output} after {result.metrics.error_count} errors")


if __name__ == "__main__":
    main()
