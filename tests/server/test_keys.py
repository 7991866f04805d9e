"""Keys and buckets."""

from __future__ import annotations

import hmac
from typing import Any

import pytest

from fumehood.server import keys
from fumehood.server.keys import Bucket, Keys, digest
from fumehood.server.settings import KeySettings, Settings, SettingsError

SECRETS = [f"secret-number-{number}-0123456789" for number in range(5)]


def _keys() -> Keys:
    return Keys(
        Settings(
            keys=tuple(KeySettings(f"name-{n}", digest(text)) for n, text in enumerate(SECRETS))
        )
    )


def test_every_key_is_compared_whichever_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []
    really = hmac.compare_digest

    def watched(given: bytes, other: bytes) -> bool:
        compared.append(other)
        return really(given, other)

    known = _keys()
    monkeypatch.setattr(keys.hmac, "compare_digest", watched)
    for text in (SECRETS[0], SECRETS[-1], "wrong"):
        compared.clear()
        known.find(text)
        assert len(compared) == len(SECRETS)


def test_a_key_s_text_is_nowhere_to_be_seen() -> None:
    settings = Settings(keys=(KeySettings("alice", digest(SECRETS[0])),))
    shown = repr(settings) + repr(list(Keys(settings)))
    assert SECRETS[0] not in shown
    assert digest(SECRETS[0]).hex() not in shown
    assert repr(digest(SECRETS[0])) not in shown


@pytest.mark.parametrize(
    ("names", "texts", "what"),
    [(["a", "a"], SECRETS[:2], "name"), (["a", "b"], [SECRETS[0]] * 2, "the same")],
    ids=["names", "keys"],
)
def test_two_keys_must_differ(names: list[str], texts: list[str], what: str) -> None:
    with pytest.raises(SettingsError, match=what):
        Settings(
            keys=tuple(
                KeySettings(name, digest(text)) for name, text in zip(names, texts, strict=True)
            )
        )


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_so_many_at_once_and_then_so_many_a_second() -> None:
    clock: Any = Clock()
    bucket = Bucket(2.0, 5, clock)
    assert [bucket.take() for _ in range(5)] == [0.0] * 5
    assert bucket.take() == pytest.approx(0.5)
    clock.now += 0.5
    assert bucket.take() == 0.0
    assert bucket.take() > 0
    clock.now += 1000
    assert [bucket.take() for _ in range(6)][4:] == [0.0, pytest.approx(0.5)]
