"""`fumehood audit verify`: whether anything in a log was changed, and where."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.text import Text

from fumehood.cli import options, render, terminal
from fumehood.cli.audit import inputs

Expect = Annotated[
    str | None,
    typer.Option(
        "--expect",
        metavar="HASH",
        help="A line of this hash, kept elsewhere, must be in the log.",
        show_default=False,
    ),
]


def verify(
    files: inputs.Logs,
    key_file: inputs.KeyFile = None,
    expect: Expect = None,
    json: options.Json = False,
) -> None:
    """Check that no line of a log was changed, removed, moved or added.

    Exit code: 0 all are intact and have an end, 1 not, 2 bad input.

    Example: fumehood audit verify audit.jsonl
    """
    from fumehood.audit.verifying import verify as check

    key = inputs.key_of(key_file)
    if expect is not None and len(files) > 1:
        terminal.fail("--expect is about one log: give one file", terminal.BAD_INPUT)
    found = []
    for file in files:
        with inputs.readable():
            found.append((str(file), check(file, key, expect=expect)))
    if json:
        render.print_json([as_json(name, verification) for name, verification in found])
    else:
        for name, verification in found:
            _show(name, verification)
    if not all(verification.ok for _name, verification in found):
        raise typer.Exit(terminal.CODE_FAILED)


def _show(name: str, verification: Any) -> None:
    console = terminal.console()
    word, style = (
        ("ok", "bold green")
        if verification.ok
        else ("broken", "bold red")
        if verification.broken
        else ("not closed", "bold yellow")
    )
    counts = [f"{verification.lines:,} line{'s' if verification.lines != 1 else ''}"]
    if len(verification.files) > 1:
        counts.append(f"{len(verification.files):,} files")
    counts += ["keyed"] if verification.keyed else []
    counts += (
        ["sealed"] if verification.sealed else ["being written"] if verification.is_open else []
    )
    if verification.recovered:
        counts.append(
            f"recovered {len(verification.recovered):,}"
            f" time{'s' if len(verification.recovered) != 1 else ''}"
        )
    console.print(
        Text.assemble(
            (f"{terminal.one_line(name)}: ", "bold"), (word, style), f" ({', '.join(counts)})"
        )
    )
    if verification.broken is not None:
        console.print(Text(f"  {terminal.one_line(str(verification.broken))}", style="red"))
    for note in verification.notes:
        console.print(Text(f"  {terminal.one_line(note)}", style="yellow"))
    if verification.intact and verification.last_hash:
        console.print(Text(f"  last hash {terminal.one_line(verification.last_hash)}", style="dim"))


def as_json(name: str, verification: Any) -> dict[str, Any]:
    broken = verification.broken
    return {
        "log": name,
        "ok": verification.ok,
        "intact": verification.intact,
        "sealed": verification.sealed,
        "is_open": verification.is_open,
        "keyed": verification.keyed,
        "lines": verification.lines,
        "files": [str(file) for file in verification.files],
        "first_number": verification.first_number,
        "last_number": verification.last_number,
        "last_hash": verification.last_hash,
        "broken": broken and {"file": str(broken.file), "line": broken.line, "why": broken.why},
        "recovered": len(verification.recovered),
        "missing_events": verification.missing,
        "removed_files": verification.removed,
        "notes": list(verification.notes),
    }
