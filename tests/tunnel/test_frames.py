"""Frames of a tunnel: what goes in comes out, however it is cut, and what is no frame is
refused."""

from __future__ import annotations

import os
import struct

import pytest

from fumehood.tunnel.frames import MOST_BYTES, BrokenTunnel, Frame, FrameReader, Kind, Sort

FRAMES = [
    Frame(Kind.DATA, 1, b"hello"),
    Frame(Kind.DATA, 4_000_000_000, b"", ((Sort.STREAM, 3), (Sort.NOTHING, 0))),
    Frame(Kind.CREDIT, 2, (1 << 20).to_bytes(8, "little")),
    Frame(Kind.CLOSE, 7),
    Frame(Kind.SIGNAL, 9, b"\x09\0\0\0"),
    Frame(Kind.ASK, 1, b"{}"),
    Frame(Kind.ANSWER, 1, os.urandom(MOST_BYTES)),
]
PACKED = b"".join(frame.packed() for frame in FRAMES)


@pytest.mark.parametrize("size", [len(PACKED), 4096, 13, 1])
def test_frames_come_out_as_they_went_in_however_the_bytes_are_cut(size: int) -> None:
    cut = PACKED if size > 1 else PACKED[:200]  # byte by byte only the small ones
    reader = FrameReader()
    found = [
        frame
        for start in range(0, len(cut), size)
        for frame in reader.feed(cut[start : start + size])
    ]
    assert found == FRAMES[: len(found)]
    assert len(found) >= len(FRAMES) - 1


@pytest.mark.parametrize(
    "head",
    [
        struct.pack("<BBHII", 0, 0, 0, 1, 0),
        struct.pack("<BBHII", 99, 0, 0, 1, 0),
        struct.pack("<BBHII", Kind.DATA, 0, 9, 1, 0),
        struct.pack("<BBHII", Kind.DATA, 0, 0, 1, MOST_BYTES + 1),
        struct.pack("<BBHII", Kind.DATA, 0, 1, 1, 0) + struct.pack("<BxxxI", 77, 1),
    ],
    ids=["no kind", "an unknown kind", "too many descriptors", "too many bytes", "an unknown sort"],
)
def test_what_is_no_frame_breaks_the_tunnel(head: bytes) -> None:
    with pytest.raises(BrokenTunnel):
        list(FrameReader().feed(head))


def test_a_length_is_refused_before_its_bytes_are_waited_for() -> None:
    with pytest.raises(BrokenTunnel, match="4,294,967,295 bytes"):
        list(FrameReader().feed(struct.pack("<BBHII", Kind.DATA, 0, 0, 1, 0xFFFF_FFFF)))
