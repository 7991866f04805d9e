"""StepPrinter: shows a run on a terminal while it happens. What it shows is made in blocks.py, how
it gets there in screen.py."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import IO, TYPE_CHECKING

from fumehood.agent.console import words
from fumehood.agent.console.text import Excerpt, Lines, counted
from fumehood.agent.events import (
    CodeParsed,
    Event,
    OutputArrived,
    PlanningFinished,
    PlanningStarted,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    SummaryStarted,
    TextArrived,
)
from fumehood.agent.result import RunResult
from fumehood.agent.signals import comes_from_a_signal
from fumehood.agent.steps import (
    ActionStep,
    FinalAnswerStep,
    PlanningStep,
    Step,
    SystemPromptStep,
    TaskStep,
)
from fumehood.wire.show import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from fumehood.agent.console.screen import Line, Rule, Screen

QUIET_SECONDS = 1.0
"""After this long without anything new, a line says what is going on, and for how long."""

_MOST_STREAMED = 20_000
"""Characters of what the model is writing that are kept to be shown meanwhile."""


class StepPrinter:
    """Called with each event of a run. Never raises, whatever becomes of the stream.

    `level` 0 shows nothing, 1 (True) every step, 2 details too. The steps of an agent that works
    for another one are set apart, `depth` times, and its name, `label`, is said with each. Writes
    to `console`, a Rich console, or to `stream`, or to sys.stdout. Without `shows_answer` it is
    left to somebody else to show the answer, below the last line.
    """

    def __init__(
        self,
        level: int = 1,
        *,
        label: str | None = None,
        depth: int = 0,
        console: Console | None = None,
        stream: IO[str] | None = None,
        shows_answer: bool = True,
    ) -> None:
        self.level = int(level)
        self._label = (label or "") if depth else ""
        self._depth = depth
        self._shows_answer = shows_answer
        self._lock = threading.RLock()
        self._screen: Screen | None = None
        self._max_steps = 0
        self._streamed = ""
        self._lines = Lines()
        self._newest = self._since = 0.0
        self._doing = ""
        if self.level <= 0:
            return
        # Late: an agent that shows nothing needs none of it.
        from fumehood.agent.console.blocks import Look
        from fumehood.agent.console.screen import screen_of, standard_output

        target = console or stream
        self._screen = standard_output() if target is None else screen_of(target)
        self._look = Look(self._screen.encoding if self._screen else "ascii", self.level)
        self._begin_step()

    def __call__(self, event: Event) -> None:
        if self._screen is None:
            return

        with self._lock:
            try:
                self._handle(event)
            except Exception as error:  # showing a run is never worth the run
                if comes_from_a_signal(error):
                    raise
                with contextlib.suppress(Exception):
                    self._say(
                        f"(a {type(event).__name__} cannot be shown: {type(error).__name__})",
                        "yellow",
                    )

    def show(self, step: Step) -> None:
        """A step that is over, as it would have been shown while it happened; with details, what
        the model was told too."""
        if self._screen is None:
            return
        with self._lock:
            self._begin_step()
            if isinstance(step, SystemPromptStep):
                if self.level > 1:
                    self._write(self._look.aside("system prompt", step.system_prompt), gap=True)
            elif isinstance(step, TaskStep):
                self._write([self._look.rule(self._label or "task", heavy=True)], gap=True)
                self._write(self._look.task(step.task, len(step.images)))
            elif isinstance(step, PlanningStep):
                self._show_plan(step)
            elif isinstance(step, ActionStep):
                self._start_step(step.step_number)
                self._finish_step(step)
                if self.level > 1:
                    self._write(self._look.aside("told to the model", step.observations), gap=True)
            elif isinstance(step, FinalAnswerStep):
                self._write([self._look.rule("answer", heavy=True, style="green")], gap=True)
                self._write(self._look.answer(step.output))

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """In here nothing is drawn: the terminal is somebody else's."""
        if self._screen is None:
            yield
            return
        with self._screen.paused():
            yield

    # -- events

    def _handle(self, event: Event) -> None:
        match event:
            case TextArrived(text):
                self._streamed = (self._streamed + text)[-_MOST_STREAMED:]
                self._newest = time.monotonic()
            case OutputArrived(text):
                self._newest = time.monotonic()
                skipped, lines = self._lines.feed(text, self._output.wanted)
                if skipped:
                    self._output.skip(skipped)
                self._print(lines)
            case RunStarted():
                self._max_steps = event.max_steps
                steps = f"at most {counted(event.max_steps, 'step')}"
                self._write(
                    [self._look.rule(self._label or event.agent, steps, heavy=True)], gap=True
                )
                self._write(self._look.task(event.task, len(event.images)))
            case StepStarted(number):
                self._start_step(number)
                self._expect("thinking")
            case CodeParsed():
                self._stop_expecting()
                self._show_code(event.thought, event.code)
                self._expect("running")
            case StepFinished(step):
                self._stop_expecting()
                self._finish_step(step)
            case PlanningStarted():
                self._begin_step()
                self._write([self._look.rule("plan", self._label)], gap=True)
                self._expect("planning")
            case PlanningFinished(step):
                self._stop_expecting()
                self._write(self._look.plan(step))
            case SummaryStarted():
                self._begin_step()
                self._say(
                    "the steps are used up; the model is asked for a summary", "yellow", gap=True
                )
                self._expect("summing up")
            case RunFinished(result):
                self._stop_expecting()
                self._finish_run(result)

    def _begin_step(self) -> None:
        self._streamed = ""
        self._lines = Lines()
        self._output = Excerpt(*self._look.bounds.output)
        self._has_code = False
        self._has_output = False

    def _start_step(self, number: int) -> None:
        self._begin_step()
        of = f" of {self._max_steps}" if self._max_steps else ""
        self._write([self._look.rule(f"step {number}{of}", self._label)], gap=True)

    def _show_plan(self, step: PlanningStep) -> None:
        self._write([self._look.rule("plan", self._label)], gap=True)
        self._write(self._look.plan(step))

    def _show_code(self, thought: str, code: str) -> None:
        self._has_code = True
        self._write(self._look.thought(thought))
        self._write(self._look.code(code), gap=bool(thought.strip()))

    def _print(self, lines: Iterable[str]) -> None:
        """Printed output. The first lines are shown as they come; of what follows, the last ones
        when it is over."""
        shown = [
            self._look.output_line(line)
            for made in lines
            if (line := self._output.add(made)) is not None
        ]
        if shown:
            self._write(shown, gap=not self._has_output)
            self._has_output = True

    def _finish_output(self) -> None:
        self._print(self._lines.end())
        if self._output.left_out:
            self._write([self._look.output_left_out(self._output.left_out)])
        self._write(map(self._look.output_line, self._output.end()))

    def _finish_step(self, step: ActionStep) -> None:
        self._finish_output()
        if not self._has_code and step.code_action is not None:
            self._show_code(step.thought, step.code_action)
        elif not self._has_code:
            self._write(self._look.thought(step.model_output))
        if not self._has_output and step.execution is not None and step.execution.logs:
            self._write(self._look.printed(step.execution.logs), gap=True)
            self._has_output = True
        outcome = self._look.outcome(step)
        self._write(outcome, gap=not self._has_output)
        self._write(self._look.costs(step), gap=not (outcome or self._has_output))
        self._begin_step()

    def _finish_run(self, result: RunResult) -> None:
        self._finish_output()
        if self._shows_answer:
            self._write([self._look.ended(result, self._label)], gap=True)
            self._write(self._look.ending(result))
            self._write(self._look.totals(result.metrics))
        else:
            self._write(
                [self._look.ended(result, self._label, *words.totals(result.metrics))], gap=True
            )
            self._write(self._look.ending(replace(result, output=None)) if not result.ok else [])

    # -- what goes on now

    def _expect(self, what: str) -> None:
        """Until told otherwise: the text that the model is writing, and when nothing comes for a
        while, that something goes on."""
        self._doing = what
        self._since = self._newest = time.monotonic()
        if self._screen is not None:
            self._screen.move(self, self._going_on)

    def _stop_expecting(self) -> None:
        self._streamed = ""
        if self._screen is not None:
            self._screen.move(self, None)

    def _going_on(self, width: int) -> list[Text]:
        """Called by the screen, often, from a thread of its own. It takes no lock: who has the
        printer's may wait for the screen's."""
        from rich.text import Text

        gutter = self._gutter()
        room = max(width - gutter.cell_len, 10)
        lines = [Text.assemble(gutter, line) for line in self._look.streaming(self._streamed, room)]
        now = time.monotonic()
        if now - self._newest >= QUIET_SECONDS:
            lines.append(Text.assemble(gutter, self._progress(now - self._since)))
        return lines

    def _progress(self, seconds: float) -> Text:
        waiting, unfinished = self._output.waiting, self._lines.unfinished
        more = [counted(waiting, "more line")] if waiting else []
        return self._look.progress(
            self._doing, seconds, [*more, *([unfinished] if unfinished.strip() else [])]
        )

    # -- writing

    def _gutter(self) -> Text:
        return self._look.gutters(self._depth)

    def _write(self, lines: Iterable[Line | Rule], *, gap: bool = False) -> None:
        if self._screen is not None:
            self._screen.write(lines, self._gutter(), gap=gap)

    def _say(self, text: str, style: str, *, gap: bool = False) -> None:
        self._write(self._look.said(printable(text), style), gap=gap)
