"""The stream of an attached container, in whatever pieces it comes."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.docker.containers import Demultiplexer
from fumehood.errors import ContainerFailed


def piece(kind: int, data: bytes) -> bytes:
    return bytes([kind, 0, 0, 0]) + len(data).to_bytes(4, "big") + data


def test_what_is_not_output_is_kept_and_not_given():
    taken = Demultiplexer()
    assert (
        taken.feed(piece(2, b"oh no") + piece(1, b"fine") + piece(3, b", the engine says so"))
        == b"fine"
    )
    assert taken.errors == "oh no, the engine says so"


@given(
    st.lists(st.tuples(st.sampled_from([0, 1, 2, 3]), st.binary(max_size=50)), max_size=12),
    st.lists(st.integers(1, 20), max_size=60),
)
def test_it_does_not_matter_how_the_stream_is_cut(pieces, cuts):
    stream = b"".join(piece(kind, data) for kind, data in pieces)
    taken, out, at = Demultiplexer(), b"", 0
    for cut in [*cuts, len(stream) + 1]:
        out += taken.feed(stream[at : at + cut])
        at += cut
    assert out == b"".join(data for kind, data in pieces if kind == 1)
    assert taken.errors == b"".join(data for kind, data in pieces if kind != 1).decode(
        errors="replace"
    )


@pytest.mark.parametrize(
    "head", [b"\4\0\0\0\0\0\0\1", b"\1\1\0\0\0\0\0\1", b"\1\0\0\7\0\0\0\1", b"HTTP/1.1"]
)
def test_what_is_no_head_of_a_piece_is_refused(head):
    with pytest.raises(ContainerFailed, match="where a piece of output should begin"):
        Demultiplexer().feed(head + b"x")


@given(st.binary(max_size=200))
def test_any_bytes_are_taken_or_refused(data):
    with contextlib.suppress(ContainerFailed):
        assert len(Demultiplexer().feed(data)) <= len(data)
