"""Algorithm tracing: what an algorithm does, step by step, told to the host by the code itself
while it runs.

The code is an ordinary Python program; `look` is a tool, so it runs here, outside the jail, and
draws. Two ways to sort the same numbers are compared by what they did and not by a clock.

    python examples/algorithm_tracing.py
"""

from __future__ import annotations

from collections import Counter

from fumehood import LocalPythonExecutor

NUMBERS = [5, 2, 7, 1, 6, 3]

INSERTION = """
def insertion_sort(numbers):
    for end in range(1, len(numbers)):
        at = end
        while at and numbers[at - 1] > numbers[at]:
            numbers[at - 1], numbers[at] = numbers[at], numbers[at - 1]
            at -= 1
            look("swap", numbers, at, at + 1)
    return numbers

insertion_sort(numbers[:])
"""

QUICK = """
def quick_sort(numbers, low=0, high=None):
    high = len(numbers) - 1 if high is None else high
    if low < high:
        pivot, border = numbers[high], low
        for at in range(low, high):
            if numbers[at] < pivot:
                if at != border:
                    numbers[at], numbers[border] = numbers[border], numbers[at]
                    look("swap", numbers, border, at)
                border += 1
        numbers[border], numbers[high] = numbers[high], numbers[border]
        look("pivot", numbers, border, high)
        quick_sort(numbers, low, border - 1)
        quick_sort(numbers, border + 1, high)
    return numbers

quick_sort(numbers[:])
"""


def traced(executor: LocalPythonExecutor, code: str) -> Counter[str]:
    """Runs it, draws each step as it happens, and gives how many there were of each kind."""
    steps: Counter[str] = Counter()

    def look(kind: str, numbers: list[int], first: int, second: int) -> None:
        steps[kind] += 1
        drawn = " ".join(
            f"[{number}]" if at in (first, second) else f" {number} "
            for at, number in enumerate(numbers)
        )
        print(f"  {sum(steps.values()):>2} {kind:<6} {drawn}")

    executor.send_tools({"look": look})
    execution = executor.run(code)
    assert execution.value == sorted(NUMBERS) and len(execution.tool_calls) == sum(steps.values())
    return steps


def main() -> None:
    with LocalPythonExecutor() as executor:
        executor.send_variables({"numbers": NUMBERS})
        for name, code in (("insertion sort", INSERTION), ("quick sort", QUICK)):
            print(f"{name} of {NUMBERS}")
            steps = traced(executor, code)
            print(
                f"  sorted after {', '.join(f'{count} {kind}s' for kind, count in steps.items())}\n"
            )


if __name__ == "__main__":
    main()
