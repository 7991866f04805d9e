"""The table of messages and the page that describes it say the same."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from fumehood.wire import messages

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
EVERY = (*messages.FROM_HOST, *messages.FROM_WORKER)


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.type)
def test_every_message_is_documented_with_its_fields(kind: type[messages.Message]) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{kind.type}` |"))
    assert [field.name for field in fields(kind) if f"`{field.name}`" not in row] == []


@pytest.mark.parametrize("kind", messages.FROM_HOST, ids=lambda kind: kind.type)
def test_what_answers_a_message_of_the_host_is_documented_and_comes_from_the_worker(
    kind: type[messages.Message],
) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{kind.type}` |"))
    answers = row.split("|")[3]
    assert [name for name in kind.answered_by if f"`{name}`" not in answers] == []
    assert set(kind.answered_by) <= {answer.type for answer in messages.FROM_WORKER}
