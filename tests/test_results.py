"""The one result type: what it unpacks into, and how it shows itself."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from fumehood.results import ErrorInfo, Execution, Usage
from fumehood.wire.records import Picture, RemoteObject

PNG = b"\x89PNG\r\n\x1a\n" + bytes(14_225)
FIGURE = {"text/plain": "<Figure size 640x480 with 1 Axes>", "image/png": PNG}
EVIL = "<script>parent.evil()</script><img src=x onerror=evil()>"
FRAME = re.compile(
    r'<iframe sandbox="" referrerpolicy="no-referrer" srcdoc="([^"]*)" style="[^"]*">'
)


def page_of(execution: Execution) -> str:
    return execution._repr_mimebundle_()["text/html"]


def test_it_unpacks_into_three_values() -> None:
    execution = Execution(value=1, logs="x", is_final_answer=True, displays=(FIGURE,))
    output, logs, is_final = execution
    assert (output, logs, is_final) == (1, "x", True) == (*execution,)
    assert len(execution) == 3 and execution[0] == 1 and execution[-1] is True
    assert execution[:2] == (1, "x")
    with pytest.raises(IndexError):
        execution[3]
    assert execution.output is execution.value


def test_its_repr_has_the_fields_that_say_something() -> None:
    assert repr(Execution(value=2, usage=Usage(1.0))) == "Execution(value=2)"
    error = ErrorInfo("ValueError", "no", "ValueError: no")
    shown = repr(Execution(logs="a\n", displays=(FIGURE,), error=error, fault="timeout"))
    assert shown == (
        "Execution(value=None, logs='a\\n', displays=(<image/png, 14,233 bytes>,),"
        " error=ErrorInfo(type='ValueError', message='no', traceback='ValueError: no', line=None),"
        " fault='timeout')"
    )


def test_as_text_it_is_what_a_terminal_would_show() -> None:
    table = {"text/plain": "   a\n0  1", "text/html": "<table></table>"}
    execution = Execution(value=[1], logs="printed\n", displays=(FIGURE, table))
    assert str(execution) == "printed\n<image/png, 14,233 bytes>\n   a\n0  1\n[1]"
    assert str(Execution(value=3, is_final_answer=True)) == "final answer: 3"
    failed = Execution(logs="a", error=ErrorInfo("E", "m", "Traceback\nE: m"))
    assert str(failed) == "a\nTraceback\nE: m"
    assert str(Execution()) == "Execution(value=None)"


class Escaping:
    def __repr__(self) -> str:
        return "\x1b[2Jvalue\x9b1m\ud800"


@pytest.mark.parametrize(
    "execution",
    [
        Execution(value=Escaping()),
        Execution(logs="\x1b]52;c;aGk=\x07\x1b[31mred\x1b[0m \ud800\x00"),
        Execution(displays=({"text/plain": "\x1b[31mred\udfff"},)),
        Execution(displays=({"\x1b[31m/\ud800": b"x"},)),
        Execution(error=ErrorInfo("E", "", "\x1b[31mred\ud800")),
        Execution(value=RemoteObject(1, "A", "\x1b[31mred\ud800")),
    ],
    ids=["value", "logs", "display", "format", "error", "remote object"],
)
def test_what_it_shows_cannot_steer_a_terminal_and_can_be_encoded(execution: Execution) -> None:
    before = [*execution]
    for shown in (repr(execution), str(execution), *execution._repr_mimebundle_().values()):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)
        shown.encode()
    assert [*execution] == before  # data is unchanged


def test_a_page_shows_logs_pictures_the_value_and_the_error() -> None:
    page = page_of(Execution(value={"a": 1}, logs="1 < 2\n", displays=(FIGURE,)))
    assert page.index("1 &lt; 2") < page.index('<img src="data:image/png;base64,iVBORw0KGgo')
    assert page.index("<img") < page.index("{&#x27;a&#x27;: 1}")
    failed = page_of(Execution(error=ErrorInfo("E", EVIL, f"E: {EVIL}")))
    assert "color:#c62828" in failed and "&lt;script&gt;" in failed and "<script" not in failed


@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml"])
def test_html_and_svg_of_a_sandbox_are_only_in_a_frame_without_scripts(kind: str) -> None:
    page = page_of(Execution(displays=({"text/plain": "x", kind: f'{EVIL}"></iframe>{EVIL}'},)))
    (inside,) = FRAME.findall(page)
    content = html.unescape(inside)
    assert content.startswith(
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'"
    )
    assert content.endswith(f'{EVIL}"></iframe>{EVIL}')
    assert "<script" not in page and "onerror" not in FRAME.sub("", page)


@pytest.mark.parametrize(
    "bundle",
    [
        {EVIL: "x"},
        {"image/png": EVIL},
        {"application/javascript": EVIL, "text/plain": EVIL},
        {"text/markdown": EVIL},
        {'image/png;base64,"><script>': b"x"},
    ],
    ids=["format", "text for a picture", "javascript", "markdown", "format in an address"],
)
def test_nothing_else_of_a_display_is_markup(bundle: dict[str, Any]) -> None:
    page = page_of(Execution(displays=(bundle,)))
    assert "<script" not in page and "<img" not in page


def test_a_value_that_a_display_shows_is_not_shown_again() -> None:
    table = {"text/plain": "   a\n0  1", "text/html": "<table><tr></table>"}
    for value, bundle in (
        (RemoteObject(1, "A", "<A at 0x7f00>"), {"text/plain": "<A at 0x12ab>", "image/png": PNG}),
        (Picture("image/png", PNG, 2, 2), FIGURE),
        (RemoteObject(1, "DataFrame", "   a\n0  1"), table),
    ):
        assert "<pre" not in page_of(Execution(value=value, displays=(bundle,)))


def test_a_table_that_no_display_shows_is_a_table_in_a_frame() -> None:
    pandas = pytest.importorskip("pandas")
    page = page_of(Execution(value=pandas.DataFrame({"name": [EVIL]})))
    (inside,) = FRAME.findall(page)
    assert "<table" in html.unescape(inside) and "<script" not in html.unescape(inside)


def test_what_it_shows_is_bounded() -> None:
    large = Execution(
        value="v" * 10**6,
        logs="l" * 10**7,
        displays=({"text/html": "h" * (1 << 24) + "h"}, *[{"text/plain": "d" * 10**5}] * 100),
        error=ErrorInfo("E", "", "t" * 10**6),
    )
    assert len(repr(large)) < 50_000
    assert len(str(large)) < 3_000_000
    assert len(page_of(large)) < 3_000_000
