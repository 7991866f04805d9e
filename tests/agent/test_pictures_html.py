"""A run as HTML: whole, readable, and with nothing in it that a browser would run or fetch."""

from __future__ import annotations

import base64
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.agent.picture_html import html
from fumehood.agent.steps import PlanningStep, Timing
from fumehood.errors import AgentError, AgentExecutionError
from fumehood.results import ErrorInfo, Execution, Violation

from .scenes import png, result, step

TAGS = {
    "div",
    "style",
    "b",
    "span",
    "pre",
    "code",
    "details",
    "summary",
    "table",
    "tr",
    "th",
    "td",
    "img",
}
ATTRIBUTES = {"class", "open", "alt", "src"}
EMPTY = {"img"}


class Page(HTMLParser):
    """Reads a page as a browser would, and fails for whatever is not supposed to be in it."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.pictures: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag, attributes):
        assert tag in TAGS, tag
        for name, value in attributes:
            assert name in ATTRIBUTES, name
            if name == "src":
                assert tag == "img"
                kind, _, data = value.partition(";base64,")
                assert kind in ("data:image/png", "data:image/jpeg", "data:image/gif")
                base64.b64decode(data, validate=True)
                self.pictures.append(data)
            elif name == "class":
                assert all(
                    part.startswith(("fh-", "tex2jax_ignore", "mathjax_ignore"))
                    for part in value.split()
                )
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def handle_comment(self, data):
        raise AssertionError("a comment")

    handle_decl = handle_pi = unknown_decl = handle_comment

    @property
    def text(self) -> str:
        return "".join(text for tag, text in self.texts if tag != "style")


def test_a_run_is_told_with_its_answer_its_numbers_and_its_steps():
    page = Page(html(result()))
    for part in (
        "answer",
        "three",
        "task",
        "Add.",
        "plan",
        "1. Add.",
        "step 1",
        "total = 1 + 2",
        "= 3",
        "step 2",
        "ZeroDivisionError",
    ):
        assert part in page.text, part
    for part in (
        "There is no code in this.",
        "The answer is 3, I think.",
        "drawing",
        "image/png 4x2",
        "imports",
        "math",
        "tokens in",
        "400",
    ):
        assert part in page.text, part
    assert page.pictures == [base64.b64encode(png(4, 2)).decode()]


@pytest.mark.parametrize("state", ["max_steps", "timeout", "interrupted", "error"])
def test_a_run_without_an_answer_says_why(state):
    page = Page(html(result(state=state, output=None, error=AgentError("the server is on fire"))))
    assert "the server is on fire" in page.text


EVIL = [
    "<script>alert(1)</script>",
    "</pre></details></div><script src=//evil.example></script>",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" \'><svg/onload=alert(1)>',
    "&lt;script&gt;alert(1)&lt;/script&gt; &amp;#x3c;",
    "<!-- never closed",
    "<![CDATA[ <",
    "</style><style>*{background:url(//evil.example)}",
    "javascript:alert(1) data:text/html,<script>alert(1)</script>",
    r"$\href{javascript:alert(1)}{x}$ \[ \unicode{x} \]",
    "<a href='data:text/html;base64,PHNjcmlwdD4='>x</a><iframe srcdoc='<script>'>",
    "\x00\x1b[31m\ud800\ufffe\u202e<b>",
]


def everywhere(text: str):
    """A run that says the same in every place there is."""
    bundle = {
        text: text,
        "text/html": text,
        "text/plain": f"{text}\n{text}",
        "image/svg+xml": text,
        "image/png": text.encode("utf-8", "replace"),
    }
    execution = Execution(
        value={text: [text]},
        logs=text,
        displays=(bundle, {"text/html": text}, {"image/jpeg": text}, text),
        error=ErrorInfo(text, text, text),
        violations=(Violation(1, 1, text, text, text, text),),
        imports=(text,),
        tool_calls=(text,),
    )
    bad = step(
        thought=text,
        code=text,
        model_output=text,
        execution=execution,
        error=AgentExecutionError(f"{text}!"),
    )
    silent = step(2, code=None, model_output=text, error=AgentError(text))
    fine = step(3, thought=text, execution=Execution(value=text, logs=text))
    plan = PlanningStep(text, Timing(0, 1))
    return result(
        task=text,
        output={text: text},
        steps=[plan, bad, silent, fine],
        state="error",
        error=AgentError(text),
    )


@pytest.mark.parametrize("text", EVIL)
def test_hostile_text_is_text_wherever_it_stands(text):
    page = Page(html(everywhere(text)))
    for tag, shown in page.texts:
        if any(word in shown for word in ("alert", "evil", "href")):
            assert tag in ("pre", "code", "span"), tag
    assert not page.pictures


@given(st.text(st.characters(codec=None), max_size=60))
def test_no_text_at_all_becomes_anything_else(text):
    made = html(everywhere(text))
    made.encode()
    Page(made)


def test_html_and_svg_that_a_sandbox_made_are_not_put_into_the_page():
    table = {"text/html": "<table><tr><td>42</td></tr></table>", "text/plain": "   a\n0  42"}
    page = Page(
        html(
            result(
                steps=[
                    step(
                        execution=Execution(
                            displays=(table, {"image/svg+xml": "<svg onload='x'/>"})
                        )
                    )
                ]
            )
        )
    )
    assert "text/html 35 characters" in page.text
    assert "   a\n0  42" in page.text
    assert "<td>42" not in page.text
    assert "onload" not in page.text


def test_a_picture_is_what_its_bytes_say_and_not_what_the_sandbox_says():
    liar = {"image/png": b"<html><script>alert(1)</script>", "text/html": png(1, 1)}
    page = html(result(steps=[step(execution=Execution(displays=(liar,)))]))
    assert Page(page).pictures == [base64.b64encode(png(1, 1)).decode()]
    assert 'src="data:image/png;base64,' in page


def test_a_page_is_bounded_whatever_the_run_holds():
    text = ("<&'\"" * 250 + "\n") * 3_000
    huge = [
        step(number, thought=text, code=text, execution=Execution(logs=text, value=text))
        for number in range(1, 60)
    ]
    page = html(result(steps=huge, output=text * 5))
    assert len(page) < 12_000_000
    assert "more steps" in Page(page).text
    assert "lines left out" in page
