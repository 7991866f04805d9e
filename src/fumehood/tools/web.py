"""VisitWebpageTool: a page of the web as Markdown.

It runs on the host on behalf of code that nobody trusts, so it reaches the public internet and
nothing else, reads only so much for only so long, and leaves the parsing of what it gets to a
process that can be ended.
"""

from __future__ import annotations

import codecs
import importlib.util
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from fumehood import asked
from fumehood.errors import MissingExtra, ToolError
from fumehood.tools.fetching import Page, fetch
from fumehood.tools.prompting import plain
from fumehood.tools.tool import Tool
from fumehood.wire.show import one_line

MOST_BYTES = 5_000_000
"""Of a longer page the rest is not read."""

_PARSING_MEMORY = 1 << 30
_ENVIRONMENT = "HOME LANG LC_ALL LD_LIBRARY_PATH PATH PYTHONHOME PYTHONPATH SYSTEMROOT TMPDIR VIRTUAL_ENV".split()  # noqa: E501
"""What a process that parses pages sees of the environment: where Python is, and no keys."""

# Kinds of content that are text. Anything else is refused by name.
_HTML = re.compile(r"text/html|application/xhtml\+xml")
_TEXT = re.compile(
    r"text/.*|application/(?:.*\+)?(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|rss|atom|sql|x-sh|x-tex)"
)

# Encodings that pages are written in. Python has others, which unpack, evaluate or take for ever.
_ENCODINGS = re.compile(
    r"utf-?(?:8|16|32)(?:-?[bl]e)?|(?:us-)?ascii|iso-?8859-\d{1,2}|latin-?\d|windows-?125\d|cp125\d|koi8-[ru]|macroman|mac-?cyrillic"
    r"|shift[-_]?jis|euc[-_](?:jp|kr)|iso-2022-(?:jp|kr)|gb(?:k|2312|18030)|big5(?:-?hkscs)?|tis-?620|windows-?874|cp949"
)
_DECLARED = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})|<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]{1,40})""",
    re.I,
)


class VisitWebpageTool(Tool):
    """Gives the text of a page. `allow_private` lets code reach the host's own network too: this
    machine, its neighbours, its cloud."""

    name = "visit_webpage"
    description = (
        "Visits a page of the web and returns its text as Markdown. Only the public internet can be"
        " reached."
    )

    def __init__(
        self,
        max_output_length: int = 40_000,
        *,
        timeout: float = 20,
        allow_private: bool = False,
        max_bytes: int = MOST_BYTES,
    ) -> None:
        super().__init__()
        asked.seconds("timeout", timeout, ToolError, may_be_none=False)
        for name, value, unit in (
            ("max_output_length", max_output_length, "characters"),
            ("max_bytes", max_bytes, "bytes"),
        ):
            if not asked.is_number(value) or not 1 <= value < math.inf:
                raise ToolError(
                    f"{name} must be a number of {unit}, at least 1, not {asked.shown(value)}"
                )
        _need("httpx", "markdownify")
        self.max_output_length = int(max_output_length)
        self.timeout = float(timeout)
        self.allow_private = bool(allow_private)
        self.max_bytes = int(max_bytes)

    def forward(self, url: str) -> str:
        """
        Args:
            url: The address of the page, with https:// or http:// in front.

        Returns:
            The text of the page, from its beginning.
        """
        deadline = time.monotonic() + self.timeout
        page = fetch(
            url, seconds=self.timeout, most_bytes=self.max_bytes, allow_private=self.allow_private
        )
        kind = page.content_type.partition(";")[0].strip().lower() or _guessed(page)
        text = decoded(page)
        if _HTML.fullmatch(kind):
            text = _as_markdown(text, page.url, deadline, self.max_output_length)
        elif not _TEXT.fullmatch(kind):
            raise ToolError(
                f"{one_line(page.url, 200)} is {one_line(kind, 80)!r}, not text: only pages and"
                " texts can be read"
            )
        return self._bounded(plain(text).strip(), page)

    def _bounded(self, text: str, page: Page) -> str:
        if not text:
            return f"({one_line(page.url, 200)} has no text)"
        if len(text) > self.max_output_length:
            return (
                f"{text[: self.max_output_length].rstrip()}\n\n(shortened: the page goes on after"
                f" {self.max_output_length:,} characters)"
            )
        return (
            text
            if page.is_whole
            else f"{text}\n\n(shortened: the page is longer than {self.max_bytes:,} bytes)"
        )


def _need(*packages: str) -> None:
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise MissingExtra(f"VisitWebpageTool needs {package}: pip install 'fumehood[web]'")


# -- bytes as text


def _guessed(page: Page) -> str:
    """What a page is whose server does not say."""
    head = page.body[:4096]
    if b"\0" in head and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "application/octet-stream"
    return (
        "text/html"
        if re.search(rb"<\s*(?:!doctype|html|body|head|p|div|h1)\b", head, re.I)
        else "text/plain"
    )


def decoded(page: Page) -> str:
    """The body as text: by its mark, by what the server says, by what it says itself; in UTF-8 if
    none of them names an encoding."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if page.body.startswith(mark):
            return page.body[len(mark) :].decode(encoding, "replace")
    said = re.search(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", page.content_type, re.IGNORECASE)
    named = said[1] if said else ""
    if not named:
        declared = _DECLARED.search(page.body[:2048])
        named = (declared[1] or declared[2]).decode("ascii") if declared else ""
    encoding = named.lower() if _ENCODINGS.fullmatch(named.lower()) else "utf-8"
    try:
        return page.body.decode(encoding, "replace")
    except LookupError:  # one that looks like an encoding and is none here
        return page.body.decode("utf-8", "replace")


def _as_markdown(html: str, url: str, deadline: float, most: int) -> str:
    left = deadline - time.monotonic()
    program = Path(__file__).with_name("pages.py")
    seconds = max(math.ceil(left), 1)
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    try:
        done = subprocess.run(
            # -P: the program's own folder has modules of ours that are named like others.
            [sys.executable, "-P", str(program), str(_PARSING_MEMORY), str(seconds), str(2 * most)],
            input=html.encode("utf-8", "replace"),
            capture_output=True,
            timeout=max(left, 0.001),
            env=environment,
            cwd="/",
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ToolError(
            f"{one_line(url, 200)} took too long to be read: its HTML is enormous, or meant to be"
            " difficult"
        ) from None
    except OSError as error:
        raise ToolError(
            f"the page cannot be read: no process for it could be started ({error})"
        ) from None
    if done.returncode != 0:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ToolError(
            f"{one_line(url, 200)} cannot be read as HTML:"
            f" {one_line(last, 200) or f'the parser ended with {done.returncode}'}"
        )
    return done.stdout.decode("utf-8", "replace")
