"""What holds for every program and every text."""

from __future__ import annotations

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from fumehood.agent.parsing.parse import parse
from fumehood.errors import AgentParsingError

from .nasty_programs import FRAGMENTS, PROSE, programs

prose = st.sampled_from(PROSE)
settings.register_profile("parsing", deadline=None, max_examples=50)
quickly = settings(settings.get_profile("parsing"))

FENCES = ("```python", "```py", "```Python3", '```python title="a b"', "````python", "`````py")


@quickly
@given(programs(), st.sampled_from(FENCES), prose, prose)
def test_a_program_in_a_fence_comes_back_as_it_was(
    code: str, fence: str, before: str, after: str
) -> None:
    ticks = fence[: len(fence) - len(fence.lstrip("`"))]
    assert parse(f"{before}\n{fence}\n{code}\n{ticks}\n{after}").code == code


@quickly
@given(programs(), programs())
def test_a_draft_in_the_reasoning_is_never_run(draft: str, code: str) -> None:
    assume("</think" not in draft.lower())
    parsed = parse(f"<think>\nMaybe\n```python\n{draft}\n```\n</think>\n```python\n{code}\n```")
    assert parsed.code == code
    assert "Maybe" in parsed.thought


pieces = st.one_of(
    st.sampled_from(FRAGMENTS),
    st.sampled_from(FENCES),
    st.sampled_from(PROSE),
    st.text(max_size=8),
    st.just("\n"),
    st.just("\r\n"),
)
texts = st.lists(pieces, max_size=30).map("".join)


@settings(deadline=None, max_examples=300)
@given(st.one_of(texts, st.text()))
@example("\x00")
@example("~~~\n\x1f\u2028")
@example("```python\n\ud800\n```")
@example("<code")
@example("```" * 3)
@example("<tool_call>{" * 20)
def test_any_text_gives_code_or_the_one_error(text: str) -> None:
    try:
        parsed = parse(text)
    except AgentParsingError as error:
        told = str(error)
    else:
        told = ""
        assert parsed.code.strip()
        assert "\r" not in parsed.code
        assert parsed.thought == parsed.thought.strip()
    assert len(told) < 1_000
