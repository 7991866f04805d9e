"""What `make demo` shows: an agent at work on a year of sales, offline.

What the model wrote was written down before (sales_turns.json) and is said again; everything else
happens now: the code runs in the jail, its mistakes are its own, and so are the chart and the
numbers.
"""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fumehood import ChatMessage, CodeAgent, JailUnavailable, ReplayModel, RunResult, TokenUsage

HERE = Path(__file__).parent
CHART = Path("sales-chart.png")
TASK = """\
A company sold, from January to December of one year, for 45,000, 52,000, 48,000, 61,000, 55,000, 72,000, 68,000, 71,000, 64,000,
78,000, 82,000 and 95,000. Find the total, the monthly average, the best and the worst month, the growth from quarter to quarter, and
the month that grew most over the one before. Draw a chart of the year."""  # noqa: E501


def recorded() -> ReplayModel:
    turns = json.loads((HERE / "sales_turns.json").read_text())
    return ReplayModel(
        [
            ChatMessage(
                "assistant",
                turn["content"],
                token_usage=TokenUsage(turn["input_tokens"], turn["output_tokens"]),
            )
            for turn in turns
        ]
    )


def agent(executor_type: str) -> CodeAgent:
    imports = ["statistics", "matplotlib"]
    return CodeAgent(
        tools=[],
        model=recorded(),
        max_steps=8,
        additional_authorized_imports=imports,
        executor_type=executor_type,
        verbose=True,
    )


def measured(result: RunResult) -> Table:
    metrics = result.metrics
    table = Table(
        title="metrics", title_justify="left", box=None, show_header=False, padding=(0, 2)
    )
    for name, value in (
        ("steps used", metrics.steps_used),
        ("errors", metrics.error_count),
        (
            "tokens",
            f"{metrics.token_usage.input_tokens:,} in, {metrics.token_usage.output_tokens:,} out",
        ),
        ("time", f"{metrics.execution_time:.2f} s, of which code {metrics.cell_seconds:.2f} s"),
        ("imports used", ", ".join(metrics.imports_used)),
        ("code cells", len(metrics.code_cells)),
    ):
        table.add_row(Text(name, style="dim"), str(value))
    return table


def main() -> None:
    console = Console(highlight=False)
    try:
        analyst = agent("local")
    except JailUnavailable as error:
        console.print(
            Text(
                f"no jail here: {error}. This process runs the code, without a chart.",
                style="yellow",
            )
        )
        analyst = agent("inline")
    with analyst:
        result = analyst.run(TASK, return_full_result=True)
        console.print(measured(result))
        for bundle in (bundle for step in result.steps for bundle in getattr(step, "displays", ())):
            if "image/png" in bundle:
                CHART.write_bytes(bundle["image/png"])
                console.print(Text(f"the chart is in {CHART}", style="green"))


if __name__ == "__main__":
    main()
