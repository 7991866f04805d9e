"""Writes docs/security/faults.md from what the tests of this directory see: `python -m
tests.faults.page`, where the project is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from .doings import FAULTS
from .stages import Told
from .table import ROWS, Row

PAGE = Path(__file__).parents[2] / "docs" / "security" / "faults.md"
_SECTION = "\n## "
"""Where what others write begins: the soak (benchmarks/soak.py)."""
_RECORDS = "FUMEHOOD_WRITE_FAULTS"
"""The environment variable that names a directory for what tests see."""
_PRIVATE = re.compile(
    r"/[\w/.-]*faults-[\w/.-]*|\b[0-9a-f]{12,64}\b|\bcloud\d{4}\b|\b[0-9a-f]{8} at"
    r" [\d.]+|\b\d+\.\d+\.\d+\.\d+:\d+"
)

_HEAD = """# Faults

What the kernel, the machine, an engine or a service can do to a host, in each place where code can run: what its caller sees, and what is
left. After each of them (but for the host's own death) the same executor runs a cell, a new one does, and everything is closed;
then nothing may be left: no process, mount, file, control group, container, descriptor, thread.

This page is written by the tests from what they have seen: `python -m tests.faults.page`. The rows are in
[`tests/faults/table.py`](../../tests/faults/table.py), how each is brought about in
[`tests/faults/doings.py`](../../tests/faults/doings.py). Waits that take long are made shorter there; they are, in seconds: {bounds}.
What many faults in a row come to, on many executors at once, is at the end.

| fault | how | place | what the caller sees | what is left |
|---|---|---|---|---|
"""


def record(row: Row, told: Told, left: list[str]) -> None:
    """Keep what a test has seen, if anybody wants to know."""
    directory = os.environ.get(_RECORDS)
    if directory:
        body = {
            "fault": row.fault,
            "place": row.place,
            "kind": told.kind,
            "text": told.text,
            "left": left,
        }
        (Path(directory) / f"{row.fault} {row.place}.json").write_text(json.dumps(body))


def is_recorded(row: Row) -> bool:
    """Whether a test has seen it already, in a run that writes the page."""
    directory = os.environ.get(_RECORDS)
    return bool(directory) and (Path(directory or "") / f"{row.fault} {row.place}.json").exists()


def rows_of(text: str) -> list[tuple[str, str]]:
    """Fault and place of every row of a page."""
    text = text.partition(_SECTION)[0]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    return [(row[0], row[2]) for row in cells[1:]]


def _bounds() -> str:
    """Waits that tests make shorter, as they are."""
    import importlib

    found = {}
    for fault in FAULTS.values():
        for name in fault.wish.bounds:
            module, _, attribute = name.rpartition(".")
            found[name.removeprefix("fumehood.")] = getattr(
                importlib.import_module(module), attribute
            )
    return ", ".join(f"`{name}` {value:g}" for name, value in sorted(found.items()))


def _seen(kind: str, text: str, reason: str) -> str:
    text = _PRIVATE.sub("…", " ".join(text.split())).replace("|", "\\|")
    if kind == "value":
        return f"nothing: {reason}"
    if kind == "gone":
        return f"{text}: {reason}"
    shown = (
        f"a cell that failed, with fault `{kind.partition(' ')[2]}`"
        if kind.startswith("fault ")
        else f"`{kind}`"
    )
    return (
        f"{shown}: “{text}”. {reason[:1].upper()}{reason[1:]}"
        if text
        else f"{shown}. {reason[:1].upper()}{reason[1:]}"
    )


def _line(row: Row, seen: dict[str, str]) -> str:
    left = ", ".join(seen["left"]) or "nothing"
    return (
        f"| {row.fault} | {FAULTS[row.fault].how} | {row.place} |"
        f" {_seen(seen['kind'], seen['text'], row.reason)} | {left} |\n"
    )


def write(records: Path) -> list[str]:
    """Write the page; gives the rows of which nothing was seen, which are not on it."""
    lines, missing = [], []
    for row in ROWS:
        path = records / f"{row.fault} {row.place}.json"
        if path.exists():
            lines.append(_line(row, json.loads(path.read_text())))
        else:
            missing.append(row.name)
    _, mark, others = (PAGE.read_text() if PAGE.exists() else "").partition(_SECTION)
    PAGE.write_text(_HEAD.format(bounds=_bounds()) + "".join(lines) + mark + others)
    return missing


def main() -> int:
    with tempfile.TemporaryDirectory() as records:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            *sys.argv[1:],
            str(Path(__file__).with_name("test_faults.py")),
        ]
        environment = {**os.environ, _RECORDS: records}
        subprocess.run(command, env=environment, check=False)
        missing = write(Path(records))
        if missing:  # on a busy machine something may have come too late
            print(f"once more: {', '.join(missing)}", flush=True)
            subprocess.run(command, env=environment, check=False)
            missing = write(Path(records))
    print(f"{PAGE}: {len(ROWS) - len(missing)} rows")
    for name in missing:
        print(f"not seen, and left out: {name}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
