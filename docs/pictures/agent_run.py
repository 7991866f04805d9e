"""The picture of the README: an agent's run on a terminal, as SVG.

    make picture            writes docs/pictures/agent_run.svg

The run is a real one, in the jail; only what the model says was written down before. What is drawn
is what `CodeAgent(verbose=True)` shows, without the times, which are never twice the same: the same
code gives the same picture, byte for byte.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from fumehood import ChatMessage, CodeAgent, ReplayModel, TokenUsage
from fumehood.agent.console.printer import StepPrinter

PICTURE = Path(__file__).with_suffix(".svg")
WIDTH = 96
TASK = "Which product's revenue grew most from the first quarter to the second? See `orders`."

TURNS = [
    """1. Look at the table and compute the revenue of each product in each quarter.
2. Compare the two quarters, and answer with the product and its growth.""",
    """Revenue by product and quarter, and the growth from one to the other.

```python
quarter = orders["date"].dt.quarter
print(orders.groupby(quarter).size().to_dict(), "orders a quarter")
revenue = orders.groupby(["product", quarter])["revenue"].sum().unstack()
```""",
    """There is no column `revenue`: it is price times pieces. The rest of the plan holds.

```python
orders["revenue"] = orders["price"] * orders["pieces"]
revenue = orders.groupby(["product", quarter])["revenue"].sum().unstack()
growth = (revenue[2] / revenue[1] - 1).sort_values(ascending=False)
print(growth.map("{:+.0%}".format).to_string())
final_answer(f"{growth.index[0]} grew most, by {growth.iloc[0]:.0%}")
```""",
]

# Of each turn, as ReplayModel estimates them from the length of what is said.
TOKENS = [(713, 38), (706, 66), (851, 104)]

# Dark enough for a light page, light enough for a dark one.
THEME = TerminalTheme(
    (22, 27, 34),
    (201, 209, 217),
    [
        (72, 79, 88),
        (255, 123, 114),
        (63, 185, 80),
        (210, 153, 34),
        (88, 166, 255),
        (188, 140, 255),
        (57, 197, 207),
        (177, 186, 196),
    ],
    [
        (110, 118, 129),
        (255, 161, 152),
        (86, 211, 100),
        (227, 179, 65),
        (121, 192, 255),
        (210, 168, 255),
        (86, 212, 221),
        (240, 246, 252),
    ],
)
# No font is fetched from anywhere: whoever looks at it has one of these, and each run of letters is
# told how wide it is.
FORMAT = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {terminal_width} {terminal_height}" role="img" aria-label="an agent's run">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; white-space: pre; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
<rect width="{terminal_width}" height="{terminal_height}" rx="8" fill="#161b22"/>
<g transform="translate(14, 10) scale(0.977)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix" xml:space="preserve">
{matrix}
</g>
</g>
</svg>
"""  # noqa: E501

_SECONDS = r"[\d.,]+ (?:µs|ms|s|min)(?: \d+ s)?"
_TIMES = re.compile(rf"(?:(?:model |code )?{_SECONDS} · )+")


def orders() -> pd.DataFrame:
    """Half a year of orders, the same each time."""
    products = {"lamp": (39.0, 1.2), "chair": (89.0, 0.9), "desk": (240.0, 1.6)}
    rows = []
    for day, date in enumerate(pd.date_range("2026-01-01", "2026-06-30", freq="D")):
        for number, (product, (price, factor)) in enumerate(products.items()):
            if (day + number) % 3 == 0:
                rows.append(
                    (date, product, price, round((2 + day % 4) * (factor if date.month > 3 else 1)))
                )
    return pd.DataFrame(rows, columns=["date", "product", "price", "pieces"])


def terminal() -> str:
    """What the run writes to a terminal, colours included."""
    written = io.StringIO()
    console = Console(
        file=written,
        width=WIDTH,
        force_terminal=True,
        color_system="standard",
        legacy_windows=False,
        highlight=False,
        force_interactive=False,
    )
    turns = [
        ChatMessage("assistant", text, token_usage=TokenUsage(*tokens))
        for text, tokens in zip(TURNS, TOKENS, strict=True)
    ]
    with CodeAgent(
        model=ReplayModel(turns),
        additional_authorized_imports=["pandas"],
        max_steps=6,
        planning_interval=6,
        name="analyst",
        on_event=StepPrinter(console=console),
    ) as agent:
        agent.run(TASK, additional_args={"orders": orders()})
    return _TIMES.sub("", written.getvalue())


def draw(target: Path) -> None:
    recording = Console(
        file=io.StringIO(),
        width=WIDTH,
        record=True,
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    recording.print(Text.from_ansi(terminal().strip("\n")))
    target.write_text(
        recording.export_svg(theme=THEME, code_format=FORMAT, unique_id="run"), encoding="utf-8"
    )


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
