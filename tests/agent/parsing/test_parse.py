"""From a model's text to code: what the cases and properties do not say."""

from __future__ import annotations

import sys
import threading

import pytest

from fumehood.agent.parsing.marks import MARKERS, PYTHON_WORDS, REASONING, TAGS
from fumehood.agent.parsing.parse import Parsed, parse, parse_code_blobs


def test_what_was_parsed_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        parse("print(1)").code = "print(2)"  # type: ignore[misc]


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


def test_every_row_says_why() -> None:
    assert all(tag.reason for tag in TAGS)
    assert all(reason for _, reason in MARKERS)
    assert all([*PYTHON_WORDS.values(), *REASONING.values()])


@pytest.mark.skipif(
    sys.version_info < (3, 12),
    reason="quotes inside of the braces of f-strings came with Python 3.12",
)
def test_a_fence_in_quotes_inside_of_an_f_string_is_a_part_of_it() -> None:
    code = 'd = {"```": 1}\nx = f"{d["```"]} and {d["```"]}"\nprint(f"{"""\n```\n"""}")\nprint(x)'
    assert parse_code_blobs(f"It's so:\n```python\n{code}\n```\nThat's it.") == code


# -- the caller's own marks


@pytest.mark.parametrize("tags", [("", "</x>"), ("<x>",), ("<x>", None), ("<x>", " ")])
def test_marks_that_are_none_are_refused(tags: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="code_block_tags are two texts"):
        parse("print(1)", tags)


# -- warnings and threads


def test_many_threads_parse_at_once() -> None:
    text = "So\n```python\ns = '''\n```\n'''\nprint(s, '\\d')\n```\n" * 5
    expected = parse(text)
    wrong: list[object] = []

    def work() -> None:
        for _ in range(20):
            made = parse(text)
            if made != expected:
                wrong.append(made)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
