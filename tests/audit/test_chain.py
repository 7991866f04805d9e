"""What a line looks like, and how it hangs on the one before."""

from __future__ import annotations

import hmac

import pytest

from fumehood.audit.chain import NOTHING, Hasher, link_of, make_line

FIELDS = b'{"at":1.5,"code":"x = 1"}'


def test_with_a_key_the_hash_is_an_hmac_whether_the_key_is_text_or_bytes() -> None:
    line, digest = make_line(Hasher("clé"), 7, NOTHING, "CellSubmitted", FIELDS)
    body = line[: line.index(b',"hash"')]
    assert digest.decode() == hmac.new("clé".encode(), body, "sha256").hexdigest()
    assert make_line(Hasher("clé".encode()), 7, NOTHING, "CellSubmitted", FIELDS) == (line, digest)


def test_the_parts_of_a_line_are_found_again() -> None:
    line, digest = make_line(Hasher(), 7, NOTHING, "CellSubmitted", FIELDS)
    link = link_of(line[:-1])
    assert link is not None
    assert (link.number, link.previous, link.event, link.hash) == (
        7,
        NOTHING,
        "CellSubmitted",
        digest,
    )
    assert Hasher()(link.body) == digest


LINE = make_line(Hasher(), 7, NOTHING, "CellSubmitted", FIELDS)[0][:-1]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{}", id="other JSON"),
        pytest.param(LINE[:-1], id="cut at the end"),
        pytest.param(LINE[1:], id="cut at the beginning"),
        pytest.param(LINE + b" ", id="a space after it"),
        pytest.param(b" " + LINE, id="a space before it"),
        pytest.param(LINE.replace(b'"n":7', b'"n":07'), id="a number that is none in JSON"),
        pytest.param(LINE.replace(b'"n":7', b'"n":-7'), id="a negative number"),
        pytest.param(LINE.replace(b'"n":7', b'"n":0'), id="zero"),
        pytest.param(LINE.replace(b'"n":7', b'"n":"7"'), id="a number as text"),
        pytest.param(LINE.replace(b'"n":7', b'"n":' + b"9" * 30), id="a number of many digits"),
        pytest.param(LINE.replace(b"0" * 64, b"0" * 63), id="a short hash before"),
        pytest.param(LINE.replace(b"0" * 64, b"A" * 64), id="a hash before in capitals"),
        pytest.param(LINE[:-66] + b"A" * 64 + LINE[-2:], id="a hash in capitals"),
        pytest.param(
            LINE[: LINE.index(b'"at"')] + LINE[LINE.index(b'"hash"') + 1 :], id="no event"
        ),
        pytest.param(b"\0" * 200, id="zeros"),
        pytest.param(b"\xff" * 200, id="no text"),
    ],
)
def test_what_is_no_line_is_known_as_such(line: bytes) -> None:
    assert link_of(LINE) is not None
    assert link_of(line) is None
