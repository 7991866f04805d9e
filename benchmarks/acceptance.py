"""Do programs behave in a sandbox as in plain CPython? Each program of `benchmarks/acceptance`,
run by both.

    python benchmarks/acceptance.py               files, and each program's own imports
    python benchmarks/acceptance.py --full        files, and any import
    python benchmarks/acceptance.py --default     default settings and the libraries that a program
                                                  imports: what fails must fail with a clear line
    python benchmarks/acceptance.py --only sqlite --only files/csv_totals
    python benchmarks/acceptance.py --every 10    one program of ten
    python benchmarks/acceptance.py --check       exit 1 if fewer than 99 % are identical

CPython runs each program as a script in a process and a directory of its own, fumehood in a fresh
sandbox; two programs run at a time. Identical means: the same printed text (both streams in one,
without the places in warnings and tracebacks and without times of unittest), the same exception or
exit code, and for a program in cells (separated by `# %%`) the same repr of each cell's last
expression. The first lines of a program may say `# needs: MODULE` (skipped where it is missing) and
`# stdin: LINE`.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib.util
import inspect
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

from fumehood import LocalPythonExecutor, Policy
from fumehood.executors import supervisor
from fumehood.results import ErrorInfo

PROGRAMS = Path(__file__).parent / "acceptance"
BAR = 0.99
AT_A_TIME = 2
SECONDS = 60
DIFF_LINES = 8

HEADER = re.compile(r"# (needs|stdin): ?(.*)")
CELL = re.compile(r"^# %%.*\n", re.MULTILINE)

# What CPython prints instead of the traceback that ends a script.
RAISED = "\0raised "
SITE_CUSTOMIZE = """
import sys
sys.excepthook = lambda kind, error, _: print(
    f"\\0raised {kind.__name__}: {error}", file=sys.stderr
)
"""

# An object that stays in the sandbox, in a repr on the host.
REMOTE = re.compile(r"<RemoteObject \w+: (.*?)>(?=[,)\]}]|$)")

# What may differ, and what stands there instead.
PLACES = (
    (re.compile(r'^( *)File ".*", line \d+.*\n', re.MULTILINE), ""),
    (re.compile(r"^ *cell \d+, line \d+.*\n", re.MULTILINE), ""),
    (re.compile(r"^ *[~^]+ *\n", re.MULTILINE), ""),
    (re.compile(r"^.*(?::|, line )\d+: (\w*Warning: )", re.MULTILINE), r"\1"),
    (re.compile(r"^(Ran \d+ tests? in )[\d.]+s$", re.MULTILINE), r"\1"),
)

# A clear line of a refusal names the capability, or says that there is none, or names the import
# and how to authorize it.
CLEAR = re.compile(
    r"files=True|programs=True|no capability|imports=|additional_authorized_imports|not authorized"
    r"|authorized imports"
)


@dataclass(frozen=True)
class Outcome:
    """What one side made of a program."""

    text: str
    ended: str
    """The exception with its message, or the exit code."""
    seconds: float
    traceback: str = ""
    """Of fumehood; it ends with what to do."""

    @property
    def compared(self) -> list[str]:
        text = self.text
        for pattern, replacement in PLACES:
            text = pattern.sub(replacement, text)
        return [*text.splitlines(), f"[{self.ended}]"]


@dataclass(frozen=True)
class Program:
    """A program as it is stored."""

    path: Path

    @property
    def name(self) -> str:
        return f"{self.topic}/{self.path.stem}"

    @property
    def topic(self) -> str:
        return self.path.parent.name

    @cached_property
    def source(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def cells(self) -> list[str]:
        """The cells of a program in cells; of another, nothing."""
        return CELL.split(self.source)[1:]

    def header(self, wanted: str) -> list[str]:
        found = []
        for line in self.source.splitlines():
            match = HEADER.fullmatch(line)
            if match is None:
                break
            if match[1] == wanted:
                found.append(match[2])
        return found

    @cached_property
    def stdin(self) -> str:
        return "".join(f"{line}\n" for line in self.header("stdin"))

    @cached_property
    def modules(self) -> list[str]:
        """The installed modules that its import statements name, by their first names."""
        return sorted(filter(is_installed, imported(ast.parse(self.source))))

    @cached_property
    def libraries(self) -> list[str]:
        """Those that are not of the standard library."""
        return [name for name in self.modules if name not in sys.stdlib_module_names]

    @cached_property
    def missing(self) -> list[str]:
        """What it needs and this Python does not have. It does not need what it tries to import,
        nor what it writes itself."""
        tree = ast.parse(self.source)
        tried = [node for node in ast.walk(tree) if isinstance(node, ast.Try)]
        optional = {name for node in tried for name in imported(node)}
        needed = {*imported(tree), *self.header("needs")} - optional
        return sorted(
            name for name in needed if not is_installed(name) and f"{name}.py" not in self.source
        )


def imported(tree: ast.AST) -> set[str]:
    """The first names of the modules in the import statements of a tree."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def is_installed(name: str) -> bool:
    return name in sys.stdlib_module_names or importlib.util.find_spec(name) is not None


