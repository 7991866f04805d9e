"""What is shown of each thing that happens in a run, as lines of Rich text. How they reach a screen
is not said here.

No line interprets markup, or holds a control character or one that the screen cannot show; of what
is long there is an excerpt.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, replace
from typing import Any

from rich.text import Text

from fumehood.agent.console import words
from fumehood.agent.console.code import highlighted
from fumehood.agent.console.screen import Line, Rule
from fumehood.agent.console.text import (
    counted,
    encodable,
    excerpt,
    one_blank,
    one_line,
    plainly,
    trimmed,
)
from fumehood.agent.console.values import display_line, value_text
from fumehood.agent.metrics import Metrics
from fumehood.agent.result import RunResult
from fumehood.agent.steps import ActionStep, PlanningStep
from fumehood.errors import AgentError
from fumehood.results import Execution
from fumehood.wire.show import printable

Block = list[Line]

INDENT = Text("  ")
NO_INDENT = Text()
LONGEST_CODE_LINE = 2_000
MOST_STREAMED_LINES = 16


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many lines of each thing are shown, at the beginning and at the end of it."""

    task: tuple[int, int] = (40, 10)
    prose: tuple[int, int] = (80, 20)
    code: tuple[int, int] = (300, 100)
    output: tuple[int, int] = (40, 20)
    value: tuple[int, int] = (30, 10)
    error: tuple[int, int] = (10, 20)
    answer: tuple[int, int] = (200, 50)
    violations: int = 10
    displays: int = 12


DETAILED = Bounds(
    (200, 50), (400, 100), (1_000, 200), (300, 100), (100, 50), (50, 50), (1_000, 200), 50, 50
)

_MARKS = re.compile(r"[ ~^]+")
"""A line of a traceback that points at parts of the line above."""

_GLYPHS = "─━▎│▸…·⠋"


