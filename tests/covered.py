"""How many lines the tests run, ring by ring: what `make coverage` prints.

    python tests/covered.py                     all tests; some minutes more than without
    python tests/covered.py tests/wire -k int   some of them, with pytest's arguments; what the
                                                others reach is then not counted
    python tests/covered.py --keep build/lines tests/wire    …but what it has reached before is, as
                                                             far as the files are the same

Code counts wherever it runs on this machine: in the tests, in programs and servers that they start,
and in the jail (tests/line_recorder.py says how). It needs Python 3.12 or newer. What is not
counted:

    in containers and at services   the files there are copies, which no page is shared with
    lines for type checkers alone   `if TYPE_CHECKING:` and bodies that are `...`, as coverage.py
                                    leaves them out
    attack/programs                 data

Exit code 1 if a test fails, or a ring has less than its bar.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import subprocess
import sys
import sysconfig
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "fumehood"
BAR = 0.90
# The rings of src/fumehood/__init__.py. The first three have the bar; the product is shown.
RINGS = {
    "leaf": ("errors", "results", "default_imports", "policy", "policy_bounds", "wire", "tunnel"),
    "inside": ("language", "jail", "worker"),
    "outside": (
        *(
            "events",
            "logs",
            "observing",
            "finalizer",
            "progress",
            "validation",
            "tools",
            "packages",
            "docker",
            "e2b",
            "ray",
            "executors",
        ),
        *("asked", "audit", "telemetry"),
    ),
}
JUDGED = ("leaf", "inside", "outside")
PRODUCT = "product"
LEAST_SHOWN = 15


def sources() -> list[Path]:
    return sorted(
        path
        for path in SOURCE.rglob("*.py")
        if not path.is_relative_to(SOURCE / "attack" / "programs")
    )


class Kept:
    """Lines that ran in earlier runs, in a file: of each source what it was, and one character for
    each of its lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: dict[str, list[str]] = json.loads(path.read_text()) if path.exists() else {}

    def marks(self, path: Path) -> bytes:
        """Those of a source that is still the same."""
        was, lines = self.files.get(str(path), ["", ""])
        return (
            lines.encode().translate(bytes.maketrans(b"01", b"\0\1"))
            if was == _digest(path)
            else bytes(_length(path))
        )

    def keep(self, ran: dict[str, set[int]]) -> None:
        self.files = {
            path: [_digest(Path(path)), _written(lines, _length(Path(path)))]
            for path, lines in ran.items()
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(self.files))


def _written(lines: set[int], length: int) -> str:
    return "".join("01"[number in lines] for number in range(length))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _length(path: Path) -> int:
    """Its lines, from 0 on, and one more than their ends."""
    return path.read_bytes().count(b"\n") + 2


def recorded(
    arguments: list[str], directory: Path, kept: Kept | None = None
) -> tuple[int, dict[str, set[int]]]:
    """Run pytest, and every process below it, with their lines recorded: its exit code, and the
    lines of each file."""
    index: dict[str, int] = {}
    before = b""
    for path in sources():
        index[str(path)] = len(before)
        before += kept.marks(path) if kept else bytes(_length(path))
    size = len(before)
    marks = directory / "marks"
    marks.write_bytes(before)
    (directory / "index.json").write_text(json.dumps(index))
    directory.chmod(0o755)
    marks.chmod(0o666)  # tests that are somebody else record too
    recorder = Path(__file__).with_name("line_recorder.py")
    record = f"names['record']({str(directory / 'index.json')!r}, {str(marks)!r})"
    begin = (
        f"with open({str(recorder)!r}) as file: exec(file.read(), names := {{'__name__':"
        f" 'recorder'}}); {record}"
    )
    hook = Path(sysconfig.get_paths()["purelib"]) / "fumehood-lines.pth"
    hook.write_text(f"import os; os.path.exists({str(marks)!r}) and exec({begin!r})\n")
    try:
        code = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *arguments], cwd=ROOT, check=False
        ).returncode
    finally:
        hook.unlink()
    ran = marks.read_bytes()
    ends = [*index.values(), size][1:]
    return code, {
        path: {number for number in range(end - begin) if ran[begin + number]}
        for (path, begin), end in zip(index.items(), ends, strict=True)
    }


