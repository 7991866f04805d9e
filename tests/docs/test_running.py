"""The runner itself: a page that says what is not so is found out, wherever it says it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from .blocks import Block, read
from .running import Page, PageDiffers, compare


def run(directory: Path, text: str) -> None:
    with Page(directory) as page:
        page.run(read(textwrap.dedent(text).replace("'''", "```"), "page.md"))


def test_programs_share_variables_and_commands_come_between_them(tmp_path: Path) -> None:
    run(
        tmp_path,
        """
        '''python
        x = 20
        open("made", "w").write("from Python")
        '''

        '''console
        $ cat made; export WORD=hello
        from Python
        $ echo $WORD
        hello
        '''

        '''python
        import os

        x + 1  # → 21
        for _ in range(2):
            print(os.environ["WORD"])  # → hello
        y = x * 2  # → 40
        '''

        '''text
        hello
        hello
        '''
        """,
    )


WRONG = {
    "what a program prints": "'''python\nprint(1)\n'''\n\n'''text\n2\n'''",
    "a program that prints nothing": "'''python\nx = 1\n'''\n\n'''\n1\n'''",
    "a value": "'''python\n1 + 1  # → 3\n'''",
    "what is assigned": "'''python\nx = 1 + 1  # → 3\n'''",
    "a line that is not reached": "'''python\nif 0:\n    1 + 1  # → 2\n'''",
    "a program that raises": "'''python\n1 / 0\n'''",
    "a program that ends Python": "'''python\nimport os\nos._exit(3)\n'''",
    "what a command prints": "'''console\n$ echo a\nb\n'''",
    "a command that prints though nothing is shown": "'''console\n$ echo a\n'''",
    "a command that fails in silence": "'''console\n$ false\n'''",
    "a command that does not exist": "'''console\n$ fumehod\n'''",
    "a file without a name": "'''toml\nx = 1\n'''",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_is_not_so_is_found_out(text: str, tmp_path: Path) -> None:
    with pytest.raises(PageDiffers, match=r"page\.md"):
        run(tmp_path, text)


def test_an_error_says_where_on_the_page_it_is(tmp_path: Path) -> None:
    with pytest.raises(PageDiffers, match=r'File "docs/page.md", line 4'):
        run(tmp_path, "\n'''python\nx = 1\nx / 0\n'''\n")


def test_a_command_that_fails_may_be_shown_to(tmp_path: Path) -> None:
    run(tmp_path, "'''console\n$ ls nothing\nls: …\n$ echo $?\n2\n'''")


def test_what_is_marked_is_not_run(tmp_path: Path) -> None:
    text = "<!-- not run: needs a cloud -->\n'''python\n1 / 0\n'''\n\n'''\nx\n'''"
    assert [block.reason for block in read(text.replace("'''", "```"), "page.md")] == [
        "needs a cloud",
        None,
    ]
    run(tmp_path, text)


def test_a_fence_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(ValueError, match="line 2: nobody knows what to do with a fence of 'ruby'"):
        read("\n```ruby\n1\n```\n", "page.md")


def test_a_text_is_what_a_program_prints_only_directly_after_it() -> None:
    text = (
        "```python\n1\n```\n\n```\nout\n```\n\n```python\n2\n```\n\nwords\n\n```text\nnot"
        " out\n```\n"
    )
    assert [block.kind for block in read(text, "page.md")] == [
        "python",
        "output",
        "python",
        "picture",
    ]


@pytest.mark.parametrize(
    ("said", "printed", "agree"),
    [
        ("a\n…\nd", "a\nb\nc\nd", True),
        ("a\n…\nd", "a\nd", True),
        ("a\n…\nd", "a\nb", False),
        ("took … ms", "took 12 ms", True),
        ("ran 3 ms", "ran 17 ms", True),
        ("id 0123456789ab", "id ba9876543210", True),
        ("id 0123456789ab", "id none", False),
        ('{"id": "a", "n": 1}', '{"n":1,"id":"b"}', True),
        ('{"id": "a", "n": 1}', '{"n":2,"id":"a"}', False),
        ('[{"usage": {}}]', '[{"usage":{"cpu":1}}]', True),
    ],
)
def test_comparing(said: str, printed: str, agree: bool) -> None:
    if agree:
        compare("here", said, printed)
    else:
        with pytest.raises(PageDiffers):
            compare("here", said, printed)


def test_a_command_may_go_on_in_the_next_line() -> None:
    block = Block("page.md", 1, "console", "$ one \\\n    two\nout\n$ three\n")
    assert block.commands == [("one \\\n    two", "out\n"), ("three", "")]
