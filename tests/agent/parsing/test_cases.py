"""Texts and what is made of them, one file for each in `cases`.

# One sentence: what the case is about.
# tags: <run> </run>         (optional: marks of the caller's own)
# escapes: yes               (optional: the parts are written with Python's escapes)
@@ text
@@ thought                   (optional)
@@ code                      or @@ error: an expression that the error's text must fit
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fumehood.agent.parsing.parse import parse, parse_code_blobs
from fumehood.errors import AgentParsingError

CASES = sorted((Path(__file__).parent / "cases").glob("*.txt"))


def read(path: Path) -> dict[str, str]:
    header, *parts = re.split(
        r"^@@ (?=text$|thought$|code$|error$)", path.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    found = {}
    for line in header.splitlines()[1:]:
        key, _, value = line.removeprefix("# ").partition(": ")
        assert key in ("tags", "escapes"), f"{path.name}: not a line of a header: {line!r}"
        found[key] = value
    for part in parts:
        name, _, content = part.partition("\n")
        content = content.removesuffix("\n")
        found[name] = (
            content.encode("latin-1", "backslashreplace").decode("unicode_escape")
            if "escapes" in found
            else content
        )
    assert "text" in found and ("code" in found) is not ("error" in found), (
        f"{path.name}: needs a text, and code or an error"
    )
    return found


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_text_gives_the_thought_and_the_code_that_its_file_says(path: Path) -> None:
    case = read(path)
    opening, _, closing = case.get("tags", "").partition(" ")
    tags = (opening, closing) if opening else None
    if "error" in case:
        with pytest.raises(AgentParsingError) as caught:
            parse(case["text"], tags)
        assert re.search(case["error"], str(caught.value), re.DOTALL) or case["error"] in str(
            caught.value
        ), str(caught.value)
        return
    parsed = parse(case["text"], tags)
    assert parsed.code == case["code"]
    assert parsed.thought == case.get("thought", parsed.thought)
    assert parse_code_blobs(case["text"], tags) == case["code"]
