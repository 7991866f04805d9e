"""How much output validation finds, how much it flags that it should not, and what it costs.

    python benchmarks/validation.py                         everything; half a minute
    python benchmarks/validation.py --seed 3                other samples than those of the tests
    python benchmarks/validation.py --check --json FILE     exit code 1 if a bar is missed, and
                                                            every figure in a file

The corpora are those of the tests (tests/validation/corpora): ordinary outputs of agents' cells,
half of which the tables were tuned on while the other half gives the figure, and the same kinds of
outputs with secrets and personal data planted in them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import command
from side_by_side import Bar, Figure, Measure, Side, interleave, once

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "validation"))

from corpora import ordinary, planted  # type: ignore[import-not-found]

from fumehood.results import Execution
from fumehood.validation import PersonalData, Secrets, Validation

FLAGGED, FOUND = 0.01, 0.98
TRIVIAL_SECONDS = 5e-6
PROSE = ("logs_with_times", "prose_in_languages", "code", "git_logs")
DENSE = ("printed_tables", "arrays_of_integers", "order_tables")
# What a cell may give out, and how it is looked at.
CELLS = {
    "a trivial cell": Execution(value=42, logs="42\n"),
    "a cell without output": Execution(),
    "a short line": Execution(value=[1, 2, 3], logs="the mean of the three numbers is 2.0\n"),
    "a list of 1,000 numbers": Execution(value=[*range(1000)]),
}


def flagged(validation: Validation, each: int, seed: int) -> Figure:
    tuned, held_out = ordinary.halves(each, seed)
    sides, notes = [], []
    for half, samples in (("held out", held_out), ("tuned on", tuned)):
        by_family: Counter[str] = Counter()
        for family, text in samples:
            by_family[family] += bool(validation.check(Execution(logs=text)).findings)
        sides.append(Side(half, once([by_family.total() / len(samples)])))
        notes.append(
            f"{half}: {by_family.total()} of {len(samples):,} flagged {dict(+by_family) or ''}".rstrip()  # noqa: E501
        )
    return Figure(
        "ordinary",
        "Ordinary outputs that are flagged",
        "share",
        sides,
        (Bar("held out", FLAGGED),),
        notes,
    )


def found(validation: Validation, each: int, seed: int) -> Figure:
    all_of: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for kind, _place, text, thing in planted.samples(each, seed):
        checked = validation.check(Execution(logs=text))
        all_of[kind] += 1
        missed[kind] += not checked.findings or thing in checked.logs
    whole = f"all {len(all_of)} kinds"
    sides = [Side(whole, once([1 - missed.total() / all_of.total()]))]
    notes = [f"{all_of.total() - missed.total():,} of {all_of.total():,}"]
    notes += [
        f"{kind}: {all_of[kind] - number} of {all_of[kind]}" for kind, number in (+missed).items()
    ]
    return Figure(
        "planted",
        "Planted secrets and personal data that are found",
        "share found",
        sides,
        (Bar(whole, FOUND),),
        notes,
    )


def text_speed(validation: Validation, quick: bool) -> Figure:
    def measuring(families: tuple[str, ...]) -> Measure:
        execution = Execution(
            logs="\n".join(text for family, text in ordinary.samples(30, 5) if family in families)[
                :200_000
            ]
        )

        def measure() -> float:
            started = time.perf_counter()
            validation.check(execution)
            return len(execution.logs) / (time.perf_counter() - started)

        return measure

    sides = {"prose, code and logs": measuring(PROSE), "tables of numbers": measuring(DENSE)}
    return Figure(
        "text",
        "Text that is looked at",
        "bytes per second",
        interleave(sides, batches=2 if quick else 7),
    )


def cell_cost(validation: Validation, quick: bool) -> Figure:
    times = 100 if quick else 1000

    def measuring(execution: Execution) -> Measure:
        def measure() -> float:
            started = time.perf_counter()
            for _ in range(times):
                validation.check(execution)
            return (time.perf_counter() - started) / times

        return measure

    measured = interleave(
        {name: measuring(execution) for name, execution in CELLS.items()}, batches=2 if quick else 7
    )
    return Figure(
        "cost",
        "What it adds to a cell",
        "seconds",
        measured,
        (Bar("a trivial cell", TRIVIAL_SECONDS),),
    )


FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "ordinary": lambda options: flagged(options.validation, options.each, options.seed or 20240601),
    "planted": lambda options: found(options.validation, options.planted, options.seed or 7),
    "text": lambda options: text_speed(options.validation, options.quick),
    "cost": lambda options: cell_cost(options.validation, options.quick),
}


def main() -> int:
    parser = command.parser(__doc__ or "", FIGURES)
    parser.add_argument("--each", type=int, default=40, help="ordinary samples of each family")
    parser.add_argument("--planted", type=int, default=12, help="planted samples of each kind")
    parser.add_argument(
        "--seed", type=int, default=None, help="other samples than those of the tests"
    )
    options = command.parsed(
        parser, FIGURES, {"detect_secrets": "it is one of those that look for secrets"}
    )
    options.validation = Validation([Secrets(), PersonalData()])
    return command.run(FIGURES, options)


if __name__ == "__main__":
    sys.exit(main())
