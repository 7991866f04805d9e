"""What `import fumehood` costs, beside smolagents where it is installed: fresh processes that take
turns.

    python benchmarks/startup.py                    half a minute
    python benchmarks/startup.py --check            exit code 1 if the bar is missed

How to read the table: benchmarks/sandbox.py.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from collections.abc import Callable

import command
from side_by_side import Bar, Figure, Measure, interleave

BAR = 60e-3
CODE = "import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
STATEMENTS = {
    "import fumehood": "import fumehood",
    "import fumehood, first cell run": (
        "import fumehood; fumehood.LocalPythonExecutor(isolation='inline').run('1')"
    ),
    "import smolagents": "import smolagents",
}


def importing(statement: str) -> Measure:
    def measure() -> float:
        done = subprocess.run(
            [sys.executable, "-c", CODE.format(statement=statement)],
            capture_output=True,
            text=True,
            check=True,
        )
        return float(done.stdout.split()[-1])

    return measure


def imports(quick: bool, peers: bool) -> Figure:
    there = peers and importlib.util.find_spec("smolagents") is not None
    sides = {
        name: importing(statement)
        for name, statement in STATEMENTS.items()
        if there or "smolagents" not in statement
    }
    measured = interleave(sides, batches=2 if quick else 15)
    return Figure(
        "import",
        "Importing, in a fresh process",
        "seconds",
        measured,
        (Bar("import fumehood", BAR),),
    )


FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "import": lambda options: imports(options.quick, options.others)
}


def main() -> int:
    return command.run(FIGURES, command.parsed(command.parser(__doc__ or "", FIGURES), FIGURES, {}))


if __name__ == "__main__":
    sys.exit(main())
