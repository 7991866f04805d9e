"""Reading what a sandbox sends, on the host: every field of every message has its exact type, or
the message is refused.

The types are those of the table in messages.py. They are enforced by msgspec, in C, while the JSON
is being read; nothing untyped is ever built but the nodes of values, which the codec checks as it
decodes them.
"""

from __future__ import annotations

import typing
from dataclasses import MISSING, fields
from typing import Any

import msgspec

from fumehood.errors import WorkerProtocolError
from fumehood.wire import messages
from fumehood.wire.messages import Message


def _strict(kind: type[Message]) -> type[msgspec.Struct]:
    hints = typing.get_type_hints(kind)
    columns: list[Any] = []
    for item in fields(kind):
        hint = hints[item.name]
        if item.default is not MISSING:
            columns.append((item.name, hint, item.default))
        elif item.default_factory is not MISSING:
            columns.append((item.name, hint, msgspec.field(default_factory=item.default_factory)))
        else:
            columns.append((item.name, hint))
    return msgspec.defstruct(
        kind.__name__,
        columns,
        tag_field="type",
        tag=kind.type,
        namespace={"type": kind.type},
        kw_only=True,
        frozen=True,
        forbid_unknown_fields=True,
    )


_decoder = msgspec.json.Decoder(
    typing.Union[tuple(_strict(kind) for kind in messages.FROM_WORKER)]  # noqa: UP007
)  # made from a table


def parse_from_worker(header: bytes) -> Any:
    """A message of the sandbox, with the fields of its row in messages.py. WorkerProtocolError for
    anything else."""
    try:
        return _decoder.decode(header)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, ValueError) as error:
        raise WorkerProtocolError(
            f"the sandbox sent a message that cannot be read: {str(error)[:200]}"
        ) from None
