"""VisitWebpageTool, against a server that misbehaves on purpose."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood.errors import MissingExtra, ToolError

pytest.importorskip("httpx")
pytest.importorskip("markdownify")

from fumehood.tools import fetching
from fumehood.tools.fetching import MOST_REDIRECTS, fetch
from fumehood.tools.web import VisitWebpageTool, decoded

from .search_engine import certificate
from .web_server import PAGE, WebServer, head, serving


@pytest.fixture
def server() -> Iterator[WebServer]:
    with serving() as made:
        yield made


@pytest.fixture
def visit() -> VisitWebpageTool:
    return VisitWebpageTool(allow_private=True)


def refusal(tool: VisitWebpageTool, url: str) -> str:
    with pytest.raises(ToolError) as caught:
        tool(url)
    text = str(caught.value)
    assert "\n" not in text and "\x1b" not in text and len(text) < 500
    return text


# -- pages


def test_a_page_is_given_as_markdown(server: WebServer, visit: VisitWebpageTool) -> None:
    text = visit(f"{server.url}/")
    assert text == "# Cats\n\nCats **purr**.\n\n- one\n- [two](/two)\n\nrun\na cat"


@pytest.mark.parametrize("path", ["/gzip", "/deflate", "/bare-deflate", "/untyped", "/to-page"])
def test_however_it_is_sent_it_is_the_same_page(server: WebServer, path: str) -> None:
    page = fetch(server.url + path, seconds=20, most_bytes=10_000, allow_private=True)
    assert (page.body, page.is_whole) == (PAGE, True)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/latin", "<p>café</p>"),
        ("/meta", "<meta charset=windows-1252><p>café –</p>"),
        ("/wrong-charset", "<p>café</p>"),
        ("/no-charset-at-all", "<p>café</p>"),
        ("/bom", "<p>café</p>"),
        ("/gzip-twice", "<p>one</p><p>two</p>"),
    ],
)
def test_bytes_are_read_in_the_encoding_they_were_written_in(
    server: WebServer, path: str, text: str
) -> None:
    page = fetch(server.url + path, seconds=20, most_bytes=10_000, allow_private=True)
    assert decoded(page) == text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/plain", "just text\nand more"),
        ("/json", '{"a": [1, 2]}'),
        ("/control", "a[31mred right"),
        ("/to-relative", "just text\nand more"),
    ],
)
def test_text_is_given_without_what_is_not_text(
    server: WebServer, visit: VisitWebpageTool, path: str, text: str
) -> None:
    assert visit(server.url + path) == text


def test_of_a_long_page_the_beginning_is_given(server: WebServer) -> None:
    text = VisitWebpageTool(max_output_length=1000, allow_private=True)(f"{server.url}/long")
    assert text.startswith("word word word")
    assert text.endswith("(shortened: the page goes on after 1,000 characters)")
    assert len(text) < 1100


def test_a_page_nested_too_deeply_for_markdown_gives_its_words(
    server: WebServer, visit: VisitWebpageTool
) -> None:
    assert visit(f"{server.url}/deep") == "deep words"


def test_a_page_that_unfolds_is_cut_by_whoever_unfolds_it(server: WebServer) -> None:
    text = VisitWebpageTool(max_output_length=5000, allow_private=True)(f"{server.url}/quotes")
    assert len(text) < 5100


# -- what is refused


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/picture", "'image/png', not text"),
        ("/untyped-binary", "not text"),
        ("/404", "answered 404 (Not\\x1b[31m Found)"),
        ("/304", "answered 304"),
        ("/300", "answered 300"),
        ("/round", f"more than {MOST_REDIRECTS} redirects"),
        ("/to-file", "'file:///etc/passwd' is not an address of the web"),
        ("/to-ftp", "not an address of the web"),
        ("/brotli", "packed as 'br'"),
        ("/packed-twice", "packed as 'gzip, gzip'"),
        ("/gzip-damaged", "damaged"),
        ("/cut", "cannot be read"),
        ("/cut-head", "cannot be read"),
        ("/closed", "cannot be read"),
        ("/garbage", "cannot be read"),
        ("/endless-head", "cannot be read"),
    ],
)
def test_what_cannot_be_given_is_one_line(
    server: WebServer, visit: VisitWebpageTool, path: str, words: str
) -> None:
    assert words in refusal(visit, server.url + path)


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    context = certificate(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            client, _ = listener.accept()
            with client, contextlib.suppress(OSError):
                context.wrap_socket(client, server_side=True).close()

        threading.Thread(target=serve, daemon=True).start()
        text = refusal(
            VisitWebpageTool(allow_private=True), f"https://localhost:{listener.getsockname()[1]}/"
        )
    assert "certificate verify failed" in text


def test_https_to_a_server_that_is_vouched_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = certificate(tmp_path)
    trusted = ssl.create_default_context(cafile=tmp_path / "certificate.pem")
    trusted.check_hostname = False  # it is made out to nobody in particular
    monkeypatch.setattr(fetching, "_certificates", lambda: trusted)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            client, _ = listener.accept()
            with client, context.wrap_socket(client, server_side=True) as secure:
                secure.recv(65536)
                secure.sendall(head(Content_Type="text/plain", Content_Length=6) + b"secret")

        threading.Thread(target=serve, daemon=True).start()
        assert (
            VisitWebpageTool(allow_private=True)(f"https://localhost:{listener.getsockname()[1]}/")
            == "secret"
        )


@pytest.mark.parametrize(
    "url",
    ["", "cats", "/etc/passwd", "file:///etc/passwd", "ftp://example.com/", "gopher://example.com", "data:text/html,x", "javascript:1",
     "http://", "https:///x", "http://[::1", "http://exa\nmple.com/", "http://\x00/", "http://" + "a" * 5000, "//example.com/"],
)  # fmt: skip
def test_only_addresses_of_the_web_are_visited(url: str) -> None:
    assert re.search("address", refusal(VisitWebpageTool(), url))


def test_a_redirect_is_followed_by_the_same_rules(server: WebServer) -> None:
    """The first connection is allowed because it is this test's server; the second is refused as it
    would be without that."""
    with pytest.raises(ToolError, match="the local link"):
        _fetch_allowing_only(server, "/to-metadata")


def _fetch_allowing_only(server: WebServer, path: str) -> None:
    from fumehood.tools import addresses

    row = next(
        index for index, (network, _) in enumerate(addresses._V4) if "127.0.0.0" in str(network)
    )
    taken = addresses._V4.pop(row)
    try:
        fetch(server.url + path, seconds=10, most_bytes=1000)
    finally:
        addresses._V4.insert(row, taken)


def test_a_name_and_a_password_in_the_address_are_not_sent(
    server: WebServer, visit: VisitWebpageTool
) -> None:
    visit(f"http://user:secret@127.0.0.1:{server.port}/plain")
    assert b"uthorization" not in server.requests[0]
    assert b"secret" not in server.requests[0]


@pytest.mark.parametrize(
    "spelling",
    "127.0.0.1 localhost 127.1 2130706433 0x7f000001 0177.0.0.1 [::1] [::ffff:127.0.0.1]"
    " [::ffff:7f00:1] 0.0.0.0 [::] [64:ff9b::7f00:1]".split(),
)
def test_this_machine_is_not_visited_however_it_is_spelled(
    server: WebServer, spelling: str
) -> None:
    text = refusal(VisitWebpageTool(timeout=10), f"http://{spelling}:{server.port}/")
    assert (
        "only the public internet can be visited" in text or "is not an address of the web" in text
    )
    assert server.requests == []


# -- bounds


@pytest.mark.parametrize("path", ["/drip", "/drip-head", "/continue", "/silent"])
def test_a_server_cannot_stretch_the_time(server: WebServer, path: str) -> None:
    assert "took longer than 0.4 seconds" in refusal(
        VisitWebpageTool(timeout=0.4, allow_private=True), server.url + path
    )


def test_a_page_without_end_is_read_only_so_far(server: WebServer) -> None:
    tool = VisitWebpageTool(allow_private=True, max_bytes=100_000, max_output_length=10**6)
    text = tool(f"{server.url}/endless")
    assert text.endswith("(shortened: the page is longer than 100,000 bytes)")
    assert len(text) < 101_000


def test_a_few_bytes_are_not_unpacked_to_gigabytes(server: WebServer) -> None:
    page = fetch(f"{server.url}/bomb", seconds=20, most_bytes=200_000, allow_private=True)
    assert (len(page.body), page.is_whole) == (200_000, False)


def test_html_that_is_difficult_on_purpose_is_given_up_when_the_time_is_over(
    server: WebServer,
) -> None:
    assert "took" in refusal(
        VisitWebpageTool(timeout=0.5, allow_private=True), f"{server.url}/difficult"
    )


# -- making one


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 0},
        {"timeout": float("nan")},
        {"timeout": 10**400},
        {"max_output_length": -1},
        {"timeout": "5"},
        {"max_bytes": True},
    ],
)
def test_limits_that_are_none_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ToolError, match=r"(seconds|characters|bytes).*, not "):
        VisitWebpageTool(**options)  # type: ignore[arg-type]


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "markdownify" else found(name, *rest),
    )
    with pytest.raises(
        MissingExtra, match=re.escape("needs markdownify: pip install 'fumehood[web]'")
    ):
        VisitWebpageTool()
