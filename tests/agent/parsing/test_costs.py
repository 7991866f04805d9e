"""What parsing costs, counted: how often Python's parser is asked and about how much, however the
text is made."""

from __future__ import annotations

import ast
import contextlib
from typing import Any

import pytest

from fumehood.agent.parsing import parse as parsing
from fumehood.agent.parsing import python as parsing_python
from fumehood.agent.parsing.python import MAX_ATTEMPTS, MAX_CODE, MAX_PARSED, TIMES_OVER
from fumehood.errors import AgentParsingError

PATTERNS = {
    "blocks": "```python\nx = 1\n```\n",
    "broken blocks": "```python\nx = (\n```\n",
    "blocks without an end": "```python\nx = 1\n",
    "bare fences": "```\n",
    "bare fences and prose": "```\nit isn't code\n",
    "strings without an end": '```python\n\\"""\n',
    "strings of two kinds": "```python\n'''\n```\n\"\"\"\n",
    "tags in prose": "see <code> it's \"\n",
    "tags on one line": "see <code> it's ",
    "fences on one line": "``` a ",
    "inline code": "```x = 1``` ",
    "comments": "```python\n# ```\n",
    "tildes": "~~~python\nx = (\n~~~\n",
    "calls": '<tool_call>{"a": \n',
    "reasoning": "<think>a</think>\n",
    "ends of reasoning": "a </think>\n",
    "labels": "Output:\n```\n1\n```\n",
    "attributes": "```python " + "a=b, " * 50 + "(\n",
}


class Counted:
    """Counts what the parser is asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.attempts = 0
        self.characters = 0
        real = ast.parse

        def parse(source: str, *args: Any) -> Any:
            self.attempts += 1
            self.characters += len(source)
            return real(source, *args)

        monkeypatch.setattr(parsing_python.ast, "parse", parse)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


def parsed(text: str) -> parsing.Parsed | None:
    try:
        return parsing.parse(text)
    except AgentParsingError:
        return None


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_asks_the_parser_without_end(name: str, counted: Counted) -> None:
    parsed(PATTERNS[name] * 3_000)
    assert counted.attempts <= MAX_ATTEMPTS
    assert counted.characters <= MAX_PARSED + MAX_CODE


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_is_parsed_or_read_more_than_so_many_times_over(name: str) -> None:
    text = PATTERNS[name] * 3_000
    parsing_ = parsing._Parsing(text, None)
    with contextlib.suppress(AgentParsingError):
        parsing_.parsed()
    most = (TIMES_OVER + 5) * len(text) + MAX_CODE  # what was begun is brought to an end
    assert parsing_.judge.parsed <= most
    assert parsing_.judge.read <= most


@pytest.mark.long
def test_a_program_with_a_hundred_thousand_fences_in_a_string_is_one_program(
    counted: Counted,
) -> None:
    code = (
        's = """\n'
        + ("```python\nsome text that goes on for a while\n```\n" * 50_000)
        + '"""\nprint(s)'
    )
    assert parsed(f"It's this:\n```python\n{code}\n```\nThat's it.") == parsing.Parsed(
        "It's this:\n\nThat's it.", code
    )
    assert counted.attempts == 0  # too long to be parsed: strings and comments decide


@pytest.mark.parametrize(
    "code",
    [
        "(" * 5_000,
        "[" * 100 + "]" * 100,
        "-" * 100_000 + "1",
        "1" + "+1" * 50_000,
        "a" + ".b" * 50_000,
        "f'{" * 200,
        "lambda:" * 5_000 + "1",
    ],
)
def test_code_that_is_too_deep_for_the_parser_is_still_code(code: str) -> None:
    assert parsed(f"```python\n{code}\n```") == parsing.Parsed("", code)
