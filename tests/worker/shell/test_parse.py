"""Command lines that are none are refused with one line, whatever they are; none hangs the parser,
or makes it raise anything else."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.worker.shell.arithmetic import evaluate
from fumehood.worker.shell.globs import escaped, matches
from fumehood.worker.shell.parse import LONGEST, REFUSED_WORDS, parse
from fumehood.worker.shell.tree import Misread, Sequence

PIECES = (
    *"a b $ ( ) { } ' \" \\ | & ; < > # ` \n \t = * ? [ ] ! ~ : - + @ / 1 2 % é \0 \ud800".split(
        " "
    ),
    *"if then elif else fi for in do done while until case esac function && || ;; >> << <<- <<< >&"
    " 2>&1 &> [[ ]]".split(),
    *("$(", "$((", "))", "${", "${x:-", "x=", "$x", "$?", "$@", " ", "EOF\n", "<<EOF\n"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_whatever_a_line_is_made_of_it_is_parsed_or_refused(line: str) -> None:
    refusal = ""
    try:
        assert isinstance(parse(line), Sequence)
    except Misread as error:
        refusal = str(error)
    assert len(refusal) < 300


@given(st.text(max_size=200))
def test_any_text_is_parsed_or_refused(line: str) -> None:
    with contextlib.suppress(Misread):
        parse(line)


@given(st.text(max_size=40))
def test_any_text_in_single_quotes_is_that_text(text: str) -> None:
    text = text.replace("'", "").replace("\0", "")
    (item,) = parse(f"'{text}'").items
    (word,) = item[1].commands[0].node.words  # type: ignore[union-attr]
    assert "".join(part.text for part in word) == text  # type: ignore[union-attr]


@given(st.text(alphabet="0123456789+-*/%()<>=!&|^~?: xy", max_size=60))
def test_any_expression_is_worth_something_or_refused(text: str) -> None:
    with contextlib.suppress(Misread):
        assert -(1 << 63) <= evaluate(text, lambda name: "7") < 1 << 63


@given(st.text(max_size=30))
def test_an_escaped_text_is_the_pattern_of_itself_alone(text: str) -> None:
    assert matches(escaped(text), text)
    assert not matches(escaped(text), text + "x")


@given(st.text(alphabet="*?[]!a-c\\:", max_size=30), st.text(alphabet="abc*[", max_size=20))
def test_any_text_is_a_pattern(pattern: str, name: str) -> None:
    matches(pattern, name)


BOMBS = {
    "substitutions in one another": "$(" * 10_000,
    "closed ones": "$(" * 10_000 + "echo" + ")" * 10_000,
    "groups": "(" * 10_000 + "echo" + ")" * 10_000,
    "braces": "{ " * 10_000,
    "ifs": "if " * 10_000,
    "loops": "while " * 10_000,
    "quoted substitutions": '"$(' * 5_000,
    "defaults": "${x:-" * 10_000,
    "sums": "echo $((" + "(" * 5_000 + "1" + ")" * 5_000 + "))",
    "sums in sums": "$((" * 10_000,
    "negations": "! " * 10_000 + "true",
    "here-documents": "cat " + "<<E " * 5_000,
    "a long line": "echo " + "a" * (10 << 20),
    "many words": "echo " + "a " * 50_000,
    "many commands": "true;" * 20_000,
    "quotes": "'" * 90_001,
    "double quotes": '"' * 90_001,
    "dollars": "$" * 90_000,
    "backslashes": "\\" * 90_001,
    "a pipe of many": "cat|" * 20_000 + "cat",
}


@pytest.mark.parametrize("line", BOMBS.values(), ids=BOMBS.keys())
def test_a_bomb_of_a_line_is_parsed_or_refused_and_harms_nobody(line: str) -> None:
    with contextlib.suppress(Misread):
        parse(line)


def test_a_line_is_no_longer_than_it_may_be_and_holds_no_nul() -> None:
    with pytest.raises(Misread, match="too long"):
        parse("a" * (LONGEST + 1))
    with pytest.raises(Misread, match="NUL"):
        parse("echo \0")


@pytest.mark.parametrize("word", REFUSED_WORDS)
def test_a_word_of_other_shells_is_refused_with_what_to_write(word: str) -> None:
    with pytest.raises(Misread) as caught:
        parse(f"{word} x; y ))")
    assert REFUSED_WORDS[word] in str(caught.value)


REFUSED = {
    "sleep 1 &": "`&` is not known here",
    "f() { echo; }": "functions are not known here",
    "echo `date`": "write $(…)",
    "echo {a,b}": "write the words out",
    "x=(1 2)": "lists in variables",
    "cat <(ls)": "write to a file first",
    "echo a | ": "a command is missing",
    "&& echo": "a command is missing",
    "echo 'a": "a ' is not closed",
    'echo "a': 'a " is not closed',
    "echo $(ls": "a $( is not closed",
    "echo ${x": "a ${ is not closed",
    "if true; then echo; ": "`fi` is missing",
    "for 1 in a; do b; done": "`for` needs",
    "while true; done": "`done` is not expected",
    "cat <<EOF\nx": "is not ended by a line 'EOF'",
    "echo )": "`)` is not expected",
    "done": "`done` is not expected",
    "cat 5> x": "there are the descriptors 0, 1 and 2",
    "echo >": "the name of a file is missing",
    "echo $!": "$! is not known here",
    "a ;; b": "belongs to `case`",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_not_known_is_refused_by_name(line: str) -> None:
    with pytest.raises(Misread) as caught:
        parse(line)
    assert REFUSED[line] in str(caught.value)
