"""What stands in fences on a page, and what is to be done with it.

| fence | what it is |
|---|---|
| `python` | a program; those of a page run one after the other and share their variables |
| `console` | commands, each after `$ `, with what they print below them |
| `toml` | a file, which the comment in its first line names |
| `text`, or nothing | directly after a program, what it prints; elsewhere a picture |

`<!-- not run: reason -->` before a fence keeps it from being run.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

DOCS = Path(__file__).parents[2] / "docs"
README = "../README.md"
"""A page like any other, but for where it lies."""

Kind = Literal["python", "console", "toml", "output", "picture"]

_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n\n?)?(?P<indent>"
    r" *)(?P<ticks>`{3,})(?P<info>[^\n`]*)\n"
    r"(?P<text>.*?)^(?P=indent)(?P=ticks) *$",
    re.DOTALL | re.MULTILINE,
)
_ARROW = re.compile(r"# → (.+?)\s*$")


@dataclass(frozen=True)
class Block:
    """One fence of a page."""

    page: str
    line: int
    """Of its first line of text."""
    kind: Kind
    text: str
    reason: str | None = None
    """Why it is not run, if it is not."""

    @property
    def where(self) -> str:
        return f"{self.file}, line {self.line}"

    @property
    def file(self) -> str:
        return "README.md" if self.page == README else f"docs/{self.page}"

    @property
    def arrows(self) -> dict[int, str]:
        """What the page says of lines of a program, by their number on the page."""
        rows = enumerate(self.text.splitlines(), self.line)
        return {number: found[1] for number, line in rows if (found := _ARROW.search(line))}

    @property
    def commands(self) -> list[tuple[str, str]]:
        """Commands, and what each prints. A line that ends in a backslash goes on in the next."""
        text = self.text.replace("\\\n> ", "\\\n")
        assert text.startswith("$ "), f"{self.where}: begin with '$ '"
        parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
        found = []
        for part in parts:
            command = re.match(r"(?:.*\\\n)*.*", part)
            assert command is not None
            found.append((command[0], part[command.end() :].lstrip("\n")))
        return found


def pages() -> list[str]:
    return sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def blocks(page: str) -> list[Block]:
    return read((DOCS / page).read_text(encoding="utf-8"), page)


def read(text: str, page: str) -> list[Block]:
    """Raises ValueError for a fence that is none of the table's."""
    found: list[Block] = []
    after_program = -1
    for fence in _FENCE.finditer(text):
        line = text.count("\n", 0, fence.start("text")) + 1
        info = fence["info"].strip()
        if info in ("python", "console", "toml"):
            kind: Kind = info  # type: ignore[assignment]
        elif info in ("text", ""):
            directly = after_program >= 0 and not text[after_program : fence.start()].strip()
            kind = "output" if directly else "picture"
        else:
            raise ValueError(
                f"docs/{page}, line {line - 1}: nobody knows what to do with a fence of {info!r}"
            )
        found.append(Block(page, line, kind, textwrap.dedent(fence["text"]), fence["reason"]))
        after_program = fence.end() if kind == "python" else -1
    return found
