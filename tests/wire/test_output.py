"""Standard error in the same pipe as standard output, and told from it."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from fumehood.wire.output import Apart, StreamName, as_error


def apart(*pieces: bytes) -> list[tuple[StreamName, bytes]]:
    reader = Apart()
    found = [row for piece in pieces for row in reader.feed(piece)]
    return found + reader.rest()


def joined(rows: list[tuple[StreamName, bytes]], stream: StreamName) -> bytes:
    return b"".join(data for name, data in rows if name == stream)


def test_what_is_not_marked_is_standard_output() -> None:
    assert apart(b"a", b"", b"b") == [("stdout", b"a"), ("stdout", b"b")]


def test_a_marked_piece_is_standard_error_and_what_follows_is_not() -> None:
    assert apart(b"a" + as_error(b"b") + b"c") == [
        ("stdout", b"a"),
        ("stderr", b"b"),
        ("stdout", b"c"),
    ]


def test_pieces_of_one_stream_that_follow_each_other_are_one() -> None:
    assert apart(as_error(b"b") + as_error(b"\n")) == [("stderr", b"b\n")]


def test_a_byte_that_only_looks_like_a_mark_stays() -> None:
    assert joined(apart(b"a\xffb\xff"), "stdout") == b"a\xffb\xff"


texts = st.text(max_size=20).map(lambda text: text.encode("utf-8", "backslashreplace"))
written = st.lists(st.tuples(st.sampled_from(["stdout", "stderr"]), texts), max_size=20)


@given(written, st.lists(st.integers(0, 400), max_size=20))
def test_however_it_is_cut_everything_arrives_under_its_name(
    rows: list[tuple[StreamName, bytes]], cuts: list[int]
) -> None:
    data = b"".join(text if stream == "stdout" else as_error(text) for stream, text in rows)
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    found = apart(*(data[begin:end] for begin, end in itertools.pairwise(places)))
    for stream in ("stdout", "stderr"):
        assert joined(found, stream) == b"".join(text for name, text in rows if name == stream)
    assert all(text for _, text in found)


@given(st.lists(st.binary(max_size=30), max_size=10))
def test_no_bytes_make_it_fail_or_lose_anything_but_marks(pieces: list[bytes]) -> None:
    found = b"".join(text for _, text in apart(*pieces))
    assert len(found) <= sum(map(len, pieces))
    assert found.replace(b"\xff", b"") in (
        b"".join(pieces).replace(b"\xff1", b"").replace(b"\xff2", b"").replace(b"\xff", b""),
    )
