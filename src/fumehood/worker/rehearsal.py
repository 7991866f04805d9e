"""A rehearsal in the zygote of what every runner does first.

CPython rewrites bytecode as it learns what it is used for, and fills caches. Done here, it is done
once, in memory that all runners share; done in each runner, it would copy those pages for each.
Nothing of it is kept but that.
"""

from __future__ import annotations

import contextlib
import io
import json

from fumehood.language.run import OwnProcess, Session
from fumehood.policy import Policy
from fumehood.wire import messages
from fumehood.wire.conversation import Conversation, parse_from_host, plain_end
from fumehood.wire.frames import Bounds, encode_frame
from fumehood.wire.values import Decoder, Encoder

_TIMES = 16  # more than CPython waits for before it specializes
_CELLS = (
    "x = 1 + 1",
    "x + 1",
    "def f(a, b=2):\n    return [a, b]\nf(x)",
    "print('text', x)",
    "import math\nmath.sqrt(x)",
    "{'a': [1, 2.5, 'c', None, (True,)]}",
    "[n * n for n in range(10)]",
    "for i in range(3):\n    x += i\nx",
)
_FAILING = ("1 / 0", "nothing_of_that_name", "x = (")


def rehearse(imports: tuple[str, ...]) -> None:
    """Run a few cells of every kind, through everything but the wire."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        _rehearse(Session(Policy(imports=imports), process_environment=OwnProcess()))


def _rehearse(session: Session) -> None:
    encoder, decoder = (
        Encoder(remote=lambda value: (1, "", "")),
        Decoder(remote=lambda *parts: None),
    )
    ours, theirs = Conversation(Bounds(), parse_from_host), Conversation(Bounds(), json.loads)
    for time in range(_TIMES):
        for code in _CELLS if time else (*_CELLS, *_FAILING):
            received = ours.take(
                b"".join(map(bytes, theirs.send(messages.Run(id=time, code=code))))
            )
            assert received is not None
            outcome = session.outcome(received[0].code)
            node, buffers = encoder.encode(outcome.value)
            header = (
                plain_end(time, node, outcome.wall, outcome.cpu, time)
                if outcome.is_plain and not buffers
                else None
            )
            finished = messages.Finished(
                id=time,
                value=node,
                imports=list(outcome.imports),
                wall=outcome.wall,
                cpu=outcome.cpu,
            )
            frame = ours.send(finished, buffers) if header is None else encode_frame(header, ())
            theirs.take(b"".join(map(bytes, frame)))
            session.tidy()
            decoder.decode(node, buffers)