@dataclass(frozen=True)
class Comparison:
    """One program and what both sides made of it."""

    program: Program
    plain: Outcome
    sandboxed: Outcome

    @property
    def is_identical(self) -> bool:
        return self.plain.compared == self.sandboxed.compared

    @property
    def is_clear(self) -> bool:
        """Whether a line says which capability or import is missing."""
        return CLEAR.search(self.sandboxed.text + self.sandboxed.traceback) is not None

    def diff(self) -> str:
        lines = [
            line.rstrip("\n")[:200]
            for line in difflib.unified_diff(
                self.plain.compared, self.sandboxed.compared, n=0, lineterm=""
            )
            if not line.startswith(("---", "+++", "@@"))
        ]
        more = [f"… {len(lines) - DIFF_LINES} more"] if len(lines) > DIFF_LINES else []
        return "\n".join(f"    {line}" for line in [*lines[:DIFF_LINES], *more])


def by_cpython(program: Program, hooks: Path) -> Outcome:
    """Run it as a script. `hooks` holds the sitecustomize module, and what matplotlib keeps."""
    with tempfile.TemporaryDirectory() as directory:
        script = Path(directory) / program.path.name
        script.write_text(as_script(program), encoding="utf-8")
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": directory,
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(hooks),
            "MPLBACKEND": "agg",
            "MPLCONFIGDIR": str(hooks),
        }
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-u", script.name],
            cwd=directory,
            env=environment,
            input=program.stdin.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            check=False,
        )
        seconds = time.monotonic() - began
    text, _, raised = done.stdout.decode(errors="replace").partition(RAISED)
    return Outcome(text, first_line(raised) or f"exit code {done.returncode}", seconds)


def last_expression(cell: str) -> ast.expr | None:
    """The expression that gives a cell its value. fumehood gives that of an assignment, too."""
    body = ast.parse(cell).body
    return body[-1].value if body and isinstance(body[-1], ast.Expr) else None


def first_line(text: str) -> str:
    return text.splitlines()[0].removesuffix(": ") if text else ""


def as_script(program: Program) -> str:
    """A program in cells as a script that prints what each cell gives."""
    if not program.cells:
        return program.source
    cells = []
    for cell in program.cells:
        if last := last_expression(cell):
            kept = "".join(cell.splitlines(keepends=True)[: last.lineno - 1])
            value = ast.unparse(last)
            cell = f"{kept}(lambda out: out is None or print('Out:', repr(out)))({value})\n"
        cells.append(cell)
    return "".join(cells)


def by_fumehood(program: Program, policy: Policy) -> Outcome:
    """Run it in a fresh sandbox, cell by cell if it is in cells."""
    text = ""
    ended, traceback = "exit code 0", ""
    began = time.monotonic()
    with LocalPythonExecutor(policy=policy) as executor:
        run = executor.run
        more = {"stdin": program.stdin} if "stdin" in inspect.signature(run).parameters else {}
        for cell in program.cells or [program.source]:
            execution = run(cell, **more)
            text += execution.logs
            if program.cells and last_expression(cell) and execution.value is not None:
                text += f"Out: {REMOTE.sub(lambda found: found[1], repr(execution.value))}\n"
            if execution.error is not None:
                text, ended = how_ended(text, execution.error)
                traceback = execution.error.traceback
                break
    return Outcome(text, ended, time.monotonic() - began, traceback)


