"""From a model's text to code: what the cases and properties do not say."""

from __future__ import annotations

import pytest

from fumehood.agent.parsing.marks import PYTHON_WORDS, REASONING, TAGS
from fumehood.agent.parsing.parse import Parsed, parse, parse_code_blobs


@pytest.mark.parametrize("word", PYTHON_WORDS)
def test_every_word_for_python_is_one(word: str) -> None:
    assert parse_code_blobs(f"```{word}\nprint(1)\n```\n```\nprint(2)\n```") == "print(1)"


EXAMPLES = {
    "code": "<code>",
    "execute_python": "<execute_ipython>",
    "execute": "<execute>",
    "python": "<python>",
    "tool_code": "<tool_code>",
    "bracket": "[python]",
    "python_tag": "<|python_tag|>",
    "parameter": '<parameter name="code">',
    "tool_call": "<tool_call>",
}


@pytest.mark.parametrize("tag", TAGS, ids=lambda tag: tag.name)
def test_every_tag_sets_off_code(tag: object) -> None:
    inside = '{"code": "print(1)"}' if tag.name == "tool_call" else "print(1)"
    assert parse(f"So:\n{EXAMPLES[tag.name]}\n{inside}\n{tag.closing}\nDone.") == Parsed(
        "So:\n\nDone.", "print(1)"
    )


@pytest.mark.parametrize("word", REASONING)
def test_code_in_any_kind_of_reasoning_is_not_run(word: str) -> None:
    parsed = parse(f"<{word}>\n```python\nbad()\n```\n</{word}>\n```python\nprint(1)\n```")
    assert parsed.code == "print(1)"
    assert word not in parsed.thought
