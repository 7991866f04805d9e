"""Text that a model or a sandbox wrote, made fit for a terminal: nothing it would obey, and no more
than a person reads.

All text passes `fumehood.wire.show.printable` first.
"""

from __future__ import annotations

import re
from collections import deque

from fumehood.wire.show import printable

LONGEST_LINE = 500
LONGEST_SHOWN = 1_000
_MOST_LOOKED_AT = 1_000_000

# Characters that change the order in which others are shown, or are not shown at all: with them
# code can look like other code.
_DECEIVING = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """The text, printable, on one line of bounded length; of a longer one the middle is left
    out."""
    line = " ".join(printable(text).split())
    half = longest // 2
    return line if len(line) <= longest else f"{line[: half - 1]}…{line[-half:]}"


def beginning(text: str, longest: int) -> str:
    """The text, printable, on one line; of a longer one the end is left out."""
    line = " ".join(printable(text[: 20 * longest]).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def one_blank(text: str) -> str:
    """Prose with single blank lines where there are several, and no blanks where nobody sees
    them."""
    lines: list[str] = []
    for line in printable(text).split("\n"):
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).rstrip("\n")


def plainly(code: str) -> str:
    """Code, printable, with its invisible and order-changing characters spelled out: a reader sees
    what Python reads."""
    return _DECEIVING.sub(lambda found: found[0].encode("unicode_escape").decode(), printable(code))


# Typography that every keyboard has another spelling for.
_SPELLINGS = {
    "…": "...",
    "–": "-",
    "—": "-",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "•": "*",
    "→": "->",
    "×": "x",
    "\u00a0": " ",
}
_SPELLED = str.maketrans(_SPELLINGS)


def encodable(text: str, encoding: str) -> str:
    """The text with another spelling or an escape for each character that the encoding lacks, half
    characters among them."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        if not encoding.lower().startswith("utf"):
            text = text.translate(_SPELLED)
        return text.encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:  # a stream may call its encoding anything
        return text.translate(_SPELLED).encode("ascii", "backslashreplace").decode()
    return text


def cut(line: str, longest: int) -> str:
    """A line of at most about `longest` characters: of a longer one the middle is left out, and
    counted."""
    if len(line) <= longest:
        return line
    head, tail = longest - longest // 4, longest // 4
    return f"{line[:head]} … {len(line) - head - tail:,} characters … {line[len(line) - tail :]}"


def trimmed(text: str) -> str:
    """The text, or the beginning and the end of one that is too long to be looked at as a whole."""
    if len(text) <= 2 * _MOST_LOOKED_AT:
        return text
    left_out = len(text) - 2 * _MOST_LOOKED_AT
    return (
        f"{text[:_MOST_LOOKED_AT]}\n… {left_out:,} characters left out …\n{text[-_MOST_LOOKED_AT:]}"
    )


def counted(number: int, what: str) -> str:
    """1 line, 2 lines, 12,000 lines."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


class Excerpt:
    """The first and the last lines of a text that arrives line by line. What falls out between them
    is counted."""

    def __init__(self, head: int, tail: int, longest_line: int = LONGEST_SHOWN) -> None:
        self._room = head
        self._longest = longest_line
        self._tail: deque[str] = deque()
        self._most = tail
        self.left_out = 0

    def add(self, line: str) -> str | None:
        """The line as it is to be shown, or None if it is kept for the end or left out."""
        line = cut(line, self._longest)
        if self._room > 0:
            self._room -= 1
            return line
        self._tail.append(line)
        if len(self._tail) > self._most:
            self._tail.popleft()
            self.left_out += 1
        return None

    @property
    def wanted(self) -> int | None:
        """How many of the lines that come next are still of interest if no more follow; None for
        all of them."""
        return None if self._room > 0 else self._most

    def skip(self, lines: int) -> None:
        """Leave out lines of which at least as many as are wanted follow."""
        self.left_out += len(self._tail) + lines
        self._tail.clear()

    @property
    def waiting(self) -> int:
        """How many lines have not been shown."""
        return self.left_out + len(self._tail)

    def end(self) -> list[str]:
        """The lines to show last."""
        tail, self._tail = list(self._tail), deque()
        return tail


def excerpt(
    text: str, head: int, tail: int, longest_line: int = LONGEST_SHOWN
) -> tuple[list[str], int, list[str]]:
    """The first lines of a text, how many are left out, and the last ones. The text has to be
    printable."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) <= head + tail + 1:  # a note that one line is left out would take its place
        return [cut(line, longest_line) for line in lines], 0, []
    return (
        [cut(line, longest_line) for line in lines[:head]],
        len(lines) - head - tail,
        [cut(line, longest_line) for line in lines[len(lines) - tail :]] if tail else [],
    )


_MOST_HELD = 64_000
_KEPT_OF_HELD = 16_000


class Lines:
    """Text that comes in pieces, as whole lines. A line that was written over from its beginning,
    as progress bars do, is shown as it was last; how often it was written over is said, so that
    nothing can be hidden that way."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._held = 0
        self._lost = 0

    def feed(self, text: str, wanted: int | None = None) -> tuple[int, list[str]]:
        """The lines that are whole now: how many more there are than wanted, and the last of
        them."""
        *whole, rest = text.split("\n")
        skipped = 0 if wanted is None else max(len(whole) - wanted, 0)
        if skipped:
            self._finish("")
        made = [self._finish(line) for line in whole[skipped:]]
        if rest:
            self._hold(rest)
        return skipped, made

    @property
    def unfinished(self) -> str:
        """What the last line holds so far."""
        text = "".join(self._pieces)
        return printable(text.rstrip("\r").rpartition("\r")[2])

    def end(self) -> list[str]:
        """The last line, if it had no end."""
        return [self._finish("")] if self._pieces else []

    def _hold(self, text: str) -> None:
        self._pieces.append(text)
        self._held += len(text)
        if self._held > _MOST_HELD:  # a line without an end: nobody will read its middle
            whole = "".join(self._pieces)
            self._lost += len(whole) - 2 * _KEPT_OF_HELD
            self._pieces = [whole[:_KEPT_OF_HELD], whole[-_KEPT_OF_HELD:]]
            self._held = 2 * _KEPT_OF_HELD

    def _finish(self, end: str) -> str:
        text = "".join([*self._pieces, end])
        self._pieces, self._held = [], 0
        lost, self._lost = self._lost, 0
        *before, last = text.rstrip("\r").split("\r")
        over = sum(1 for part in before if printable(part).strip())
        line = printable(last)
        if over:
            line += f" (written over {over:,} times)" if over > 1 else " (written over once)"
        return line + (f" (and {lost:,} characters)" if lost else "")
