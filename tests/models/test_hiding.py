"""Keys are in no text."""

from __future__ import annotations

import pytest

from fumehood.models.hiding import (
    Key,
    address,
    in_one_line,
    keys_in_address,
    keys_in_headers,
    without_keys,
)


def test_known_keys_are_replaced_longest_first() -> None:
    assert without_keys("abcdef and abcdefgh", ["abcdef", "abcdefgh"]) == "*** and ***"


def test_what_is_too_short_to_be_a_key_is_left() -> None:
    assert without_keys("the key none is none", ["none", ""]) == "the key none is none"


@pytest.mark.parametrize(
    "text", ["sk-abcdefghijklmnopqrst", "hf_ABCDEFGHIJKLMNOPQRST", "Bearer whatever-it-is"]
)
def test_what_looks_like_a_key_is_replaced(text: str) -> None:
    assert "***" in without_keys(f"wrong: {text}!", [])


def test_keys_of_the_environment_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", "quite-secret-indeed")
    assert without_keys("with quite-secret-indeed", []) == "with ***"


def test_a_text_is_one_line_of_bounded_length_without_control_characters() -> None:
    line = in_one_line("a\r\n\x1b[31mb\x07 " + "c" * 10_000_000, longest=50)
    assert line.startswith("a \\x1b[31mb\\x07 ccc")
    assert line.isprintable() and len(line) < 70


@pytest.mark.parametrize("at", [20, 395, 7995])
def test_a_key_at_the_place_where_a_text_is_cut_is_not_half_shown(at: int) -> None:
    key = "0123456789abcdef"
    assert "01234567" not in in_one_line("x" * at + key + "x" * 9000, [key])


def test_an_address_is_shown_without_what_is_secret_in_it() -> None:
    url = "https://user:p%40ssword1@host.example:8443/v1/?key=verysecret"
    assert address(url) == "https://host.example:8443/v1"
    assert {"p@ssword1", "p%40ssword1", "verysecret"} <= set(keys_in_address(url))
    assert address("http://[::1]:80/v1") == "http://[::1]:80/v1"
    assert address("http://[oh") == "an address that cannot be read"
    assert list(keys_in_address("http://[oh")) == list(keys_in_address(None)) == []


def test_secrets_of_headers_are_known() -> None:
    headers = {"Authorization": "Bearer abcdefgh", "X-Api-Key": "ijklmnop", "Accept": "text/plain"}
    assert set(keys_in_headers(headers)) == {"Bearer abcdefgh", "abcdefgh", "ijklmnop"}
    assert list(keys_in_headers(None)) == []


def test_a_key_does_not_show_itself() -> None:
    assert (
        "secret" not in f"{Key('secret')} {Key('secret')!r}"
        f" {vars(type('Holder', (), {'key': Key('secret')}))}"
    )
