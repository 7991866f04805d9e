"""The chart of what was measured: benchmarks/results.json as a picture.

    python benchmarks/chart.py benchmarks/results.json benchmarks/chart.svg

A row is one thing to do, and how long it takes: fumehood's dot, and those of others measured in the
same run, side by side. The scale is logarithmic. A row whose sides were not measured is left out.
The same figures give the same picture, byte for byte.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import results
from side_by_side import shown

OURS, THEIRS, FAINT, INK = "#0b7285", "#e8590c", "#ced4da", "#343a40"


@dataclass(frozen=True)
class Row:
    """What is done; where it was measured (benchmark, figure); our side, and others by what they
    are called here."""

    what: str
    benchmark: str
    figure: str
    ours: str
    others: dict[str, str]


ROWS = (
    Row("import", "startup", "import", "import fumehood", {"smolagents": "import smolagents"}),
    Row(
        "a host's tool, called from code",
        "sandbox",
        "call",
        "fumehood, jail",
        {"Monty": "pydantic-monty"},
    ),
    Row(
        "a trivial cell, a new text each time",
        "sandbox",
        "cell",
        "fumehood, jail",
        {"Monty": "pydantic-monty"},
    ),
    Row(
        "a trivial cell, the same text",
        "sandbox",
        "cell",
        "fumehood, jail, same text",
        {"Monty": "pydantic-monty, same text"},
    ),
    Row(
        "a fresh sandbox, until its first result",
        "sandbox",
        "fresh",
        "fumehood, first cell answered",
        {
            "bwrap … python": "bwrap … python -c 'import numpy, pandas'",
            "docker run … true": "docker run … true",
        },
    ),
    Row(
        "a snapshot, a million ints",
        "branching",
        "list",
        "fumehood, snapshot",
        {"Monty": "pydantic-monty, dump"},
    ),
    Row(
        "going back to it",
        "branching",
        "list",
        "fumehood, restore",
        {"Monty": "pydantic-monty, load_session"},
    ),
    Row(
        "an executor from a warm pool",
        "branching",
        "checkout",
        "from a warm pool",
        {"without a pool": "without a pool"},
    ),
    Row(
        "an agent's own time a step",
        "agent",
        "overhead",
        "fumehood, jail",
        {"smolagents": "smolagents"},
    ),
    Row(
        "a container, from nothing to a result",
        "docker",
        "first",
        "DockerExecutor, first result",
        {"docker run … true": "docker run … true", "smolagents": "smolagents' DockerExecutor"},
    ),
    Row(
        "a trivial cell in a container",
        "docker",
        "cell",
        "on_fault='keep', another text each time",
        {"smolagents": "smolagents' DockerExecutor"},
    ),
)


@dataclass(frozen=True)
class Drawn:
    """A row with its numbers."""

    what: str
    ours: float
    others: dict[str, float]

    @property
    def ratio(self) -> str:
        """How many times as fast as the fastest of the others."""
        if not self.others:
            return ""
        factor = min(self.others.values()) / self.ours
        return f"{factor:,.{2 if factor < 1 else 1 if factor < 10 else 0}f}x"


def rows(report: dict[str, Any]) -> list[Drawn]:
    """What can be drawn of these results, the quickest of ours first."""
    drawn = []
    for row in ROWS:
        figures = {
            figure["name"]: figure
            for figure in report["benchmarks"].get(row.benchmark, {}).get("figures", ())
        }
        sides = figures.get(row.figure, {}).get("sides", {})
        if row.ours in sides:
            others = {
                name: sides[side]["median"] for name, side in row.others.items() if side in sides
            }
            drawn.append(Drawn(row.what, sides[row.ours]["median"], others))
    return sorted(drawn, key=lambda row: row.ours)


def beside(value: float, values: list[float]) -> dict[str, Any]:
    """Where the words of a dot go: outward, and those of one in the middle above it."""
    if value == min(values):
        return {"xytext": (-8, 0), "ha": "right", "va": "center"}
    if value == max(values):
        return {"xytext": (8, 0), "ha": "left", "va": "center"}
    return {"xytext": (0, 6), "ha": "center", "va": "bottom"}


def draw(report: dict[str, Any], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update(
        {
            "svg.hashsalt": "fumehood",
            "font.family": "DejaVu Sans",
            "font.size": 10,
            "text.color": INK,
        }
    )
    import matplotlib.pyplot as plt

    found = rows(report)
    if not found:
        raise SystemExit("nothing that was measured is in the chart's rows")
    figure, axes = plt.subplots(figsize=(9.6, 1.3 + 0.46 * len(found)))
    values = [value for row in found for value in (row.ours, *row.others.values())]
    low, high = min(values) / 60, max(values) * 1000  # room for words
    for at, row in enumerate(reversed(found)):
        dots = {"": row.ours, **row.others}
        axes.plot(
            [min(dots.values()), max(dots.values())],
            [at, at],
            color=FAINT,
            linewidth=2.5,
            zorder=1,
            solid_capstyle="round",
        )
        for name, value in dots.items():
            colour = THEIRS if name else OURS
            axes.scatter([value], [at], s=42 if name else 58, color=colour, zorder=2 if name else 3)
            label = f"{name} {shown(value, 'seconds')}".strip()
            place = beside(value, [*dots.values()])
            weight = "normal" if name else "bold"
            axes.annotate(
                label,
                (value, at),
                textcoords="offset points",
                color=colour,
                fontsize=8.5,
                fontweight=weight,
                **place,
            )
        axes.text(
            1.06,
            at,
            row.ratio,
            transform=axes.get_yaxis_transform(),
            ha="right",
            va="center",
            color=OURS,
            fontweight="bold",
        )
    axes.text(
        1.06,
        len(found) - 0.35,
        "times as fast",
        transform=axes.get_yaxis_transform(),
        ha="right",
        va="bottom",
        fontsize=8.5,
        color=OURS,
    )
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.set_ylim(-0.7, len(found) - 0.3)
    axes.set_yticks(range(len(found)), [row.what for row in reversed(found)])
    ticks = [
        power
        for power in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0)
        if low <= power <= high
    ]
    axes.set_xticks(
        ticks,
        [
            (
                f"{tick * 1e6:g} µs"
                if tick < 1e-3
                else f"{tick * 1e3:g} ms"
                if tick < 1
                else f"{tick:g} s"
            )
            for tick in ticks
        ],
    )
    axes.minorticks_off()
    axes.grid(axis="x", color="#f1f3f5", zorder=0)
    axes.tick_params(length=0, labelcolor=INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
    versions = report["versions"]
    peers = ", ".join(
        f"{name} {versions[name]}"
        for name in ("smolagents", "pydantic-monty", "docker", "bubblewrap")
        if name in versions
    )
    quick = "  QUICK: not for quoting." if report["quick"] else ""
    figure.text(
        0.01,
        0.985,
        "How long it takes, side by side in one run",
        fontweight="bold",
        fontsize=12,
        va="top",
    )
    about = (
        f"medians on {report['machine']['cores']} cores, CPython {versions['python']},"
        f" {report['date'][:10]}; {peers}.{quick}"
    )
    figure.text(0.01, 0.01, about, fontsize=7.5, color="#868e96", va="bottom")
    figure.tight_layout(rect=(0, 0.03, 1, 0.95))
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)


def main(source: str, target: str) -> None:
    draw(results.read(Path(source)), Path(target))
    print(f"the chart is in {target}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(
            "which figures, and where to? python benchmarks/chart.py benchmarks/results.json"
            " benchmarks/chart.svg"
        )
    main(*sys.argv[1:])
