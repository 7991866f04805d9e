"""A rehearsal in the zygote of what every runner does first.

CPython rewrites bytecode as it learns what it is used for, and fills caches. Done here, it is done once, in memory that all runners share;
done in each runner, it would copy those pages for each. Nothing of it is kept but that.
"""

from __future__ import annotations

import json
import sys

from fumehood.language.run import Session
from fumehood.language.surroundings import OwnProcess
from fumehood.policy import Policy
from fumehood.wire import messages
from fumehood.wire.conversation import Conversation, parse_from_host
from fumehood.wire.frames import Bounds
from fumehood.wire.values import Decoder, Encoder

_TIMES = 16  # more than CPython waits for before it specializes
_CELLS = (
    "x = 1 + 1",
    "def f(a, b=2):\n    return [a, b]\nf(x)",
    "print('text', x)",
    "import math\nmath.sqrt(x)",
    "{'a': [1, 2.5, 'c', None, (True,)]}",
    "[n * n for n in range(10)]",
    "for i in range(3):\n    x += i\nx",
)
_FAILING = ("1 / 0", "nothing_of_that_name", "x = (")


class _Nowhere:
    def write(self, text: str, /) -> int:
        return len(text)

    def getvalue(self) -> str:
        return ""


def rehearse(imports: tuple[str, ...]) -> None:
    """Run a few cells of every kind, through everything but the wire."""
    policy = Policy(imports=imports)
    for _ in range(3):
        session = Session(policy, surroundings=OwnProcess(_Nowhere(), lambda: None))
    for name in imports:
        if (name := name.removesuffix(".*")) in sys.modules:  # not one that could not be imported
            session.run(f"import {name}")  # looks at every name in it, and some modules import more when they are looked at
    encoder, decoder = Encoder(remote=lambda value: (1, "", "")), Decoder(remote=lambda *parts: None)
    ours, theirs = Conversation(Bounds(), parse_from_host), Conversation(Bounds(), json.loads)
    for time in range(_TIMES):
        for code in _CELLS if time else (*_CELLS, *_FAILING):
            for piece in theirs.send(messages.Run(id=time, code=code)):
                ours.reader.feed(bytes(piece))
            received = ours.next_message()
            assert received is not None
            execution = session.run(received[0].code)
            node, buffers = encoder.encode(execution.value)
            for piece in ours.send(messages.Finished(id=time, value=node, imports=list(execution.imports)), buffers):
                theirs.reader.feed(bytes(piece))
            theirs.next_message()
            decoder.decode(node, buffers)
