"""Four programs as a model might write them, and what fumehood makes of each.

They run in the jail, if this machine has what it takes; if not, this says what is missing and shows
the guarded language only.
"""

from __future__ import annotations

from rich.console import Console, Group
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.syntax import Syntax
from rich.text import Text

from fumehood import Execution, JailUnavailable, LocalPythonExecutor
from fumehood.cli.render import shown_value, violation_text
from fumehood.cli.terminal import printable

SALES = """\
figures = [45, 52, 48, 61, 55, 72, 68, 71, 64, 78, 82, 95]
months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
sales = {month: 1000 * figure for month, figure in zip(months, figures)}
"""

ANALYSIS = """\
import statistics
from itertools import pairwise

quarters = [1000 * sum(figures[i : i + 3]) for i in range(0, 12, 3)]
for number, (before, after) in enumerate(pairwise(quarters), start=2):
    print(f"Q{number}: {after:,}  {after / before - 1:+.1%}")
growth = {b: sales[b] / sales[a] - 1 for a, b in pairwise(months)}
final_answer({
    "total": sum(sales.values()),
    "average": round(statistics.mean(sales.values())),
    "best": max(sales, key=sales.get),
    "worst": min(sales, key=sales.get),
    "highest growth": max(growth, key=growth.get),
})
"""

REFUSED = """\
import subprocess
classes = ().__class__.__base__.__subclasses__()
secrets = open("/etc/passwd").read()
"""

MISTAKE = """\
def share(month):
    return sales[month] / sum(sales.values())

print(f"December: {share('Dec'):.1%} of the year")
share("Dez")
"""

ENDLESS = """\
print("counting")
number = 0
while True:
    number += 1
"""

SECTIONS = [
    ("An analysis, in two cells: variables stay", [SALES, ANALYSIS]),
    ("Refused before it ran, with every reason at once", [REFUSED]),
    ("A mistake comes back as Python reports it, and the variables are still there", [MISTAKE]),
    ("A time limit of one second returns after one second", [ENDLESS]),
]


def outcome(execution: Execution) -> Group:
    """What came out of one cell, in the order it happened."""
    parts: list[Text] = []
    if execution.logs:
        parts.append(Text(printable(execution.logs).rstrip("\n")))
    parts += [violation_text(violation) for violation in execution.violations]
    if execution.error is not None and not execution.violations:
        parts.append(Text(printable(execution.error.traceback).rstrip("\n"), style="red"))
    if execution.is_final_answer:
        parts.append(Text.assemble(("final answer: ", "bold green"), shown_value(execution.value)))
    spent = f"{execution.usage.wall_seconds * 1000:,.1f} ms"
    parts.append(Text(f"{spent}, {execution.fault}" if execution.fault else spent, style="dim"))
    return Group(*parts)


def main() -> None:
    console = Console(highlight=False)
    console.print(Rule("[bold]fumehood[/] runs Python that an AI wrote", style="cyan"))
    try:
        executor = LocalPythonExecutor(timeout_seconds=1)
    except JailUnavailable as error:
        console.print(
            Text(
                f"no jail here: {error}. This process runs the code, in the guarded language.",
                style="yellow",
            )
        )
        executor = LocalPythonExecutor(isolation="inline", timeout_seconds=1)
    with executor:
        console.print(Text(printable(executor.report()), style="dim"))
        for title, cells in SECTIONS:
            console.print()
            console.print(Text(title, style="bold cyan"))
            for code in cells:
                console.print(
                    Panel(
                        Syntax(code.rstrip(), "python", background_color="default"),
                        border_style="dim",
                    )
                )
                console.print(Padding(outcome(executor.run(code)), (0, 2)))


if __name__ == "__main__":
    main()
