"""What `import fumehood` costs, beside smolagents where it is installed: fresh processes, interleaved, best and median.

Bar: at most 60 ms.   python benchmarks/startup.py [--rounds 15]
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import subprocess
import sys

BAR_MS = 60.0
CODE = "import time; t = time.perf_counter(); {statement}; print((time.perf_counter() - t) * 1000)"
STATEMENTS = {
    "fumehood": "import fumehood",
    "fumehood, first cell run": "import fumehood; fumehood.LocalPythonExecutor(isolation='inline').run('1')",
    "smolagents": "import smolagents",
}


def one(statement: str) -> float:
    done = subprocess.run([sys.executable, "-c", CODE.format(statement=statement)], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    names = [name for name in STATEMENTS if name != "smolagents" or importlib.util.find_spec("smolagents")]
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            times[name].append(one(STATEMENTS[name]))
    reference = statistics.median(times["fumehood"])
    print(f"{'statement':28} {'best ms':>9} {'median ms':>10} {'ratio':>8}")
    for name, measured in times.items():
        median = statistics.median(measured)
        print(f"{name:28} {min(measured):9.2f} {median:10.2f} {median / reference:7.1f}x")
    print(f"import fumehood: median {reference:.2f} ms, bar {BAR_MS:g} ms: {'PASS' if reference <= BAR_MS else 'MISSED'}")


if __name__ == "__main__":
    main()
