"""From a model's text to code: what the cases and properties do not say."""

from __future__ import annotations

import ast
import sys
import threading
import warnings

import pytest

from fumehood.agent.parsing.marks import MARKERS, PYTHON_WORDS, REASONING, TAGS
from fumehood.agent.parsing.parse import Parsed, parse, parse_code_blobs
from fumehood.errors import AgentParsingError


def test_thought_and_code_come_apart() -> None:
    assert parse("I print.\n```python\nprint(1)\n```") == Parsed("I print.", "print(1)")


def test_what_was_parsed_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        parse("print(1)").code = "print(2)"  # type: ignore[misc]


@pytest.mark.parametrize("word", PYTHON_WORDS)
def test_every_word_for_python_is_one(word: str) -> None:
    assert parse_code_blobs(f"```{word}\nprint(1)\n```\n```\nprint(2)\n```") == "print(1)"


@pytest.mark.parametrize(
    "word",
    [
        "bash",
        "text",
        "output",
        "javascript",
        "pythonic",
        "py-spy",
        "c",
        "sql",
        "plaintext",
        "mermaid",
    ],
)
def test_any_other_word_is_prose(word: str) -> None:
    with pytest.raises(AgentParsingError, match=f"holds {word}"):
        parse(f"```{word}\nprint(1)\n```")


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


def test_marks_that_are_known_anyway_may_be_named() -> None:
    for tags in (("```python", "```"), ("<code>", "</code>")):
        text = f'So:\n{tags[0]}\nprint("{tags[1]}")\n{tags[1]}'
        assert parse_code_blobs(text, tags) == f'print("{tags[1]}")'
    assert (
        parse_code_blobs('```python title="x"\nprint(1)\n```', ("```python", "```")) == "print(1)"
    )


def test_a_known_beginning_may_have_an_end_of_its_own() -> None:
    assert parse("<code>\nprint(1)\n<done>\nprose", ("<code>", "<done>")) == Parsed(
        "prose", "print(1)"
    )


@pytest.mark.parametrize("tags", [("", "</x>"), ("<x>",), ("<x>", None), ("<x>", " ")])
def test_marks_that_are_none_are_refused(tags: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="code_block_tags are two texts"):
        parse("print(1)", tags)


def test_marks_may_hold_what_means_something_in_expressions() -> None:
    assert parse_code_blobs("(((\nx = [1]\n.*+\n", ("(((", ".*+")) == "x = [1]"


# -- the errors


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would look first.",
        "The final answer is 42.",
        "```bash\nls\n```",
        "```python\n```",
        "<think>hm",
        '{"name": "search", "arguments": {}}',
    ],
)
def test_an_error_says_what_to_write_and_its_example_is_right(text: str) -> None:
    with pytest.raises(AgentParsingError) as caught:
        parse(text)
    what, _, example = str(caught.value).partition("For example:")
    assert len(what) < 300
    assert ast.parse(parse_code_blobs(example))


def test_an_error_in_the_caller_s_marks_can_be_parsed_with_them() -> None:
    with pytest.raises(AgentParsingError) as caught:
        parse("The answer is 'x' ", ("<run>", "</run>"))
    assert parse_code_blobs(str(caught.value), ("<run>", "</run>")) == "final_answer('x')"


@pytest.mark.parametrize(
    ("stated", "argument"),
    [
        ("The answer is 1,000", "'1,000'"),
        ("Final answer: True", "True"),
        ("final answer is: -2.5e3", "-2500.0"),
        ('The answer is "it\'s"', '"it\'s"'),
        ("The final answer is __import__('os').system('x')", "\"__import__('os').system('x')\""),
        ("The answer is [1, 2]", "'[1, 2]'"),
        ("The answer is 9" + "9" * 5000, "value"),
        ("The answer is \n", None),
    ],
)
def test_an_answer_in_prose_is_shown_as_code(stated: str, argument: str | None) -> None:
    with pytest.raises(AgentParsingError) as caught:
        parse(stated)
    assert (f"final_answer({argument})" in str(caught.value)) is (argument is not None)


# -- warnings and threads


def test_code_that_python_warns_about_is_code_and_nobody_is_warned(
    recwarn: pytest.WarningsRecorder,
) -> None:
    warnings.simplefilter("error")
    text = "```python\nx = '\\d```'\nprint(0or x)\n```"
    assert parse_code_blobs(text) == "x = '\\d```'\nprint(0or x)"
    assert not [*recwarn]
    with pytest.raises(UserWarning, match="others"):
        warnings.warn("what others do is theirs", stacklevel=1)


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