def how_ended(text: str, error: ErrorInfo) -> tuple[str, str]:
    if error.type == "SystemExit":
        # CPython prints a message that is not a number, and gives 1. To exit with 0 is no error.
        if error.message == "0":
            return text, "exit code 0, as an error"
        if error.message.isdigit() or error.message == "True":
            return text, f"exit code {error.message.replace('True', '1')}"
        return f"{text}{error.message}\n", "exit code 1"
    return text, first_line(f"{error.type}: {error.message}")


def policy_for(program: Program, options: argparse.Namespace) -> Policy:
    more = {"language": options.language} if options.language else {}
    if options.mode == "default":
        return Policy(imports=tuple(program.libraries), **more)
    imports = ("*",) if options.mode == "full" else tuple(program.modules)
    return Policy(imports=imports, files=True, **more)


def compare(program: Program, options: argparse.Namespace, hooks: Path) -> Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sandboxed = by_fumehood(program, policy_for(program, options))
    return Comparison(program, by_cpython(program, hooks), sandboxed)


def chosen(options: argparse.Namespace) -> list[Program]:
    programs = [Program(path) for path in sorted(PROGRAMS.glob("*/*.py"))]
    if options.only:
        programs = [
            program
            for program in programs
            if program.topic in options.only or program.name in options.only
        ]
    return programs[:: options.every]


def table(programs: list[Program], compared: dict[str, Comparison]) -> Iterator[str]:
    yield (
        f"{'topic':<16}{'programs':>9}{'identical':>11}{'different':>11}{'skipped':>9}"
        f"{'CPython':>10}{'fumehood':>10}{'ratio':>7}"
    )
    topics = [(topic, list(some)) for topic, some in groupby(programs, lambda one: one.topic)]
    for topic, some in [*topics, ("all", programs)]:
        found = [compared[program.name] for program in some if program.name in compared]
        identical = sum(one.is_identical for one in found)
        plain = sum(one.plain.seconds for one in found)
        sandboxed = sum(one.sandboxed.seconds for one in found)
        yield (
            f"{topic:<16}{len(some):>9}{identical:>11}{len(found) - identical:>11}"
            f"{len(some) - len(found):>9}{plain:>8.1f} s{sandboxed:>8.1f} s"
            f"{sandboxed / plain if plain else 0:>7.2f}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    modes = parser.add_mutually_exclusive_group()
    for mode, about in (("default", "default settings"), ("full", "files, and any import")):
        modes.add_argument(f"--{mode}", dest="mode", action="store_const", const=mode, help=about)
    parser.set_defaults(mode="imports")
    parser.add_argument("--language", help="the policy's language; without it, the default")
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="a topic, or topic/name; may be repeated"
    )
    parser.add_argument("--every", metavar="N", type=int, default=1, help="every Nth program")
    parser.add_argument("--check", action="store_true", help="exit 1 when the bar is missed")
    options = parser.parse_args()
    programs = chosen(options)
    began = time.monotonic()
    runnable = [program for program in programs if not program.missing]
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(AT_A_TIME) as pool:
        hooks = Path(directory)
        (hooks / "sitecustomize.py").write_text(SITE_CUSTOMIZE, encoding="utf-8")
        found = list(pool.map(lambda program: compare(program, options, hooks), runnable))
    supervisor.close_all()
    compared = {one.program.name: one for one in found}
    print("\n".join(table(programs, compared)))
    for program in programs:
        if program.missing:
            print(f"\nskipped: {program.name}: {', '.join(program.missing)} not installed")
    different = [one for one in found if not one.is_identical]
    unclear = [one for one in different if not one.is_clear]
    for one in unclear if options.mode == "default" else different:
        print(f"\ndifferent: {one.program.name}\n{one.diff()}")
    share = 1 - len(different) / max(1, len(found))
    print(f"\n{share:.1%} of {len(found)} identical, {time.monotonic() - began:.0f} s")
    if options.mode == "default":
        print(f"{len(different) - len(unclear)} refused clearly, {len(unclear)} otherwise")
        return 1 if options.check and unclear else 0
    return 1 if options.check and share < BAR else 0


if __name__ == "__main__":
    sys.exit(main())
