"""Frames: whatever way the bytes are cut, the same frames come out; whatever the numbers say,
nothing is allocated beyond the bounds."""

from __future__ import annotations

import random
import struct
import tracemalloc

import pytest

from fumehood.errors import WorkerProtocolError
from fumehood.wire.frames import Bounds, FrameReader, encode_frame

SMALL = Bounds(header=1000, buffers=10, frame=5000)

FRAMES: list[tuple[bytes, list[bytes]]] = [
    (b"{}", []),
    (b"", []),
    (b"h" * 1000, []),
    (b"{}", [b"one"]),
    (b"{}", [b"", b"x" * 300, b""]),
    (b"", [b""] * 10),
    (b"last", [b"y" * 1000]),
]


def joined(frames: list[tuple[bytes, list[bytes]]]) -> bytes:
    return b"".join(
        bytes(piece) for header, buffers in frames for piece in encode_frame(header, list(buffers))
    )


def read(reader: FrameReader, pieces: list[bytes]) -> list[tuple[bytes, list[bytes]]]:
    """Everything that comes out of a reader that is given pieces as a socket would give them."""
    found = []
    for piece in pieces:
        left = memoryview(piece)
        while True:
            room = reader.room()
            if room is not None and left:
                count = min(len(room), len(left))
                room[:count] = left[:count]
                reader.filled(count)
                left = left[count:]
            frame = None
            if left and reader.room() is None:
                frame = reader.take(bytes(left))
                left = left[len(left) :]
            while frame is not None or (frame := reader.next_frame()) is not None:
                found.append((frame[0], [bytes(buffer) for buffer in frame[1]]))
                frame = None
            if not left:
                break
    return found


def test_frames_come_out_as_they_went_in() -> None:
    assert read(FrameReader(SMALL), [joined(FRAMES)]) == FRAMES


def test_a_frame_that_comes_by_itself_is_what_it_is_fed_piece_by_piece() -> None:
    for frame in FRAMES:
        taken, fed = FrameReader(SMALL), FrameReader(SMALL)
        fed.feed(joined([frame]))
        assert taken.take(joined([frame])) == fed.next_frame() == frame
        assert taken.is_empty and fed.is_empty


def test_a_frame_that_comes_by_itself_is_held_to_the_number_of_items_too() -> None:
    bounds = Bounds(header=1000, items=20)
    assert FrameReader(bounds).take(joined([(b"[,,,,,,,,,,,,,,,,,,]", [])])) is not None
    assert (
        FrameReader(bounds).take(joined([(b"[,,,,,,,,,,,,,,,,,,]" + b" " * 100, [])])) is not None
    )
    with pytest.raises(WorkerProtocolError, match="items"):
        FrameReader(bounds).take(joined([(b"[,,,,,,,,,,,,,,,,,,,,,]", [])]))


def test_frames_cut_in_two_anywhere_are_the_same() -> None:
    data = joined(FRAMES)
    for place in range(len(data) + 1):
        assert read(FrameReader(SMALL), [data[:place], data[place:]]) == FRAMES, place


def test_frames_given_byte_by_byte_are_the_same() -> None:
    assert read(FrameReader(SMALL), [bytes([byte]) for byte in joined(FRAMES)]) == FRAMES


@pytest.mark.parametrize("seed", range(20))
def test_frames_cut_at_random_are_the_same(seed: int) -> None:
    chance = random.Random(seed)
    data = joined(FRAMES * 3)
    pieces = []
    while data:
        size = chance.choice([1, 2, 7, 8, 9, 100, 2000])
        pieces.append(data[:size])
        data = data[size:]
    assert read(FrameReader(SMALL), pieces) == FRAMES * 3


