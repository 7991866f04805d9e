"""Runs `fumehood attack` in the configurations of RUNS, one after the other, and writes what came
of it into docs/security/attacks.md.

    python -m tests.attacks.page RECORDS                         this Python
    python -m tests.attacks.page RECORDS --python PATH …         others as well, of those
                                                                 configurations that are about
                                                                 Python
    python -m tests.attacks.page RECORDS --write                 run nothing, and write

RECORDS is a directory for the command's answers, a file for each. What has one is not run again: it
can be done in pieces. For root.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "security" / "attacks.md"
BEGINS, ENDS = "<!-- written by tests/attacks/page.py -->\n", "<!-- to here -->\n"
_COUNTS = ("tried", "refused", "contained", "escaped")
_COLUMNS = ("Python", "host", "place", "rules of the language", *_COUNTS, "not tried")
_HEAD = f"| {' | '.join(_COLUMNS)} |\n{'|---' * len(_COLUMNS)}|\n"
_MOST_SECONDS = 3000


@dataclass(frozen=True)
class Run:
    """A configuration of the command."""

    place: str
    rules: str
    host: str = "root"
    arguments: tuple[str, ...] = ()
    is_about_python: bool = True
    """Whether another Python could make a difference; the others are run with one."""
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        return f"{self.place}, {self.rules}, {self.host}"


_PURE = (("FUMEHOOD_SPAWN", "python"),)

# fmt: off
RUNS = (
    Run("jail", "on"),
    Run("jail", "off", arguments=("--language-off",)),
    Run("inline", "on", arguments=("--executor", "inline")),
    Run("jail", "on", "ordinary user", is_about_python=False),
    Run("jail", "off", "ordinary user", ("--language-off",), is_about_python=False),
    Run("jail", "off; programs", arguments=("--programs",), is_about_python=False),
    Run("jail", "off; programs", "ordinary user", ("--programs",), is_about_python=False),
    Run("jail without _spawn.c", "off", "root", ("--language-off",), False, _PURE),
    Run("jail without _spawn.c", "off", "ordinary user", ("--language-off",), False, _PURE),
    Run("jail without _spawn.c", "off; programs", "root", ("--programs",), False, _PURE),
    Run("jail without _spawn.c", "off; programs", "ordinary user", ("--programs",), False, _PURE),
    Run("container", "on", arguments=("--executor", "docker"), is_about_python=False),
    Run("container", "off", arguments=("--executor", "docker", "--language-off"), is_about_python=False),
)
# fmt: on

# In a process that is root still: an interpreter in root's home is laid open, in a mount namespace
# of its own.
_AS_SOMEBODY = """
import os, sys
from pathlib import Path
sys.path.append(sys.argv[1])
from tests.jail.identities import prepare
prepare("nobody", Path(sys.argv[2]), "attacks")
os.execv(sys.executable, [sys.executable, *sys.argv[3:]])
"""


def row_of(run: Run, told: dict[str, Any]) -> str:
    """A line of the table, from what the command says with --json."""
    counts = " | ".join(str(told[column]) for column in _COUNTS)
    return (
        f"| {told['python']} | {run.host} | {run.place} | {run.rules} | {counts} |"
        f" {sum(told['left_out'].values())} |\n"
    )


def table_of(records: Path) -> str:
    """Of all that was recorded, by Python and in the order of RUNS."""
    lines = []
    for version in sorted(
        {path.name.partition(" ")[0] for path in records.glob("*.json")}, key=_numbers
    ):
        for run in RUNS:
            path = records / f"{version} {run.name}.json"
            if path.exists():
                lines.append(row_of(run, json.loads(path.read_text(encoding="utf-8"))))
    return _HEAD + "".join(lines)


def written(page: str, table: str) -> str:
    """The page, with another table between the two marks."""
    before, begins, rest = page.partition(BEGINS)
    _old, ends, after = rest.partition(ENDS)
    assert begins and ends, "the page has no place for the table"
    return f"{before}{begins}\n{table}\n{ends}{after}"


def rows_on(page: str) -> list[dict[str, str]]:
    """The table that a page has, as columns by their names."""
    lines = page.partition(BEGINS)[2].partition(ENDS)[0].strip().splitlines()
    names, _line, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(names, row, strict=True)) for row in rows]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _record(run: Run, python: str, records: Path, base: str | None) -> bool:
    """Have it run, if it was not; gives whether there is a record then."""
    asked = "import platform; print(platform.python_version())"
    version = subprocess.run(
        [python, "-c", asked], capture_output=True, text=True, check=True
    ).stdout.strip()
    path = records / f"{version} {run.name}.json"
    if path.exists():
        return True
    command = [
        "-m",
        "fumehood.cli",
        "attack",
        "--json",
        *run.arguments,
        *(["--base", base] if base and run.place == "container" else []),
    ]
    with tempfile.TemporaryDirectory(prefix="attacks-") as directory:
        Path(directory).chmod(0o755)
        environment = {
            **os.environ,
            **dict(run.environment),
            "PYTHONPATH": str(ROOT / "src"),
            "TMPDIR": directory,
        }
        if run.host != "root":
            command = ["-c", _AS_SOMEBODY, str(ROOT), directory, *command]
        done = subprocess.run(
            [python, *command],
            env=environment,
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            timeout=_MOST_SECONDS,
        )
    try:
        told = json.loads(done.stdout)
    except ValueError:
        print(f"{path.stem}: no answer: {done.stderr.strip()[-500:]}", flush=True)
        return False
    for escape in told["escapes"]:
        print(f"{path.stem}: ESCAPED {escape['program']}: {escape['why']}", flush=True)
    path.write_text(done.stdout, encoding="utf-8")
    print(row_of(run, told), end="", flush=True)
    return True


def _base() -> str:
    from fumehood.docker.engine import Engine

    from ..containers import PACKAGES
    from ..docker import bases

    return bases.base_of(Engine(), packages=PACKAGES)


def main() -> int:
    lines = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m tests.attacks.page", description=__doc__, formatter_class=lines
    )
    parser.add_argument(
        "records", type=Path, metavar="RECORDS", help="a directory for what the command says"
    )
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="PATH",
        help="another Python; may be repeated",
    )
    parser.add_argument("--write", action="store_true", help="run nothing")
    given = parser.parse_args()
    missing = 0
    given.records.mkdir(parents=True, exist_ok=True)
    for python in [] if given.write else [sys.executable, *given.python]:
        for run in RUNS:
            if run.is_about_python or python == sys.executable:
                missing += not _record(
                    run, python, given.records, _base() if run.place == "container" else None
                )
    PAGE.write_text(
        written(PAGE.read_text(encoding="utf-8"), table_of(given.records)), encoding="utf-8"
    )
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