class Look:
    """Makes blocks for one screen. `encoding` is what the screen can show, `level` how much is
    told: 1 or, with details, 2."""

    def __init__(self, encoding: str = "utf-8", level: int = 1) -> None:
        self.encoding = encoding
        self.level = level
        self.bounds = DETAILED if level > 1 else Bounds()
        plain = encodable(_GLYPHS, encoding) != _GLYPHS
        self.dash, self.heavy, self.bar, self.gutter = (
            ("-", "=", "|", "|") if plain else ("─", "━", "▎", "│")
        )
        self.mark, self.dots, self.between = (">", "...", ", ") if plain else ("▸", "…", " · ")
        self.spinner = "|/-\\" if plain else "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

    # -- what happens

    def rule(self, what: str, *more: str, heavy: bool = False, style: str = "cyan") -> Rule:
        """A line across the screen: what begins here, and what else is to be said of it."""
        text = Text(self.clean(plainly(one_line(what, 80))), style=f"bold {style}")
        for part in filter(None, more):
            text.append(self.between).append(self.clean(plainly(one_line(part, 80))), style="dim")
        return Rule(text, self.heavy if heavy else self.dash, style if heavy else "dim")

    def task(self, task: str, images: int = 0) -> Block:
        block = self._lines(task.strip("\n"), self.bounds.task)
        if images:
            block.append(Line(Text(f"with {counted(images, 'picture')}", style="dim")))
        return block

    def thought(self, text: str) -> Block:
        return self._lines(one_blank(trimmed(text)), self.bounds.prose)

    def code(self, code: str) -> Block:
        head, left_out, tail = excerpt(
            plainly(trimmed(code)).expandtabs(4).strip("\n"),
            *self.bounds.code,
            longest_line=LONGEST_CODE_LINE,
        )
        lines = self._coloured(head)
        if left_out:
            lines += [self._left_out(left_out), *self._coloured(tail)]
        bar = Text(f"{self.bar} ", style="blue")
        return [Line(line, bar, bar + Text("    ")) for line in lines]

    def printed(self, text: str) -> Block:
        """What code has printed, when it is over."""
        return self._lines(text, self.bounds.output, INDENT)

    def output_line(self, line: str) -> Line:
        return Line(Text(self.clean(line)), INDENT)

    def output_left_out(self, lines: int) -> Line:
        return Line(self._left_out(lines), INDENT)

    def outcome(self, step: ActionStep) -> Block:
        """Everything of a finished step but its thought, its code and what it printed."""
        execution, block = step.execution, []  # type: Execution | None, Block
        if execution is not None:
            block += self._displays(execution.displays)
            if execution.error is not None or execution.fault is not None:
                block += self._failure(execution)
        if step.error is not None:
            if not words.is_of_the_code(step):
                block += self._error(step.error)
        elif not step.is_final_answer and step.action_output is not None:
            block += self._lines(
                value_text(step.action_output),
                self.bounds.value,
                Text("  = ", style="dim"),
                Text("    "),
            )
        return block

    def costs(self, step: ActionStep) -> Block:
        """What a step took, on a line; with details, what the sandbox says too."""
        lines = [words.costs(step), words.details(step) if self.level > 1 else []]
        return [
            Line(Text(self.clean(self.between.join(line)), style="dim"), INDENT)
            for line in lines
            if line
        ]

    def plan(self, step: PlanningStep) -> Block:
        costs = self.between.join(
            filter(None, [words.seconds(step.timing.duration), *words.tokens(step.token_usage)])
        )
        return [
            *self.thought(step.plan),
            *([Line(Text(costs, style="dim"), INDENT)] if costs else []),
        ]

    def answer(self, output: Any) -> Block:
        return self._lines(
            str.__str__(output) if isinstance(output, str) else value_text(output),
            self.bounds.answer,
        )

    def ending(self, result: RunResult) -> Block:
        """What a run ended with."""
        block = self.answer(result.output) if result.output is not None or result.ok else []
        if (
            result.error is not None and result.state == "error"
        ):  # of the others the words above say enough
            block += self._error(result.error, Text())
        return block

    def totals(self, metrics: Metrics) -> Block:
        return [Line(Text(self.between.join(words.totals(metrics)), style="dim"))]

    def aside(self, title: str, text: str) -> Block:
        """A text that is shown only with details: a prompt, what the model was told."""
        title = f"{title} ({counted(len(text), 'character')})"
        lines = self._lines(text.strip("\n"), self.bounds.task, INDENT)
        return [
            Line(Text(title, style="bold dim"), INDENT),
            *(Line(Text(line.text.plain, style="dim"), INDENT) for line in lines),
        ]

    def ended(self, result: RunResult, *more: str) -> Rule:
        said, style = words.ENDINGS.get(result.state, (result.state, "yellow"))
        return self.rule(said, *more, heavy=True, style=style)

    def said(self, text: str, style: str) -> Block:
        return [Line(Text(self.clean(text), style=style))]

    # -- what goes on

    def streaming(self, text: str, width: int) -> list[Text]:
        """The last lines of what the model has written so far."""
        if not text:
            return []
        # Not the whole of it: this is made ten times a second.
        lines = (
            self.clean(text[-width * MOST_STREAMED_LINES :])
            .expandtabs(4)
            .strip("\n")
            .split("\n")[-MOST_STREAMED_LINES:]
        )
        folded = [
            part
            for line in lines
            for part in textwrap.wrap(line, width, replace_whitespace=False, drop_whitespace=False)
            or [""]
        ]
        return [Text(line) for line in folded[-MOST_STREAMED_LINES:]]

    def progress(self, doing: str, seconds: float, more: list[str]) -> Text:
        """A line that says what goes on, and for how long."""
        turn = self.spinner[int(seconds * 10) % len(self.spinner)]
        text = Text.assemble((f"{turn} ", "cyan"), (f"{doing}, {words.seconds(seconds)}", "dim"))
        for part in more:
            text.append(f"{self.between}{self.clean(one_line(part, 300))}", style="dim")
        return text

    def gutters(self, depth: int) -> Text:
        return Text(f"{self.gutter} " * depth, style="blue")

    # -- parts

    def clean(self, text: str) -> str:
        return encodable(printable(text), self.encoding)

    def _displays(self, displays: tuple[Any, ...]) -> Block:
        shown = displays[: self.bounds.displays]
        mark = Text.assemble("  ", (f"{self.mark} ", "magenta"))
        block = [
            Line(Text(self.clean(display_line(bundle))), mark, Text("    ")) for bundle in shown
        ]
        return block + self._more(len(displays) - len(shown), "display")

    def _failure(self, execution: Execution) -> Block:
        if execution.violations:
            shown = execution.violations[: self.bounds.violations]
            block = [
                Line(Text(self.clean(one_line(str(violation))), style="red"), INDENT)
                for violation in shown
            ]
            block += self._more(len(execution.violations) - len(shown), "reason")
            block.append(Line(Text("refused; nothing was run", style="bold red"), INDENT))
        elif execution.error is not None:
            frames, _, last = printable(execution.error.traceback).rstrip("\n").rpartition("\n")
            block = [
                replace(line, is_below=_MARKS.fullmatch(line.text.plain) is not None)
                for line in self._lines(frames, self.bounds.error, INDENT, style="red")
            ]
            block.append(
                Line(
                    Text(self.clean(one_line(last or str(execution.error))), style="bold red"),
                    INDENT,
                )
            )
        else:
            why = words.FAULTS.get(str(execution.fault), str(execution.fault))
            block = [Line(Text(f"the code was stopped: {why}", style="bold red"), INDENT)]
        if execution.rolled_back:
            block.append(
                Line(
                    Text(
                        "it was undone: variables and files are as they were before it",
                        style="yellow",
                    ),
                    INDENT,
                )
            )
        return block

    def _error(self, error: AgentError, lead: Text = INDENT) -> Block:
        block = self._lines(str(error).strip("\n"), self.bounds.error, lead, style="red")
        if block:
            block[0].text.stylize("bold")
        return block

    def _lines(
        self,
        text: str,
        bounds: tuple[int, int],
        lead: Text = NO_INDENT,
        hang: Text | None = None,
        style: str = "",
    ) -> Block:
        """An excerpt. The first line begins with `lead`, the others with `hang` if that is
        another."""
        head, left_out, tail = excerpt(printable(trimmed(text)), *bounds)
        middle = [self._left_out(left_out)] if left_out else []
        lines = [
            *(Text(self.clean(line), style) for line in head),
            *middle,
            *(Text(self.clean(line), style) for line in tail),
        ]
        return [
            Line(line, lead if number == 0 or hang is None else hang, hang)
            for number, line in enumerate(lines)
        ]

    def _more(self, number: int, what: str) -> Block:
        return (
            [Line(Text(f"{self.dots} and {counted(number, f'more {what}')}", style="dim"), INDENT)]
            if number > 0
            else []
        )

    def _left_out(self, lines: int) -> Text:
        return Text(
            f"{self.dots} {counted(lines, 'line')} left out {self.dots}", style="dim italic"
        )

    def _coloured(self, lines: list[str]) -> list[Text]:
        return (
            list(
                highlighted(encodable("\n".join(lines), self.encoding)).split(
                    "\n", allow_blank=True
                )
            )
            if lines
            else []
        )
