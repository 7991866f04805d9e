"""Text that a sandbox wrote, made fit to be told to a model: nothing in it can pass for the words
of somebody else.

It is set between fences that it does not contain, without control characters, and cut where it is
long.
"""

from __future__ import annotations

import re
from typing import Final

from fumehood.wire.show import printable

_LONGEST_RUN: Final = 16
_RUNS: Final = re.compile(r"`{3,}")
_WRITTEN_OVER: Final = re.compile(r"[^\n]*\r(?=[^\r\n])")
_LEFT_OUT: Final = "\n... {:,} characters left out ...\n"
_CUT_BEFORE: Final = re.compile(r"\n\.\.\. (\d[\d,]{0,20}) characters cut \.\.\.\n")
"""How an executor says that it has cut printed text itself."""


def readable(text: str) -> str:
    """The text without control characters, and without halves of characters, which no server takes.

    A line that was written over from its beginning, as progress bars do, is what it was last.
    """
    if "\r" in text:
        text = _WRITTEN_OVER.sub("", text.replace("\r\n", "\n"))
    return printable(text)


def shortened(text: str, limit: int) -> str:
    """The head and the tail of a text that is too long, and how much is left out between."""
    if len(text) <= limit:
        return text
    limit = max(limit, 0)
    head, tail = limit - limit // 2, len(text) - limit // 2
    count = tail - head
    before = _CUT_BEFORE.search(text, head, tail)
    if before is not None:
        count += int(before[1].replace(",", "")) - len(before[0])
    return text[:head] + _LEFT_OUT.format(count) + text[tail:]


def tamed(text: str) -> str:
    """The text with a bound on its runs of backticks: the fence has to be longer than any of
    them."""
    return _RUNS.sub(
        lambda run: (
            run[0]
            if len(run[0]) <= _LONGEST_RUN
            else f"{'`' * _LONGEST_RUN}… {len(run[0]):,} backticks"
        ),
        text,
    )


def fence_for(*texts: str) -> str:
    """A fence that is in none of the texts."""
    return "`" * max([3, *(len(run) + 1 for text in texts for run in _RUNS.findall(text))])


def quoted_line(text: str, limit: int) -> str:
    """Text from anywhere as a part of a line of ours."""
    text = readable(text[: 4 * limit])
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"
