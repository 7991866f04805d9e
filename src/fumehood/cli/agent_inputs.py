"""What an agent is given: its task, and variables from files."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fumehood.cli.terminal import BAD_INPUT, fail

LONGEST_TASK = 1_000_000

MOST_BYTES = 256 << 20
"""Of one file. More does not pass into a sandbox in one piece."""


def read_task(text: str) -> str:
    """The task, which may be on standard input."""
    if text == "-":
        text = sys.stdin.read(LONGEST_TASK + 1) if sys.stdin is not None else ""
    if len(text) > LONGEST_TASK:
        fail(
            f"longer than the limit of {LONGEST_TASK:,} characters for a task; send data with"
            " --var",
            BAD_INPUT,
        )
    if not text.strip():
        fail("there is no task: say in words what is to be done", BAD_INPUT)
    return text


def variables_of(texts: Iterable[str], *, tables: bool) -> dict[str, Any]:
    """NAME=FILE as variables: .json as what it holds, .csv as a table, anything else as text. With
    `tables`, which needs pandas, a table is a DataFrame, else a list with a dictionary for each
    row."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, file = text.partition("=")
        name = name.strip()
        if not equals or not file or not name.isidentifier() or name.startswith("__"):
            fail(f"--var {text}: must be NAME=FILE, with a name that Python can use", BAD_INPUT)
        if name in found:
            fail(f"--var {text}: there is a {name} already", BAD_INPUT)
        found[name] = _value(file, tables)
    return found


def _value(file: str, tables: bool) -> Any:
    text = _text(file)
    ending = Path(file).suffix.lower()
    try:
        if ending == ".json":
            return json.loads(text)
        if ending in (".csv", ".tsv"):
            return _table(text, "\t" if ending == ".tsv" else ",", tables)
    except (ValueError, RecursionError, csv.Error) as error:
        fail(f"{file}: not {ending[1:].upper()}: {error}", BAD_INPUT)
    return text


def _table(text: str, separator: str, tables: bool) -> Any:
    if tables:
        import pandas

        return pandas.read_csv(io.StringIO(text), sep=separator)
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator))


def _text(file: str) -> str:
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        fail(f"{file}: cannot be read: {error.strerror or error}", BAD_INPUT)
    if len(data) > MOST_BYTES:
        fail(f"{file}: larger than the limit of {MOST_BYTES >> 20} MB for one variable", BAD_INPUT)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fail(
            f"{file}: not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}", BAD_INPUT
        )
