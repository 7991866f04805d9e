"""The programs of the corpus: a header of comments, then cells of code.

    # The aim, in one sentence.
    # mechanism: how it tries
    # stopped by: check|guard|view|builtins|run
    # reason: why it is refused
    # python: 3.12+              (optional; also "3.11 only", "3.12 and older")
    # imports: numpy             (optional: authorized in addition; the test is skipped where it is not installed)
    # refuses: __globals__       (optional: the name that must be among those refused, where others are refused too)
    # limit: words               (optional: inline isolation does not stop this, and its report says so in these words)
    # control: none (why)        (optional: the attack addresses something that exists only in fumehood)

A line `# ---` begins another cell of the same session, a line `# --- second executor` the cells of a fresh one.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
LAYERS = {
    "check": "refused before anything runs, with line and reason",
    "guard": "a rewritten construct refuses while running",
    "view": "the module handed out does not hold it",
    "builtins": "the replaced builtin or library function refuses",
    "run": "the executor contains it: namespaces, errors, tools, results, state between sessions",
}
_FIELDS = {"mechanism", "stopped by", "reason", "python", "imports", "refuses", "limit", "control"}
_NEXT_CELL = "# ---"
_NEXT_SESSION = "# --- second executor"


@dataclass(frozen=True)
class Program:
    name: str
    aim: str
    fields: dict[str, str]
    sessions: tuple[tuple[str, ...], ...]

    @property
    def layer(self) -> str:
        return self.fields["stopped by"]

    @property
    def imports(self) -> tuple[str, ...]:
        return tuple(self.fields.get("imports", "").split())

    @property
    def has_control(self) -> bool:
        return not self.fields.get("control", "").startswith("none")

    def runs_on(self, version: tuple[int, int]) -> bool:
        wanted = re.fullmatch(r"3\.(\d+)(\+| only| and older)", self.fields.get("python", "3.11+"))
        if wanted is None:
            raise ValueError(f"{self.name}: cannot read 'python: {self.fields['python']}'")
        compare = {"+": operator.ge, " only": operator.eq, " and older": operator.le}[wanted[2]]
        return bool(compare(version, (3, int(wanted[1]))))


def read(name: str) -> Program:
    """The program `group/name`. ValueError says what is wrong with its header."""
    lines = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8").splitlines()
    header: list[str] = []
    while len(header) < len(lines) and lines[len(header)].startswith("# ") and lines[len(header)] != _NEXT_CELL:
        header.append(lines[len(header)][2:])
    if not header:
        raise ValueError(f"{name}: the first line must be a comment that tells the aim")
    fields: dict[str, str] = {}
    for line in header[1:]:
        key, colon, text = line.partition(": ")
        if not colon or key not in _FIELDS or key in fields or not text.strip():
            raise ValueError(f"{name}: not a header line: {line!r}")
        fields[key] = text.strip()
    missing = {"mechanism", "stopped by", "reason"} - fields.keys()
    if missing:
        raise ValueError(f"{name}: the header lacks {', '.join(sorted(missing))}")
    if fields["stopped by"] not in LAYERS:
        raise ValueError(f"{name}: no such layer: {fields['stopped by']}")
    return Program(name, header[0], fields, _sessions(lines[len(header) :]))


def _sessions(lines: list[str]) -> tuple[tuple[str, ...], ...]:
    sessions: list[list[list[str]]] = [[[]]]
    for line in lines:
        if line == _NEXT_SESSION:
            sessions.append([[]])
        elif line == _NEXT_CELL:
            sessions[-1].append([])
        else:
            sessions[-1][-1].append(line)
    return tuple(tuple("\n".join(cell) + "\n" for cell in session) for session in sessions)


def names() -> list[str]:
    return sorted(path.relative_to(PROGRAMS).with_suffix("").as_posix() for path in PROGRAMS.glob("*/*.py"))
