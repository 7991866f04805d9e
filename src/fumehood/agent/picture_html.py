"""A finished run as HTML, for notebooks: one self-contained piece without scripts, bounded in size.

Everything in it that came from a model or a sandbox is escaped text inside `pre` or `code`. That it
is always one of them matters: notebooks look for formulas in everything else, and a formula can
hold a link that runs a script. No attribute holds such text. Of displays only pictures are shown as
what they are, those whose bytes begin as a PNG, JPEG or GIF does; HTML, SVG and everything else a
sandbox has made is not for a page that holds somebody's notebook.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from fumehood.agent.console import words
from fumehood.agent.console.code import coloured
from fumehood.agent.console.text import (
    beginning,
    counted,
    encodable,
    excerpt,
    one_blank,
    one_line,
    plainly,
    trimmed,
)
from fumehood.agent.console.values import display_line, value_text
from fumehood.agent.result import RunResult
from fumehood.agent.steps import ActionStep, PlanningStep
from fumehood.wire.show import printable

MOST_TEXT = 1_000_000
"""Characters of text in one page; steps that no longer fit are counted."""

MOST_PICTURES = 8_000_000
"""Bytes of pictures in one page."""

MOST_STEPS = 200
_MOST_DISPLAYS = 50

_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)

_STYLE = """
.fh-run{font-size:13px;line-height:1.45;max-width:1000px}
.fh-run pre{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;margin:2px 0 6px;padding:0;\
white-space:pre-wrap;overflow-wrap:anywhere;font-size:12.5px;line-height:1.45;background:none;border:0;color:inherit;max-height:480px;overflow:auto}
.fh-run pre.fh-prose{font-family:inherit;font-size:13px}
.fh-run pre.fh-code{padding:6px 10px;background:rgba(128,128,128,.10);border-left:3px solid #4a90d9;white-space:pre;overflow-wrap:normal}
.fh-run pre.fh-answer{font-size:14px;padding:6px 10px;border-left:3px solid #3a9d5d;background:rgba(58,157,93,.08)}
.fh-run pre.fh-error{color:#d0453e}
.fh-run pre.fh-note{opacity:.65;font-family:inherit}
.fh-run details{margin:0;padding:3px 0;border-top:1px solid rgba(128,128,128,.25)}
.fh-run details>*:not(summary){margin-left:18px}
.fh-run summary{cursor:pointer}
.fh-run summary code{font-family:inherit;font-size:inherit;background:none;color:inherit;padding:0}
.fh-run img{max-width:100%;display:block;margin:6px 0 6px 18px;background:#fff}
.fh-run table{border-collapse:collapse;margin:6px 0;font-size:12px}
.fh-run td,.fh-run th{text-align:right;padding:1px 10px 1px 0;border:0;background:none}
.fh-run th{font-weight:normal;opacity:.65}
.fh-run .fh-dim{opacity:.6}
.fh-run .fh-bad{color:#d0453e}.fh-run .fh-warn{color:#b58116}.fh-run .fh-good{color:#3a9d5d}
.fh-run .fh-k{color:#a855b5}.fh-run .fh-s{color:#3a8a4a}.fh-run .fh-e,.fh-run .fh-n,.fh-run .fh-b{color:#2487a3}
.fh-run .fh-f{color:#3b7dd0}.fh-run .fh-d{color:#b58116}.fh-run .fh-c{opacity:.6;font-style:italic}.fh-run .fh-x{color:#d0453e}
"""  # noqa: E501

_COLOURS = {"green": "fh-good", "yellow": "fh-warn", "red": "fh-bad"}


def html(result: RunResult) -> str:
    """The page of a run."""
    return _Page().of(result)


class _Page:
    def __init__(self) -> None:
        self._text = MOST_TEXT
        self._pictures = MOST_PICTURES

    def of(self, result: RunResult) -> str:
        # First what is most wanted: when there is no room for everything, it is the last steps that
        # go.
        parts = [
            self._ending(result),
            _metrics(result),
            self._task(result.task),
            *self._steps(result.steps),
        ]
        return (
            '<div class="fh-run tex2jax_ignore'
            f' mathjax_ignore"><style>{_STYLE}</style>{"".join(parts)}</div>'
        )

    def _ending(self, result: RunResult) -> str:
        said, colour = words.ENDINGS.get(result.state, ("ended", "yellow"))
        parts = [f'<div><b class="{_COLOURS[colour]}">{escape(said)}</b></div>']
        if result.output is not None or result.ok:
            text = (
                str.__str__(result.output)
                if isinstance(result.output, str)
                else value_text(result.output)
            )
            parts.append(self._pre(text, "fh-answer", (400, 100)))
        if result.error is not None and not result.ok:
            parts.append(self._pre(str(result.error), "fh-error", (20, 20)))
        return "".join(parts)

    def _task(self, task: str) -> str:
        return f"<details><summary>task</summary>{self._pre(task, 'fh-prose', (200, 50))}</details>"

    def _steps(self, steps: list[ActionStep | PlanningStep]) -> Iterable[str]:
        for number, step in enumerate(steps):
            if self._text <= 0 or number >= MOST_STEPS:
                yield (
                    f'<pre class="fh-note">… and {counted(len(steps) - number, "more step")}</pre>'
                )
                return
            yield self._plan(step) if isinstance(step, PlanningStep) else self._step(step)

    def _plan(self, step: PlanningStep) -> str:
        costs = " · ".join(
            filter(None, [words.seconds(step.timing.duration), *words.tokens(step.token_usage)])
        )
        plan = self._pre(one_blank(step.plan), "fh-prose", (200, 50))
        return (
            "<details><summary>plan <span"
            f' class="fh-dim">{escape(costs)}</span></summary>{plan}</details>'
        )

    def _step(self, step: ActionStep) -> str:
        bad = step.error is not None
        prose = printable(
            step.thought if step.code_action is not None else step.model_output
        ).strip()
        about = beginning(prose, 120)
        displays = [self._display(bundle) for bundle in step.displays[:_MOST_DISPLAYS]]
        parts = [
            f"<details{' open' if any('<img' in shown for shown in displays) else ''}><summary>",
            (
                f'<b class="{"fh-bad" if bad else "fh-good" if step.is_final_answer else ""}">step'
                f" {int(step.step_number)}</b> "
            ),
            f"<code>{escape(encodable(about, 'utf-8'))}</code>",
            f' <span class="fh-dim">{escape(words.seconds(step.duration))}</span></summary>',
            self._pre(one_blank(prose), "fh-prose", (200, 50)) if prose != about else "",
            self._code(step.code_action) if step.code_action else "",
            *self._outcome(step, displays),
            self._pre(" · ".join([*words.costs(step), *words.details(step)]), "fh-note", (5, 0)),
            "</details>",
        ]
        return "".join(parts)

    def _outcome(self, step: ActionStep, displays: list[str]) -> Iterable[str]:
        execution = step.execution
        if execution is not None:
            yield self._pre(execution.logs, "", (300, 100))
            yield from displays
            if len(execution.displays) > len(displays):
                yield (
                    '<pre class="fh-note">… and'
                    f" {counted(len(execution.displays) - len(displays), 'more display')}</pre>"
                )
            if execution.violations:
                yield self._pre(
                    "\n".join(map(str, execution.violations[:50])), "fh-error", (100, 0)
                )
            elif execution.error is not None:
                yield self._pre(
                    execution.error.traceback or str(execution.error), "fh-error", (30, 30)
                )
        if step.error is not None and not words.is_of_the_code(step):
            yield self._pre(str(step.error), "fh-error", (30, 30))
        if step.error is None and not step.is_final_answer and step.action_output is not None:
            yield self._pre(f"= {value_text(step.action_output)}", "", (100, 50))
        if execution is not None and execution.rolled_back:
            yield (
                '<pre class="fh-note">it was undone: variables and files are as they were before'
                " it</pre>"
            )

    def _display(self, bundle: Any) -> str:
        text = bundle.get("text/plain") if isinstance(bundle, Mapping) else None
        lines = text[:20_000] if isinstance(text, str) and "\n" in text.strip("\n") else ""
        return (
            self._pre(display_line(bundle), "fh-note", (1, 0))
            + self._pre(lines, "", (60, 20))
            + self._picture(bundle)
        )

    def _picture(self, bundle: Any) -> str:
        for data in bundle.values() if isinstance(bundle, Mapping) else ():
            kind = next(
                (
                    mime
                    for begins, mime in _PICTURES
                    if isinstance(data, bytes) and data.startswith(begins)
                ),
                None,
            )
            if kind is not None and len(data) > self._pictures:
                return '<pre class="fh-note">… too large for this page</pre>'
            if kind is not None:
                self._pictures -= len(data)
                return (
                    '<img alt="picture"'
                    f' src="data:{kind};base64,{base64.b64encode(data).decode()}">'
                )
        return ""

    def _code(self, code: str) -> str:
        shown = encodable(_excerpt(plainly(trimmed(code)).strip("\n"), (600, 200)), "utf-8")
        pieces = [(text, f"fh-{colour.html}" if colour else "") for text, colour in coloured(shown)]
        inner = "".join(
            f'<span class="{name}">{escape(text)}</span>' if name else escape(text)
            for text, name in pieces
        )
        self._text -= len(inner)
        return f'<pre class="fh-code">{inner}</pre>'

    def _pre(self, text: str, name: str, bounds: tuple[int, int]) -> str:
        """Text of untrusted origin. Nothing for nothing."""
        shown = encodable(_excerpt(printable(trimmed(text)).strip("\n"), bounds), "utf-8")
        if not shown.strip():
            return ""
        inner = escape(shown)
        self._text -= len(inner)
        return f'<pre class="{name}">{inner}</pre>' if name else f"<pre>{inner}</pre>"


def _excerpt(text: str, bounds: tuple[int, int]) -> str:
    head, left_out, tail = excerpt(text, *bounds)
    middle = [f"… {counted(left_out, 'line')} left out …"] if left_out else []
    return "\n".join([*head, *middle, *tail])


def _metrics(result: RunResult) -> str:
    metrics = result.metrics
    rows = [
        ("steps", f"{metrics.steps_used:,}"),
        ("tokens in", f"{metrics.token_usage.input_tokens:,}"),
        ("tokens out", f"{metrics.token_usage.output_tokens:,}"),
        ("time", words.seconds(metrics.execution_time)),
        ("model", words.seconds(metrics.model_seconds)),
        ("code", words.seconds(metrics.cell_seconds)),
        ("errors", f"{metrics.error_count:,}"),
        ("cells", f"{len(metrics.code_cells):,}"),
    ]
    imports = one_line(", ".join(metrics.imports_used), 300)
    heads = "".join(f"<th>{escape(name)}</th>" for name, _ in rows)
    cells = "".join(f"<td>{escape(value)}</td>" for _, value in rows)
    used = (
        '<div><span class="fh-dim">imports</span>'
        f" <code>{escape(encodable(imports, 'utf-8'))}</code></div>"
        if imports
        else ""
    )
    return f"<table><tr>{heads}</tr><tr>{cells}</tr></table>{used}"
