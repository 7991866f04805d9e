"""A program that needs nothing forbidden does under guard what it does in plain Python: the same
output, value and exception."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from ...language.reference import Case, comparable_message, comparable_value, run_plain
from ..engine import Found
from .breeding import bred, parsed
from .children import Row, rows_of
from .grammar import Growing
from .running import OUTPUT_CHARACTERS, Host

_AT_ONCE = 16
_TRIES = 4
"""Most programs say a word that is not the same twice."""

# Words of programs that are not the same twice, or that speak of what is not the same on purpose,
# each with the reason.
DIFFERENT = {
    r"\b(id|time|random|secrets|uuid|urandom|now|today|sleep|datetime)\b|perf_counter|monotonic": (
        "another answer each time"
    ),
    r"\b(globals|locals|vars|dir|sys|gc|inspect|warnings|traceback)\b|__(dict|builtins|file|name)__": (
        "shows what a program stands in"
    ),
    r"\b(open|input|help|breakpoint|exit|quit|final_answer|see|fails|tallies|compile|exec|eval)\b|_import_": (
        "is ours, or is refused"
    ),
    r"\b(asyncio|await|async|threading|weakref|contextvars|signal|subprocess)\b|__del__": (
        "depends on when things happen"
    ),
    r"__(subclasses|mro|bases?|module|qualname|annotations|traceback|globals|code|getattribute|self)__": (
        "what things are made of"
    ),
    r"\b(getattr|setattr|delattr|hasattr|print|super)\b(?!\()|\bprint\(\w+(\.\w+)*\)": (
        "may show a replaced function, or a view"
    ),
    r"[Rr]ecursion|\brec\b": "depends on how deep the stack is already",
    r"\b(os|io|calendar|decimal|copy|contextlib|functools|operator|string|typing|types|dataclasses|enum)\b": (
        "replaced in part"
    ),
}
_DIFFERENT = re.compile("|".join(f"(?:{pattern})" for pattern in DIFFERENT))
_SIMPLE = (ast.Expr, ast.Assign)
"""A cell's last statement, if plain Python knows a value of it."""


class Alike:
    """A case is a few programs that share a process, each run both ways in it."""

    name = "alike"
    about = "an accepted program that needs nothing forbidden does what it does in plain Python"
    cases_in_tests = 5

    @cached_property
    def _host(self) -> Host:
        return Host(borrowed=True, handles=False)  # borrowed, it gathers what libraries print, too

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        made = (self._made(random) for _ in range(_AT_ONCE * _TRIES))
        programs = [text for text in made if text is not None][:_AT_ONCE]
        tally["programs"] += len(programs)
        host = self._host

        def work(tell: Callable[[Row], None]) -> None:
            host.enter()
            for number, text in enumerate(programs):
                tell({"begins": number})
                execution, _found = host.run((text,), "")
                if (
                    execution.fault is not None
                    or execution.violations
                    or execution.error is not None
                    and "Forbidden" in execution.error.traceback
                ):
                    continue
                kind = message = None
                if execution.error is not None:
                    kind = execution.error.type.rpartition(".")[2]
                    message = comparable_message(kind, execution.error.message)
                value = (
                    comparable_value(execution.value) if kind is None and _has_value(text) else ""
                )
                tell(
                    {
                        "number": number,
                        "guarded": [execution.logs, value, kind, message],
                        "plain": _plain(text),
                    }
                )

        at = 0
        for row in rows_of(work):
            if "begins" in row:
                at = row["begins"]
            elif "died" in row:
                if "Traceback" in row["died"]:
                    raise Found(f"comparing failed: {row['died']}", programs[at])
                tally["ended their process"] += 1
            else:
                tally["compared"] += 1
                if _settled(row["guarded"]) != _settled(row["plain"]):
                    raise Found(
                        f"under guard {row['guarded']!r:.600}, plainly {row['plain']!r:.600}",
                        programs[row["number"]],
                    )

    def _made(self, random: Random) -> str | None:
        text = Growing(random, 0.0).source() if random.random() < 0.3 else bred(random, attacks=0.0)
        return None if text is None or _DIFFERENT.search(text) else text


def _plain(text: str) -> list[Any]:
    outcome = run_plain(Case("", (3, 11), None, (text,), Path()))[0]
    value = outcome.value if outcome.exception_type is None and _has_value(text) else ""
    return [
        outcome.stdout[:OUTPUT_CHARACTERS],
        value,
        outcome.exception_type,
        outcome.exception_message,
    ]


def _has_value(text: str) -> bool:
    tree = parsed(text)
    return tree is not None and bool(tree.body) and isinstance(tree.body[-1], _SIMPLE)


def _settled(parts: list[Any]) -> list[Any]:
    """Without what names the file or says where something is in memory, and without what a cell is
    told of its syntax."""
    return [
        (
            part
            if part is None
            else re.sub(
                r" at 0x[0-9a-f]+|<(cell|case)[^>]*>|\(line \d+\)|^line \d+: SyntaxWarning: .*\n",
                "",
                part,
                flags=re.MULTILINE,
            )
        )
        for part in parts
    ]
