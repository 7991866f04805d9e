"""Hostile text takes time in proportion to its length: what backtracks would take hours here, and
the test would not end."""

from __future__ import annotations

import pytest

pytest.importorskip("detect_secrets")

from fumehood.results import Execution
from fumehood.validation import PersonalData, Secrets, Validation

VALIDATION = Validation([Secrets(), PersonalData()])

PIECES = [
    "a", "4", "4111 ", "+1", "-----BEGIN PRIVATE KEY-----", "eyJ", "eyJaaaaaaaa.", "sk-",
    "://a:", "a@", "@", "a@b.c.", " ", "key" + " " * 1000,
    "password=", 'pwd: "', "(", "1 ", "1-", "1.", "AB12 ", "GB82WEST", "(415)", "aws", "awskey'", "xoxb-1-", "[e-mail]", "[", "tel 030 ",
    "<td>1234567</td>", "123456-", "DE89370400440532013000", "ibm_key  ", "//:_authToken=", "softlayer_key ", "é1", "&#64;",
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("piece", PIECES)
def test_a_hundred_thousand_characters_of_anything_are_read(piece: str) -> None:
    text = (piece * (100_000 // len(piece) + 1))[:100_000]
    checked = VALIDATION.check(Execution(logs=text))
    assert not any(finding.kind == "not checked" for finding in checked.findings)
