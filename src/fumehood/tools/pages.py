"""HTML as Markdown. A program of its own: what a hostile page does to a parser, it does to this
process, which has limits and can be ended.

Reads HTML in UTF-8 from standard input and writes Markdown to standard output, so many characters
at most. Imports nothing of ours.
"""

from __future__ import annotations

import re
import sys
from typing import Any

# Elements that show nothing, or nothing that text can.
LEFT_OUT = (
    "script style noscript template svg canvas iframe object embed head meta link input button"
    " select".split()
)

_SPOKEN = re.compile(r"\s*(?:https?:|mailto:|tel:|/|#|\?|\.|[\w%-]+(?:[/?#]|$|\.))", re.IGNORECASE)
"""Links that are kept: not javascript:, and not data: with a whole picture in it."""


def to_markdown(html: str) -> str:
    """The text of a page. One that is nested too deeply for Markdown gives its plain words."""
    import bs4
    from markdownify import MarkdownConverter

    soup = bs4.BeautifulSoup(html, "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title is not None else ""
    for element in soup.find_all(LEFT_OUT):
        element.decompose()
    for element in soup.find_all(["a", "img"]):
        _tidy_link(element)
    try:
        text = MarkdownConverter(heading_style="ATX", bullets="-").convert_soup(soup)
    except RecursionError:
        text = soup.get_text("\n", strip=True)
    text = _tidy(text)
    return f"# {title}\n\n{text}" if title and not text.startswith(f"# {title}") else text


def _tidy_link(element: Any) -> None:
    key = "href" if element.name == "a" else "src"
    target = element.get(key)
    if isinstance(target, str) and not _SPOKEN.match(target):
        del element[key]
        if element.name == "img":
            element.replace_with(element.get("alt") or "")


def _tidy(text: str) -> str:
    lines = (line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def main() -> None:
    import resource

    memory, seconds, characters = map(int, sys.argv[1:])
    for kind, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    html = sys.stdin.buffer.read().decode("utf-8", "replace")
    # A small page can be made to give a long text: lists in lists, each line indented further.
    sys.stdout.buffer.write(to_markdown(html)[:characters].encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