def counted(ran: dict[str, set[int]], directory: Path) -> dict[str, tuple[int, list[int]]]:
    """Of each file the number of its statements, and the lines of those that nothing ran, as
    coverage.py counts them."""
    import coverage

    reading = coverage.Coverage(data_file=str(directory / "data"), config_file=False)
    reading.get_data().add_lines({path: sorted(lines) for path, lines in ran.items()})
    counted = {}
    for path in ran:
        _name, statements, _left_out, missing, _text = reading.analysis2(path)
        counted[path] = (len(statements), missing)
    return counted


def ring_of(path: str) -> tuple[str, str]:
    part = Path(path).relative_to(SOURCE).parts[0].removesuffix(".py")
    return next((ring for ring, parts in RINGS.items() if part in parts), PRODUCT), part


def table(counted: dict[str, tuple[int, list[int]]]) -> tuple[str, dict[str, float]]:
    """Lines by ring and by part, and the share of each ring."""
    rings: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    parts: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for path, (statements, missing) in counted.items():
        for total in (rings[ring_of(path)[0]], parts[ring_of(path)]):
            total[0] += statements
            total[1] += len(missing)
    rows = []
    shares = {}
    for ring in (*RINGS, PRODUCT):
        statements, missing = rings[ring]
        shares[ring] = 1 - missing / statements if statements else 1.0
        bar = (
            f"   bar {BAR:.0%}: {'PASS' if shares[ring] >= BAR else 'MISSED'}"
            if ring in JUDGED
            else ""
        )
        rows.append(
            f"{ring:<14}{statements:>8,}{statements - missing:>8,}{shares[ring]:>8.1%}{bar}"
        )
        for (its, part), (statements, missing) in sorted(parts.items()):
            if its == ring and statements:
                rows.append(
                    f"  {part:<12}{statements:>8,}{statements - missing:>8,}{1 - missing / statements:>8.1%}"
                )
    return "\n".join([f"{'':<14}{'lines':>8}{'ran':>8}{'':>8}", *rows]), shares


def gaps(counted: dict[str, tuple[int, list[int]]]) -> str:
    """The files of which most was not run, and every file of the rings that are judged which has
    less than the bar by itself."""
    worst = sorted(counted.items(), key=lambda one: len(one[1][1]), reverse=True)
    lines = []
    for number, (path, (statements, missing)) in enumerate(worst):
        low = ring_of(path)[0] in JUDGED and len(missing) > statements * (1 - BAR)
        if number >= LEAST_SHOWN and not low:
            continue
        where = ", ".join(map(str, missing[:12])) + (" …" if len(missing) > 12 else "")
        lines.append(f"  {Path(path).relative_to(SOURCE)}: {len(missing)} of {statements}: {where}")
    return "\n".join(["lines that nothing ran, most first", *lines])


def main(arguments: list[str]) -> int:
    if sys.version_info < (3, 12):
        print(
            "coverage sees into the jail from Python 3.12 on; name one: make coverage PYTHON=…"
            " VENV=.venv-3.12",
            file=sys.stderr,
        )
        return 2
    if importlib.util.find_spec("coverage") is None:
        print("coverage is not installed; it is in the extra `dev`", file=sys.stderr)
        return 2
    parser = argparse.ArgumentParser(
        usage="%(prog)s [--keep DIRECTORY] [pytest's arguments]", allow_abbrev=False
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIRECTORY",
        help="where lines that ran are kept, and added to the next time",
    )
    options, rest = parser.parse_known_args(arguments)
    kept = Kept(options.keep / "ran.json") if options.keep else None
    with tempfile.TemporaryDirectory() as name:
        code, ran = recorded(rest or ["-n", "auto"], Path(name), kept)
        if kept:
            kept.keep(ran)
        found = counted(ran, Path(name))
    text, shares = table(found)
    print(f"\n{text}\n\n{gaps(found)}")
    return 1 if code or any(shares[ring] < BAR for ring in JUDGED) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
