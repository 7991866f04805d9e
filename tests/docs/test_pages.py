"""Every program and every command on every page of the documentation runs, and comes to what the
page says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fumehood import JailUnavailable, LocalPythonExecutor

from .blocks import README, blocks, pages
from .needs import NEEDS, nothing
from .running import Page

# Pages whose programs need more than a page can be given here, and the tests that run them.
ELSEWHERE = {
    "packages.md": "tests/packages/test_page.py",
    "ray.md": "tests/ray/test_page.py",
    "scale.md": "tests/fleet/test_page.py",
}

RUN = [
    page
    for page in [README, *pages()]
    if page not in ELSEWHERE
    and any(block.kind in ("python", "console", "toml") for block in blocks(page))
]

# Blocks that are not run, by page, with the reason that stands there. Each is one that cannot be
# run on a machine without a network.
NOT_RUN: dict[str, list[str]] = {"telemetry.md": ["needs a package index"]}


@pytest.fixture(scope="session")
def _jail() -> None:
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as error:
        pytest.skip(f"no jail on this machine: {error}")


@pytest.mark.long
@pytest.mark.usefixtures("_jail")
@pytest.mark.parametrize("page", RUN)
def test_what_a_page_shows_is_so(page: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    found = blocks(page)
    if "curl " in "".join(block.text for block in found) and shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    with (
        NEEDS.get(page, nothing)(request) as given,
        Page(tmp_path, given.environment, given.replaced) as running,
    ):
        running.run(found)


def test_what_is_not_run_is_known_and_has_a_reason() -> None:
    found = {
        page: [block.reason for block in blocks(page) if block.reason is not None]
        for page in [README, *pages()]
    }
    assert {page: reasons for page, reasons in found.items() if reasons} == NOT_RUN
