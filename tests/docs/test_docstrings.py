"""Examples in docstrings are programs, and each runs. An example without an entry in RUN is found."""

from __future__ import annotations

import ast
import re
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fumehood
from fumehood.server.config_file import gather

SOURCE = Path(fumehood.__file__).parent
_LOOKS_LIKE_CODE = re.compile(
    r"^(?:from \S+ import|import |@|class \w+|def \w+|with .*:$|\[[\w.]+\]|[\w., ]+ = |\w+\()",
    re.MULTILINE,
)

_TWO_COLUMNS = re.compile(r"\S {2,}\S")


def examples() -> Iterator[tuple[str, str]]:
    """What is indented in a docstring and looks like code, with the file that it is in. Tables and
    drawings do not."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.is_relative_to(SOURCE / "attack" / "programs"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(
                node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
            ):
                continue
            text = ast.get_docstring(node) or ""
            assert not re.search(r"^\s*>>> ", text, re.MULTILINE), (
                f"{path}: write an example as a program, indented"
            )
            found = "\n\n".join(
                part
                for part in re.split(r"\n{2,}", text)
                if all(line.startswith("    ") for line in part.split("\n"))
            )
            lines = textwrap.dedent(found).splitlines()
            is_drawing = any("──" in line for line in lines)
            is_table = is_drawing or bool(lines) and bool(_TWO_COLUMNS.search(lines[0]))
            if _LOOKS_LIKE_CODE.search(textwrap.dedent(found)) and not is_table:
                yield path.relative_to(SOURCE).as_posix(), textwrap.dedent(found)


def _as_a_program(**known: Any) -> Callable[[str, Path], dict[str, Any]]:
    def run(text: str, directory: Path) -> dict[str, Any]:
        module = types.ModuleType("example")
        vars(module).update(known)
        exec(
            compile(text, "example", "exec"), vars(module)
        )  # what a reader would paste into a file
        return vars(module)

    return run


def _smolagents(text: str, directory: Path) -> None:
    theirs = pytest.importorskip("smolagents")

    class Scripted(theirs.Model):  # type: ignore[misc, name-defined]
        def generate(self, *args: Any, **options: Any) -> Any:
            return theirs.ChatMessage(
                role=theirs.MessageRole.ASSISTANT, content="<code>\nfinal_answer(6 * 7)\n</code>"
            )

    made = _as_a_program(CodeAgent=theirs.CodeAgent, tools=[], model=Scripted())(text, directory)
    assert "42" in str(made["agent"].memory.get_full_steps()[-1])


def _arguments(text: str, directory: Path) -> None:
    from fumehood.tools.arguments import checked

    def search(query: str, limit: int = 3) -> str:
        return ""

    made = _as_a_program(checked=checked, search=search)(text, directory)
    assert (made["args"], made["kwargs"]) == (("cats",), {"limit": 5})


def _tools(text: str, directory: Path) -> None:
    from datetime import date

    made = _as_a_program(
        tool=fumehood.tool, Tool=fumehood.Tool, date=date, requests_made=lambda: 3
    )(text, directory)
    assert made["price"].inputs["ticker"]["description"] == 'Its symbol, like "ACME".'
    assert made["Price"]().name == "price"


def _settings(text: str, directory: Path) -> None:
    secret = directory / "alice"
    secret.write_text("a-key-that-is-long-enough-for-it\n")
    secret.chmod(0o600)
    file = directory / "server.toml"
    file.write_text(text.replace("/run/secrets/alice", str(secret)))
    file.chmod(0o600)
    settings = gather(config=file).settings
    assert settings.host == "0.0.0.0"
    assert [(each.name, each.setup) for each in settings.templates] == [
        ("tables", "import pandas as pd")
    ]


def _prompting(text: str, directory: Path) -> None:
    import datetime

    from fumehood.tools.prompting import signature_text

    body = _as_a_program(datetime=datetime, tool=fumehood.tool)(f"@tool\n{text}", directory)
    assert signature_text(body["price"]).strip() == text.strip()


# Each file with an example, and what runs it.
RUN: dict[str, Callable[[str, Path], Any]] = {
    "integrations/smolagents.py": _smolagents,
    "server/config_file.py": _settings,
    "tools/arguments.py": _arguments,
    "tools/prompting.py": _prompting,
    "tools/tool.py": _tools,
}


EXAMPLES = [*examples()]


def test_every_example_has_something_that_runs_it() -> None:
    assert sorted({file for file, _text in EXAMPLES}) == sorted(RUN)


@pytest.mark.parametrize(
    ("file", "text"), [pytest.param(*found, id=found[0]) for found in EXAMPLES]
)
def test_an_example_runs(file: str, text: str, tmp_path: Path) -> None:
    RUN[file](text, tmp_path)
