"""How much output validation finds, how much it flags that it should not, and what it costs.

The corpora are those of the tests (tests/validation/corpora): ordinary outputs of agents' cells, half of which the tables were tuned on
while the other half gives the figure, and the same kinds of outputs with secrets and personal data planted in them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "validation"))

from corpora import ordinary, planted  # type: ignore[import-not-found]

from fumehood.results import Execution
from fumehood.validation import PersonalData, Secrets, Validation

FLAGGED, FOUND = 0.01, 0.98
TRIVIAL_SECONDS = 5e-6

Verdict = tuple[bool, str]


def flagged(validation: Validation, each: int, seed: int) -> tuple[Verdict, dict[str, Any]]:
    tuned, held_out = ordinary.halves(each, seed)
    print(f"ordinary outputs: {len(tuned):,} looked at while the tables were made, {len(held_out):,} not; the figure is of these")
    rates = {}
    for half, samples in (("tuned on", tuned), ("held out", held_out)):
        by_family: Counter[str] = Counter()
        for family, text in samples:
            by_family[family] += bool(validation.check(Execution(logs=text)).findings)
        rates[half] = by_family.total() / len(samples)
        print(f"  {half}: {by_family.total()} of {len(samples):,} flagged, {rates[half]:.2%}  {dict(+by_family) or ''}")
    rate = rates["held out"]
    line = f"{'PASS  ' if rate < FLAGGED else 'MISSED'} ordinary outputs flagged: {rate:.2%}, bar under {FLAGGED:.0%}"
    print(f"  {line}\n")
    return (rate < FLAGGED, line), {"flagged": rates, "samples": len(tuned) + len(held_out)}


def found(validation: Validation, each: int, seed: int) -> tuple[Verdict, dict[str, Any]]:
    all_of: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for kind, _place, text, thing in planted.samples(each, seed):
        checked = validation.check(Execution(logs=text))
        all_of[kind] += 1
        missed[kind] += not checked.findings or thing in checked.logs
    rate = 1 - missed.total() / all_of.total()
    print(f"planted things: {all_of.total():,} of {len(all_of)} kinds")
    for kind, number in all_of.items():
        print(f"  {kind:<24} {number - missed[kind]:>4} of {number:>4}  {1 - missed[kind] / number:>7.1%}")
    line = f"{'PASS  ' if rate > FOUND else 'MISSED'} planted things found: {rate:.2%}, bar over {FOUND:.0%}"
    print(f"  {line}\n")
    return (rate > FOUND, line), {"found": rate, "kinds": {kind: 1 - missed[kind] / all_of[kind] for kind in all_of}}


def seconds(action: Any, times: int) -> float:
    samples = []
    for _ in range(7):
        started = time.perf_counter()
        for _ in range(times):
            action()
        samples.append((time.perf_counter() - started) / times)
    return median(samples)


def cost(validation: Validation) -> tuple[Verdict, dict[str, Any]]:
    prose = "\n".join(
        text for family, text in ordinary.samples(30, 5) if family in ("logs_with_times", "prose_in_languages", "code", "git_logs")
    )
    dense = "\n".join(
        text for family, text in ordinary.samples(30, 5) if family in ("printed_tables", "arrays_of_integers", "order_tables")
    )
    clean = [(name, text[:200_000]) for name, text in (("prose, code and logs", prose), ("tables of numbers", dense))]
    figures: dict[str, Any] = {}
    print("what it costs")
    for name, text in clean:
        execution = Execution(logs=text)
        figures[name] = len(text) / 1e6 / seconds(lambda execution=execution: validation.check(execution), 1)
        print(f"  {name:<24} {figures[name]:>6.1f} MB/s of what is printed")
    for name, execution in (
        ("a trivial cell", Execution(value=42, logs="42\n")),
        ("a cell without output", Execution()),
        ("a short line", Execution(value=[1, 2, 3], logs="the mean of the three numbers is 2.0\n")),
        ("a list of 1,000 numbers", Execution(value=[*range(1000)])),
    ):
        figures[name] = seconds(lambda execution=execution: validation.check(execution), 1000)
        print(f"  {name:<24} {figures[name] * 1e6:>6.1f} µs")
    passed = figures["a trivial cell"] <= TRIVIAL_SECONDS
    reached, bar = figures["a trivial cell"] * 1e6, TRIVIAL_SECONDS * 1e6
    line = f"{'PASS  ' if passed else 'MISSED'} a trivial cell: {reached:.2f} µs, bar at most {bar:.0f} µs"
    print(f"  {line}")
    return (passed, line), figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=40, help="ordinary samples of each family")
    parser.add_argument("--planted", type=int, default=12, help="planted samples of each kind")
    parser.add_argument("--seed", type=int, default=None, help="other samples than those of the tests")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--check", action="store_true", help="exit code 1 if a bar is missed")
    options = parser.parse_args()
    validation = Validation([Secrets(), PersonalData()])
    verdicts, figures = [], {}
    for name, (verdict, measured) in {
        "ordinary": flagged(validation, options.each, options.seed or 20240601),
        "planted": found(validation, options.planted, options.seed or 7),
        "cost": cost(validation),
    }.items():
        verdicts.append(verdict)
        figures[name] = measured
    if options.json:
        options.json.write_text(json.dumps({"figures": figures, "bars": [{"passed": passed, "line": line} for passed, line in verdicts]}))
    return 1 if options.check and not all(passed for passed, _line in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
