"""Data analysis: an agent with pandas and a plot, over a table that the host hands in, and a table
that comes back.

The table goes into the jail as a DataFrame and the answer comes out as one; neither is pickled on
the way out. What the model says was written down before and is said again, so this needs no
account; the code, its plot and its numbers happen now.

    python examples/data_analysis.py
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from fumehood import CodeAgent, ReplayModel

PLOT = Path("stations.png")
TASK = (
    "`readings` has a temperature of four stations a day. Which station is broken, and since when?"
    " Give the others' weekly means."
)

TURNS = [
    """The spread of each station tells how much it lives.

```python
import pandas as pd
print(readings.describe().round(2).loc[["mean", "std", "min", "max"]])
daily = readings.diff().abs()
stuck = (daily == 0).sum()
print("days without any change:", stuck.to_dict())
```""",
    """A thermometer that shows the same number for days is broken. I look for the first of those days, and draw all four.

```python
import matplotlib.pyplot as plt
broken = stuck.idxmax()
since = daily.index[daily[broken] == 0][0] - pd.Timedelta(days=1)
print(broken, "since", since.date())
axes = readings.plot(figsize=(8, 3.5), linewidth=1)
axes.axvline(since, color="black", linestyle=":")
axes.set_ylabel("°C")
plt.tight_layout()
plt.show()
```""",  # noqa: E501
    """The other three, week by week.

```python
weekly = readings.drop(columns=broken).resample("W").mean().round(1)
final_answer({"broken": broken, "since": since.to_pydatetime(), "weekly": weekly})
```""",
]


def readings() -> pd.DataFrame:
    """Six weeks of four stations, the same each time; one of them stops in the fourth week."""
    days = pd.date_range("2026-03-02", periods=42, freq="D")
    stations = {"harbour": 6.0, "hill": 2.5, "airport": 5.0, "forest": 3.5}
    table = pd.DataFrame(
        {
            name: [
                round(base + day * 0.15 + 2.0 * ((day * 7 + 3 * number) % 11 - 5) / 5, 1)
                for day in range(len(days))
            ]
            for number, (name, base) in enumerate(stations.items())
        },
        index=days,
    )
    table.loc["2026-03-26":, "airport"] = table.loc["2026-03-26", "airport"]
    return table


def main() -> None:
    with CodeAgent(
        model=ReplayModel(TURNS), additional_authorized_imports=["pandas", "matplotlib"]
    ) as agent:
        result = agent.run(TASK, additional_args={"readings": readings()}, return_full_result=True)
    for step in result.steps:
        print(f"-- step {step.step_number}: {step.thought}\n{step.execution.logs}")
        for bundle in step.displays:
            PLOT.write_bytes(bundle["image/png"])
    answer = result.output
    print(f"{answer['broken']} is broken since {answer['since']:%d %B}; the plot is in {PLOT}")
    print("weekly means of the others, a DataFrame on the host again:")
    print(answer["weekly"])


if __name__ == "__main__":
    main()
