"""The site: it is built without a warning and without a network, every page is in it, and the
reference leaves nothing out."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fumehood
from press import reference

from .blocks import DOCS, pages

ROOT = DOCS.parent
NAMES = reference.public_names()


def built_in(made: Path) -> Path:
    """The site, built once: nobody on this machine answers at the proxy that it would have to
    use."""
    environment = {
        **os.environ,
        "NO_MKDOCS_2_WARNING": "1",
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
    }
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--site-dir",
        str(made),
    ]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return made


@pytest.mark.long
def test_the_site_is_built_with_every_page_and_every_name_and_nothing_from_elsewhere(
    tmp_path: Path,
) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    site = built_in(tmp_path)
    for page in pages():
        assert (site / page).with_suffix(".html").exists(), page
    index = (site / "reference" / "index.html").read_text()
    for public in NAMES:
        assert f"{public.page}.html#{public.name.lower()}" in index
        assert (
            f'id="{public.name.lower()}"'
            in (site / "reference" / f"{public.page}.html").read_text()
        ), public.name
    # what a page links to of the code is there to be read
    assert "class Conversation" in re.sub(
        r"<[^>]+>", "", (site / "source/src/fumehood/wire/protocol.py.html").read_text()
    )
    # who reads it from a disk can search: the index is a script, and so is what stands for a worker
    assert (
        site / "search" / "search_index.js"
    ).exists() and 'src="../assets/iframe-worker.js"' in index
    for page in site.rglob("*.html"):
        fetched = re.findall(
            r"<(?:script|img|iframe)[^>]*\ssrc=[\"']?(https?:[^\"' >]+)", page.read_text()
        )
        fetched += re.findall(
            r"<link[^>]*rel=[\"']?(?:stylesheet|preconnect|icon)[^>]*href=[\"']?(https?:[^\"' >]+)",
            page.read_text(),
        )
        assert fetched == [], page


def test_every_page_is_in_the_navigation() -> None:
    settings = (ROOT / "mkdocs.yml").read_text()
    assert [
        page
        for page in pages()
        if not re.search(rf"[: -] {re.escape(page)}$", settings, re.MULTILINE)
    ] == []


def test_every_public_name_is_on_a_page_of_the_reference() -> None:
    assert {public.name for public in NAMES} == set(fumehood.__all__)
    made = reference.pages()
    for public in NAMES:
        assert f"\n## {public.name}\n" in made[f"reference/{public.page}.md"]


@pytest.mark.parametrize("public", NAMES, ids=lambda public: public.name)
def test_a_public_name_is_documented_and_so_is_all_that_it_has(public: reference.Public) -> None:
    assert len(reference.documentation(public.value)) > 10
    if inspect.isclass(public.value):
        assert [
            name
            for name, member, _owner in reference.members(public.value)
            if not reference.documentation(member)
        ] == []


def test_a_signature_is_shown_with_its_defaults_as_they_are_written() -> None:
    assert "timeout_seconds: float | Unset | None = UNSET," in reference.signature(
        fumehood.LocalPythonExecutor, "LocalPythonExecutor"
    )
    assert reference.signature(fumehood.Usage, "Usage").startswith(
        "Usage(\n    wall_seconds: float = 0.0,\n"
    )
    assert (
        reference.signature(fumehood.parse_code_blobs, "f")
        == "f(text: str, code_block_tags: tuple[str, str] | None = None) -> str"
    )
    assert reference.attributes(fumehood.Limits)["open_files"] == (
        "int",
        "Open files of one process.",
    )


def test_a_docstring_becomes_markdown() -> None:
    assert reference.as_markdown("a <b> `<c>` d_e") == "a \\<b> `<c>` d\\_e"
    assert (
        reference.as_markdown("one    first\ntwo    second\n       and more")
        == "| | |\n|---|---|\n| `one` | first |\n| `two` | second and more |"
    )
    assert (
        reference.as_markdown("See:\n\n    x = 1\n    y = 2")
        == "See:\n\n```text\nx = 1\ny = 2\n```"
    )
