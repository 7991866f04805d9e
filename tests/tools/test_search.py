"""DuckDuckGoSearchTool, with the real package, against a search engine that is this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood.errors import MissingExtra, ToolError
from fumehood.tools.search import DuckDuckGoSearchTool

pytest.importorskip("ddgs")

from .search_engine import SearchEngine, searching


@pytest.fixture(scope="module")
def one_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    folder: Path = tmp_path_factory.mktemp("certificate")
    with searching(folder) as made:
        yield made


@pytest.fixture
def engine(one_engine: SearchEngine) -> SearchEngine:
    one_engine.asked.clear()
    return one_engine


def tool_for(engine: SearchEngine, **options: Any) -> DuckDuckGoSearchTool:
    return DuckDuckGoSearchTool(
        rate_limit=None, backend="duckduckgo", proxy=engine.proxy, verify=False, **options
    )


def refusal(tool: DuckDuckGoSearchTool, query: str) -> str:
    with pytest.raises(ToolError) as caught:
        tool(query)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
    return str(caught.value)


def test_not_more_results_than_wanted_are_given(engine: SearchEngine) -> None:
    assert tool_for(engine, max_results=1)("cats").count("https://") == 1


def test_nothing_found_and_asked_too_often_look_the_same_and_say_what_to_do(
    engine: SearchEngine,
) -> None:
    before = engine.status, engine.body
    try:
        engine.status, engine.body = "200 OK", "<html></html>"
        assert (
            "nothing was found for 'cats': use other or fewer words; after many searches wait a"
            " little" in refusal(tool_for(engine), "cats")
        )
        engine.status, engine.body = "429 Too Many Requests", "no"
        assert "nothing was found" in refusal(tool_for(engine), "cats")
    finally:
        engine.status, engine.body = before


def test_an_engine_that_does_not_answer_is_not_waited_for(engine: SearchEngine) -> None:
    engine.is_silent = True
    try:
        assert "did not answer in time" in refusal(tool_for(engine, timeout=1), "cats")
    finally:
        engine.is_silent = False


def test_without_a_network_it_says_so() -> None:
    tool = DuckDuckGoSearchTool(rate_limit=None, proxy="http://127.0.0.1:9", timeout=2)
    assert "the search engine cannot be reached: ConnectError" in refusal(tool, "cats")


@pytest.mark.parametrize(
    ("query", "words"),
    [("", "empty"), (" \n\x00", "empty"), ("x" * 501, "501 characters is too long")],
)
def test_a_query_that_is_none_is_not_sent(query: str, words: str) -> None:
    assert words in refusal(DuckDuckGoSearchTool(), query)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None)
    with pytest.raises(MissingExtra, match=re.escape("needs ddgs: pip install 'fumehood[web]'")):
        DuckDuckGoSearchTool()
