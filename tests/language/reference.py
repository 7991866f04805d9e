"""What plain CPython does with a case: the side that is right by definition.

A case is a Python file below `cases/`. Its leading comments describe it:

    # One sentence saying what the program shows.
    # python: 3.12+          needs this version or a later one
    # value: [1, 2]          the repr of the last cell's value, when that cell ends in a compound
                             statement

A line that is exactly `# ---` separates cells, which run one after the other in the same session. A
cell that raises does not end the session: the next one runs with the variables as they are, as in a
notebook.

Nothing here looks for a value inside `if`, `for`, `while`, `with` or `try`: doing so would repeat
the rule under test, so the author of the case states that value. Without a stated value such a cell
has the value None.
"""

import ast
import asyncio
import builtins
import contextlib
import inspect
import io
import re
import sys
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

OLDEST_PYTHON = (3, 11)

# Not an identifier, so that no program can read it, overwrite it, or be surprised by it.
VALUE_NAME = "value of the cell"


@dataclass(frozen=True)
class Case:
    title: str
    python: tuple[int, int]
    value: str | None
    cells: tuple[str, ...]
    path: Path

    @property
    def runs_here(self) -> bool:
        return sys.version_info[:2] >= self.python


@dataclass(frozen=True)
class Outcome:
    """What can be seen of one cell: its output, the repr of its value, and the exception it ended
    with."""

    stdout: str
    value: str
    exception_type: str | None = None
    exception_message: str | None = None


def read_case(path: Path) -> Case:
    """Raises ValueError for a file without a title or with a header it cannot read."""
    text = path.read_text(encoding="utf-8")
    header = []
    for line in text.splitlines():
        if not line.startswith("#") or line == "# ---":
            break
        header.append(line[1:].strip())
    if not header or not header[0] or re.match(r"(python|value):", header[0]):
        raise ValueError(f"{path}: the first line must be a comment saying what the program shows")

    python, value = OLDEST_PYTHON, None
    for line in header[1:]:
        if line.startswith("python:"):
            version = re.fullmatch(r"python:\s*(\d+)\.(\d+)\+", line)
            if version is None:
                raise ValueError(f"{path}: expected `# python: 3.12+`, found `# {line}`")
            python = (int(version[1]), int(version[2]))
        elif line.startswith("value:"):
            value = line.removeprefix("value:").strip()

    cells = tuple(re.split(r"^# ---\n", text, flags=re.MULTILINE))
    return Case(header[0], python, value, cells, path)


def run_plain(case: Case) -> list[Outcome]:
    namespace: dict[str, object] = {"__name__": "__main__", "__builtins__": builtins}
    outcomes = []
    for number, cell in enumerate(case.cells, start=1):
        stated = case.value if number == len(case.cells) else None
        outcomes.append(
            _in_new_thread(lambda cell=cell, stated=stated: _run_cell(cell, namespace, stated))
        )
    return outcomes


def comparable_value(value: object) -> str:
    """The repr without memory addresses, which two runs never share."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def comparable_message(exception_type: str | None, message: str | None) -> str | None:
    """A syntax error names its file in its message; the two sides use different names for the same
    text."""
    if message is not None and exception_type in ("SyntaxError", "IndentationError", "TabError"):
        return re.sub(r" \((?:[^()]*, )?(line \d+)\)$", r" (\1)", message)
    return message


def _run_cell(cell: str, namespace: dict[str, object], stated_value: str | None) -> Outcome:
    stdout = io.StringIO()
    value, error = None, None
    with contextlib.redirect_stdout(stdout):
        try:
            code = _compile_cell(cell)
            finished = eval(code, namespace)
            if code.co_flags & inspect.CO_COROUTINE:
                asyncio.run(finished)
            value = namespace.get(VALUE_NAME)
        except BaseException as raised:
            error = raised
        finally:
            namespace.pop(VALUE_NAME, None)
    if error is not None:
        kind = type(error).__name__
        return Outcome(stdout.getvalue(), "None", kind, comparable_message(kind, str(error)))
    return Outcome(stdout.getvalue(), stated_value or comparable_value(value))


def _compile_cell(cell: str) -> CodeType:
    """The cell as one code object that leaves the value of its last statement under VALUE_NAME."""
    with warnings.catch_warnings():
        # Newer versions of Python advise against some of what must still behave, such as `return`
        # in `finally`.
        warnings.simplefilter("ignore")
        tree = ast.parse(cell, "<case>")
        if tree.body:
            tree.body[-1:] = _keep_value(tree.body[-1])
        ast.fix_missing_locations(tree)
        return compile(
            tree, "<case>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True
        )


def _keep_value(last: ast.stmt) -> list[ast.stmt]:
    kept = ast.Name(VALUE_NAME, ast.Store())
    if isinstance(last, ast.Expr):
        return [ast.copy_location(ast.Assign([kept], last.value), last)]
    if isinstance(last, ast.Assign):
        # One more target of the same assignment: the expression is still evaluated once.
        return [ast.copy_location(ast.Assign([kept, *last.targets], last.value), last)]
    if isinstance(last, ast.AugAssign) or (
        isinstance(last, ast.AnnAssign) and last.value is not None
    ):
        read_back = ast.parse(ast.unparse(last.target), mode="eval").body
        return [last, ast.copy_location(ast.Assign([kept], read_back), last)]
    return [last]


def _in_new_thread(run: Callable[[], Outcome]) -> Outcome:
    """A new thread has an empty stack: the depth a program may recurse to is not shortened by the
    test runner's own."""
    outcomes: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(run()))
    thread.start()
    thread.join()
    return outcomes[0]