def test_half_a_frame_is_no_frame_yet() -> None:
    data = joined([(b"header", [b"buffer"])])
    for size in range(len(data)):
        assert read(FrameReader(SMALL), [data[:size]]) == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (struct.pack(">II", 1001, 0), "a header of 1,001 bytes"),
        (struct.pack(">II", 2**32 - 1, 0), "a header of 4,294,967,295 bytes"),
        (struct.pack(">II", 0, 11), "11 buffers"),
        (struct.pack(">II", 0, 2**32 - 1), "4,294,967,295 buffers"),
        (struct.pack(">IIQ", 0, 1, 5001), "a frame of 5,001 bytes"),
        (struct.pack(">IIQ", 1000, 1, 4001), "a frame of 5,001 bytes"),
        (struct.pack(">IIQ", 0, 1, 2**64 - 1), "a frame of"),
        (struct.pack(">IIQQ", 0, 2, 2**63, 2**63), "a frame of"),
        (struct.pack(">II10Q", 0, 10, *[501] * 10), "a frame of 5,010 bytes"),
        (b"GET / HTTP/1.1\r\n\r\n", "a header of"),
    ],
)
def test_numbers_beyond_the_bounds_are_refused_before_anything_is_allocated(
    data: bytes, words: str
) -> None:
    reader = FrameReader(SMALL)
    tracemalloc.start()
    try:
        with pytest.raises(WorkerProtocolError, match=words):
            read(reader, [data])
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_a_header_without_buffers_is_held_to_the_frame_s_bound_too() -> None:
    reader = FrameReader(Bounds(header=1000, buffers=10, frame=500))
    with pytest.raises(WorkerProtocolError):
        read(reader, [struct.pack(">II", 501, 0) + b"x" * 501])


def test_the_largest_that_is_taken_is_taken() -> None:
    frame = (b"h" * 1000, [b"b" * 400] * 10)
    assert read(FrameReader(SMALL), [joined([frame])]) == [frame]


def test_a_broken_stream_stays_broken() -> None:
    reader = FrameReader(SMALL)
    with pytest.raises(WorkerProtocolError):
        read(reader, [b"\xff" * 16])
    for data in (joined([(b"{}", [])]), b""):
        with pytest.raises(WorkerProtocolError):
            read(reader, [data or joined([(b"{}", [])])])


def test_buffers_of_every_type_and_shape_are_sent_as_their_bytes() -> None:
    import array

    numbers = array.array("i", [1, 2, 3])
    pieces = encode_frame(b"{}", [bytearray(b"ab"), memoryview(b"cd"), memoryview(numbers)])
    frames = read(FrameReader(SMALL), [b"".join(bytes(piece) for piece in pieces)])
    assert frames == [(b"{}", [b"ab", b"cd", numbers.tobytes()])]


def test_a_large_buffer_is_not_copied_when_it_is_sent() -> None:
    large = bytearray(1 << 20)
    pieces = encode_frame(b"{}", [large])
    assert any(isinstance(piece, memoryview) and piece.obj is large for piece in pieces)


def test_a_large_buffer_is_received_in_its_place() -> None:
    reader = FrameReader(Bounds())
    reader.feed(struct.pack(">IIQ", 2, 1, 1 << 20) + b"{}" + b"a" * 10)
    assert reader.next_frame() is None
    room = reader.room()
    assert room is not None
    assert len(room) == (1 << 20) - 10
    room[:] = b"b" * len(room)
    reader.filled(len(room))
    frame = reader.next_frame()
    assert frame is not None
    assert frame[1] == [b"a" * 10 + b"b" * ((1 << 20) - 10)]


def test_a_frame_that_this_process_has_no_memory_for_is_an_error_and_the_reader_says_that_it_is_stuck() -> (
    None
):
    reader = FrameReader(Bounds(header=100, frame=1 << 60))
    reader.feed(struct.pack(">IIQ", 2, 1, 1 << 55) + b"{}")
    assert not reader.is_stuck
    with pytest.raises(MemoryError, match="36,028,797,018,963,968 bytes"):
        reader.next_frame()
    assert reader.is_stuck
