"""Tree search: try several continuations of a state, keep the best few, and go on from those.

A state is an executor with all that is in it: variables, functions, modules, files. `fork` copies
one in milliseconds, so a step that raises, crashes or never ends costs its fork and nothing else. A
model would propose the steps; here they are a list, and the task is to make numbers of prices that
people have typed.

    python examples/tree_search.py
"""

from __future__ import annotations

from dataclasses import dataclass

from fumehood import LocalPythonExecutor

START = """
prices = ["12.50", " 8.99", "€7,20", "1.299,00", "$45 ", "n/a", "3,5", "€ 60", "free"]

def worth(price):
    if isinstance(price, float):
        return 1
    return 0.9 if price.replace(".", "", 1).isdigit() else -0.1
"""

STEPS = {
    "trim": "prices = [price.strip() for price in prices]",
    "drop currency": "prices = [price.strip('€$') for price in prices]",
    "comma to point": "prices = [price.replace(',', '.') for price in prices]",
    "drop thousands point": (
        "prices = [price.replace('.', '') if ',' in price else price for price in prices]"
    ),
    "drop words": "prices = [price for price in prices if any(map(str.isdigit, price))]",
    "drop the rest": "prices = [price for price in prices if worth(price) > 0]",
    "to numbers": "prices = [float(price) for price in prices]",
}

SCORE = "sum(map(worth, prices))"


@dataclass
class State:
    executor: LocalPythonExecutor
    path: tuple[str, ...]
    score: float


def search(start: LocalPythonExecutor, *, width: int, depth: int) -> State:
    """The best state within `depth` steps, going on from the `width` best each time. Its executor
    is the caller's to close."""
    beam = [State(start.fork(), (), start.run(SCORE).value)]
    seen = set()
    for _ in range(depth):
        grown = []
        for state in beam:
            for step, fork in zip(STEPS, state.executor.fork(len(STEPS)), strict=True):
                tried = fork.run(f"{STEPS[step]}\n{SCORE}")
                if tried.ok and (prices := str(fork.state["prices"])) not in seen:
                    seen.add(prices)
                    grown.append(State(fork, (*state.path, step), tried.value))
                else:
                    fork.close()
        ranked = sorted([*beam, *grown], key=lambda state: state.score, reverse=True)
        beam = ranked[:width]
        for state in ranked[width:]:
            state.executor.close()
    for state in beam[1:]:
        state.executor.close()
    return beam[0]


def main() -> None:
    with LocalPythonExecutor() as start:
        start.run(START)
        print("given:", *map(repr, start.state["prices"]))
        for width in (1, 6):
            best = search(start, width=width, depth=7)
            with best.executor as executor:
                print(
                    f"\nkeeping the best {width}:"
                    if width > 1
                    else "\nalways going on from the best:"
                )
                print("  " + " → ".join(best.path))
                print("  " + " ".join(map(str, executor.state["prices"])))


if __name__ == "__main__":
    main()
