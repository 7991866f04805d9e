"""What the site has beyond the pages in docs/: the reference, pages that stand at the root of the
repository, and every file that a page links to. Called by mkdocs; nothing is fetched and nothing is
written but the site."""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]  # the code that is here, whatever is installed

from press import reference  # noqa: E402

# Pages that are looked for at the root of a repository, and where they are on the site.
AT_THE_ROOT = {
    "SECURITY.md": "security/promises.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "README.md": "index.md",
}

_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?\)")
_SHORT = re.compile(r"<code>([^<\n]{1,24})</code>")
_LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".md": "text", ".sh": "sh"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = _there(config.nav, Path(config.docs_dir))
    return config


def _there(item: Any, docs: Path) -> Any:
    """The navigation without pages that nobody has written: a part of the product that is left out
    of a checkout takes its page along."""
    if isinstance(item, list):
        return [kept for kept in (_there(one, docs) for one in item) if kept]
    if isinstance(item, dict):
        return {title: kept for title, below in item.items() if (kept := _there(below, docs))}
    made = item.startswith("reference/") or item in AT_THE_ROOT.values()
    return item if made or (docs / item).exists() else None


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for address, text in reference.pages().items():
        files.append(File.generated(config, address, content=text))
    for name, address in AT_THE_ROOT.items():
        if files.get_file_from_path(address) is None:
            files.append(
                File.generated(config, address, content=(ROOT / name).read_text(encoding="utf-8"))
            )
    for file in [*files.documentation_pages()]:
        for target in _targets(file.src_uri, file.content_string):
            address = _address(target)
            if address.startswith("source/") and files.get_file_from_path(address) is None:
                files.append(File.generated(config, address, content=_source(target)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    here = page.file.src_uri

    def led(link: re.Match[str]) -> str:
        target = _target(here, link[1])
        if target is None:
            return link[0]
        return f"]({posixpath.relpath(_address(target), posixpath.dirname(here) or '.')}{link[2] or ''})"  # noqa: E501

    return markdown if here.startswith("source/") else _LINK.sub(led, markdown)


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A short piece of code in a line is marked as one that is not broken. A block of code ends
    with its line, and is none of them."""
    return _SHORT.sub(r'<code class="whole">\1</code>', html)


def _targets(page: str, text: str) -> list[str]:
    found = (_target(page, link[1]) for link in _LINK.finditer(text))
    return [target for target in found if target is not None]


def _target(page: str, link: str) -> str | None:
    """What a link leads to, from the root of the repository, if it is there; a page is where its
    text is written."""
    written = next(
        (
            name
            for name, address in AT_THE_ROOT.items()
            if address == page and not (ROOT / "docs" / address).exists()
        ),
        f"docs/{page}",
    )
    target = posixpath.normpath(posixpath.join(posixpath.dirname(written), link))
    return target if not target.startswith("..") and (ROOT / target).exists() else None


def _address(target: str) -> str:
    """Where the site has a file of the repository."""
    if target in AT_THE_ROOT:
        return AT_THE_ROOT[target]
    return target.removeprefix("docs/") if target.startswith("docs/") else f"source/{target}.md"


def _source(target: str) -> str:
    """A page that shows a file, or what is in a directory. Those who search look for pages, not for
    code."""
    path = ROOT / target
    if path.is_dir():
        body = "\n".join(
            f"- `{one.name}`"
            for one in sorted(path.iterdir())
            if not one.name.startswith(("_", "."))
        )
    else:
        language = _LANGUAGES.get(path.suffix, "text")
        body = f"``````{language}\n{path.read_text(encoding='utf-8')}\n``````"
    return f"---\nsearch:\n  exclude: true\n---\n\n# {target}\n\n{body}\n"
