"""The host's end of a tunnel, whose remote end is somebody else: whatever frames come, it ends with
one kind of failure or none, and leaves no descriptor behind."""

from __future__ import annotations

import os
import socket
from collections import Counter
from pathlib import Path
from random import Random

from fumehood.tunnel.end import TunnelEnd
from fumehood.tunnel.frames import BrokenTunnel, Frame, Kind, Sort

from .engine import Found, must_raise_only
from .spoiling import cut, spoilt

# What a socket takes without anybody reading: nobody does before all is written.
_MOST_BYTES = 1 << 16
_MOST_PIECES = 100


def _frames(random: Random) -> bytes:
    """Frames about channels that are there, were there, or are about to be."""
    made = []
    for _ in range(random.randint(1, 12)):
        kind = random.choice(
            (
                Kind.DATA,
                Kind.DATA,
                Kind.DATA,
                Kind.CREDIT,
                Kind.CLOSE,
                Kind.SIGNAL,
                Kind.ASK,
                Kind.ANSWER,
            )
        )
        data = random.choice((b"", b"x", random.randbytes(8), b"\xff" * 8, random.randbytes(300)))
        several = random.choice((0, 0, 1, 2, 8)) if kind is Kind.DATA else 0
        brought = tuple((random.choice([*Sort]), random.randrange(12)) for _ in range(several))
        made.append(
            Frame(kind, random.choice((0, 1, 1, 2, 3, 4, 5, 7, 2**32 - 1)), data, brought).packed()
        )
    return b"".join(made)


class Tunnels:
    name = "tunnels"
    about = (
        "whatever a tunnel's remote end sends, the near end ends with one kind of failure or none, and"
        " all of its descriptors are closed"
    )
    cases_in_tests = 200

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        data = _frames(random)
        if random.random() < 0.4:
            data = spoilt(random, data, (_frames(random),))
        data = data[:_MOST_BYTES]
        before = _open()
        ours, theirs = socket.socketpair()
        mine, given_away = socket.socketpair()
        heard: list[Frame] = []
        end = TunnelEnd(ours.fileno(), ours.fileno(), is_remote_end=False, on_frame=heard.append)
        _channel, wire = end.stand_in(
            random.choice((Sort.STREAM, Sort.PACKETS)), 1
        )  # of the remote end's, which somebody here talks to
        end.adopt(given_away.detach())  # channel 2, of this end's
        with theirs, ours, mine, socket.socket(fileno=wire):
            pieces = cut(random, data)
            for piece in pieces if len(pieces) <= _MOST_PIECES else (data,):
                theirs.sendall(piece)
            theirs.shutdown(socket.SHUT_WR)
            with must_raise_only((), data):
                end.run()
        if end.failure is not None and type(end.failure) is not BrokenTunnel:
            raise Found(f"failed with {end.failure!r}", repr(data))
        if left := _open() - before:
            for number in left:
                os.close(number)
            raise Found(f"{len(left)} descriptors are left open", repr(data))
        tally["tunnels"] += 1
        tally["bytes"] += len(data)
        tally["refused"] += end.failure is not None
        tally["questions"] += len(heard)


def _open() -> set[int]:
    """The descriptors of this process; that of the listing is gone when it is over."""
    return {int(path.name) for path in Path("/proc/self/fd").iterdir() if os.path.lexists(path)}
