"""Whether a cell that runs again does what the log says it did.

What is never the same is not compared: addresses of objects, time, memory. The order of a set is
nobody's promise, so sets are compared without it. A cell that was ended from outside, by a limit or
by somebody, ends at another moment each time: of what it printed, as much is compared as both have.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fumehood.audit.values import decode_value, encode_value
from fumehood.errors import AuditError
from fumehood.results import ErrorInfo, Execution
from fumehood.wire.show import bounded_repr, clean_text

ENDED_AT_SOME_MOMENT = frozenset({"timeout", "memory", "killed", "output"})
"""Faults that end a cell at a moment that is another each time."""

UNBOUNDED = 1 << 40
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{4,}")
_LONGEST_SHOWN = 2_000
_MOST_DIFF_LINES = 12


@dataclass(frozen=True, slots=True)
class Difference:
    """The log says one thing, and now it was another. `cell` is 0 between cells; `line` says where
    in the log it stands."""

    session: str
    cell: int
    what: str
    logged: str
    now: str
    line: str = ""

    def __str__(self) -> str:
        where = (
            f"cell {self.cell} of session {self.session}"
            if self.cell
            else f"session {self.session}"
        )
        return (
            f"{where}:"
            f" {self.what}{f' ({self.line})' if self.line else ''}\n{diff(self.logged, self.now)}"
        )


def diff(logged: str, now: str) -> str:
    """The lines that differ, `-` as logged and `+` as now, with two that do not around them."""
    before, after = logged.split("\n"), now.split("\n")
    if len(before) == len(after) == 1:
        return f"  - {logged}\n  + {now}"
    found = [*difflib.unified_diff(before[:2_000], after[:2_000], n=2, lineterm="")][
        3:
    ]  # the first lines name files and a place
    lines = ["    …" if line.startswith("@@") else f"  {line[0]} {line[1:]}" for line in found]
    more = len(lines) - _MOST_DIFF_LINES
    return "\n".join(
        [*lines[:_MOST_DIFF_LINES], *([f"    … and {more} more lines"] if more > 0 else [])]
    )


def masked(text: str) -> str:
    """A text as a log has it, without the addresses of objects in it."""
    return _ADDRESS.sub("at 0x…", clean_text(text))


def canonical(logged: Any) -> str:
    """A value of a line as a text that is the same for equal values."""
    return json.dumps(_settled(logged), sort_keys=True)


def _settled(part: Any) -> Any:
    kind = type(part)
    if kind is str:
        return masked(part)
    if kind is dict:
        return {masked(name): _settled(item) for name, item in part.items()}
    if kind is list:
        items = [_settled(item) for item in part]
        if items and items[0] in (
            "set",
            "frozenset",
        ):  # a set of the wire's form; a plain list that looks like one only loses its order
            return [items[0], *sorted(items[1:], key=lambda item: json.dumps(item, sort_keys=True))]
        if len(items) == 4 and items[0] == "remote":
            items[1] = 0  # the number of an object of the sandbox
        return items
    return part


def is_same_value(logged: Any, value: Any) -> bool:
    """Whether a value is the one that a line tells of."""
    cut = logged.get("$cut") if type(logged) is dict else None
    if type(cut) is not dict:
        return canonical(logged) == canonical(encode_value(value, UNBOUNDED))
    now = encode_value(value, 0)  # as the log would have it, were there no room at all
    mine = now.get("$cut") if type(now) is dict else None
    if type(mine) is not dict or mine.get("type") != cut.get("type"):
        return False
    text = str(cut.get("text"))
    if masked(text) == text and cut.get("sha256") is not None:
        return bool(mine.get("sha256") == cut["sha256"])
    return masked(str(mine.get("text"))) == masked(text)


def shown(logged: Any) -> str:
    """A value of a line, in a few words."""
    try:
        return masked(bounded_repr(decode_value(logged), _LONGEST_SHOWN))
    except AuditError:
        return "<a value that cannot be read>"


def shown_value(value: Any) -> str:
    return masked(bounded_repr(value, _LONGEST_SHOWN))


def compare(
    logged: Execution, value: Any, now: Execution, kept: int
) -> Iterator[tuple[str, str, str]]:
    """What differs: (what, as logged, as now). `value` is the logged one as the line has it; of a
    text that was cut short in its middle `kept` characters are there."""
    hidden = {
        finding.where for finding in logged.findings if finding.action != "report"
    }  # what validators have changed on the way out
    at_some_moment = logged.fault in ENDED_AT_SOME_MOMENT
    if (
        logged.fault == "killed"
    ):  # the moment was somebody's choice, and may have been just before the end
        at_some_moment = True
    elif logged.fault != now.fault and "error" not in hidden:
        yield "fault", _fault(logged), _fault(now)
        return
    if not at_some_moment and "error" not in hidden:
        before, after = _error(logged.error), _error(now.error)
        if before != after:
            yield "error", before, after
    if "logs" not in hidden:
        before, after = masked(logged.logs), masked(now.logs)
        if at_some_moment:
            both = min(len(before), len(after), kept // 2)
            before, after = before[:both], after[:both]
        if before != after:
            yield "logs", before, after
    if at_some_moment or "value" in hidden:
        return
    if logged.is_final_answer != now.is_final_answer:
        yield "final answer", _answer(logged), _answer(now)
    elif not is_same_value(value, now.value):
        yield "value", shown(value), shown_value(now.value)


def _fault(execution: Execution) -> str:
    return (execution.fault or "none") + (
        f" ({_error(execution.error)})" if execution.error else ""
    )


def _error(error: ErrorInfo | None) -> str:
    return "none" if error is None else masked(str(error))


def _answer(execution: Execution) -> str:
    return (
        "the cell gave a final answer"
        if execution.is_final_answer
        else "the cell gave no final answer"
    )
