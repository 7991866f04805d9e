"""What travels between a driver and its nodes: an item there, its outcome back, each as one frame
of the wire (wire/frames.py).

Values are in it as the codec made them, and nobody on the way looks into them: a node hands
variables on to the sandbox as the driver encoded them, and what the sandbox answers goes back as it
came. The driver reads that as it reads any sandbox's messages: within bounds, with strict types,
and it never unpickles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from fumehood.errors import WorkerProtocolError
from fumehood.executors.cell import FAULTS
from fumehood.executors.session import host_pickle
from fumehood.results import ErrorInfo, Execution, Usage, Violation
from fumehood.wire.frames import Bounds, Buffer, FrameReader, encode_frame
from fumehood.wire.show import clean_text
from fumehood.wire.values import Decoder, Encoder, is_utf8

BOUNDS = Bounds(frame=1 << 30)
"""What a driver takes for the outcome of one item."""
_MOST_CELLS = 10_000


class Undecoded:
    """A value as it came out of a sandbox. Stands in an Execution on its way."""

    __slots__ = ("buffers", "node")

    def __init__(self, node: Any, buffers: Sequence[Buffer]) -> None:
        self.node, self.buffers = node, buffers

    def __repr__(self) -> str:
        return "<a value that is read by the driver>"


class _Item(msgspec.Struct, forbid_unknown_fields=True):
    cells: list[str]
    variables: Any
    seconds: float | None


class _Error(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    type: str
    message: str
    traceback: str
    line: int | None


class _Violation(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    line: int
    column: int
    rule: str
    name: str
    reason: str
    hint: str


class _Ran(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An Execution. The buffers of its value, and of its displays, are the next so many of the
    frame's."""

    value: Any
    value_buffers: int
    wall: float
    cpu: float
    memory: int | None
    displays: Any = None
    display_buffers: int = 0
    logs: str = ""
    error: _Error | None = None
    fault: str | None = None
    violations: list[_Violation] = []
    is_final_answer: bool = False
    imports: list[str] = []


class _Outcome(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    cells: list[_Ran]
    error: _Error | None = None


_items = msgspec.json.Decoder(_Item)
_outcomes = msgspec.json.Decoder(_Outcome)
_encode = msgspec.json.encode


@dataclass(frozen=True, slots=True)
class Work:
    """An item as a node has it."""

    cells: list[str]
    variables: Undecoded | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an item. `error` is one that no cell has made."""

    executions: tuple[Execution, ...] = ()
    error: ErrorInfo | None = None


def pack_item(cells: list[str], variables: dict[str, Any], seconds: float | None) -> bytes:
    """An item on its way to a node. ValueError if a variable cannot be sent; what the codec does
    not know goes by pickle, and is unpickled in the jail."""
    node, buffers = Encoder(pickle=host_pickle).encode(variables) if variables else (None, [])
    for cell in cells:
        if not is_utf8(cell):
            raise ValueError("code with a lone surrogate in it, which no encoding has")
    return _joined(_encode(_Item(cells, node, seconds)), list(buffers))


def unpack_item(parcel: bytes) -> Work:
    header, buffers = _frame(
        parcel, Bounds(frame=1 << 40, header=1 << 40, items=1 << 40)
    )  # the driver's own: it is believed
    item = _items.decode(header)
    return Work(
        item.cells,
        None if item.variables is None else Undecoded(item.variables, buffers),
        item.seconds,
    )


def pack_outcome(outcome: Outcome, most_bytes: int) -> bytes:
    """The outcome of an item on its way back. One that is larger than `most_bytes` is an error in
    its place, and what was printed."""
    buffers: list[Any] = []
    cells = []
    for execution in outcome.executions:
        value = execution.value
        assert type(value) is Undecoded or value is None
        node, parts = (None, ()) if value is None else (value.node, value.buffers)
        shown, shown_parts = (
            Encoder().encode(list(execution.displays)) if execution.displays else (None, [])
        )
        buffers += [*parts, *shown_parts]
        error, usage = execution.error, execution.usage
        cells.append(
            _Ran(
                value=node,
                value_buffers=len(parts),
                wall=usage.wall_seconds,
                cpu=usage.cpu_seconds,
                memory=usage.peak_memory_bytes,
                displays=shown,
                display_buffers=len(shown_parts),
                logs=clean_text(execution.logs),
                error=None if error is None else _error(error),
                fault=execution.fault,
                violations=[
                    _Violation(
                        row.line,
                        row.column,
                        *map(clean_text, (row.rule, row.name, row.reason, row.hint)),
                    )
                    for row in execution.violations
                ],
                is_final_answer=execution.is_final_answer,
                imports=[clean_text(name) for name in execution.imports],
            )
        )
    header = _encode(_Outcome(cells, None if outcome.error is None else _error(outcome.error)))
    size = len(header) + sum(memoryview(buffer).nbytes for buffer in buffers)
    if size <= most_bytes:
        return _joined(header, buffers)
    message = (
        f"the values of its cells take {size:,} bytes; at most {most_bytes:,} travel"
        " (limits.frame_bytes)"
    )
    too_large = ErrorInfo("FrameLimit", message, f"FrameLimit: {message}")
    last = Execution(
        logs=outcome.executions[-1].logs,
        error=too_large,
        fault="frame",
        usage=outcome.executions[-1].usage,
    )
    return pack_outcome(Outcome((last,)), most_bytes=1 << 60)


def unpack_outcome(parcel: bytes) -> Outcome:
    """What became of an item, its values decoded. One that breaks the protocol is an Outcome that
    says so."""
    try:
        header, buffers = _frame(parcel, BOUNDS)
        outcome = _outcomes.decode(header)
        if len(outcome.cells) > _MOST_CELLS:
            raise WorkerProtocolError(f"the outcomes of {len(outcome.cells):,} cells")
        executions = []
        decoder = Decoder()
        taken = 0
        for ran in outcome.cells:
            counts = ran.value_buffers, ran.display_buffers
            if min(counts) < 0 or taken + sum(counts) > len(buffers) or ran.fault not in FAULTS:
                raise WorkerProtocolError("an outcome that does not fit its values")
            middle, end = taken + counts[0], taken + sum(counts)
            value = decoder.decode(ran.value, buffers[taken:middle])
            displays = decoder.decode(ran.displays, buffers[middle:end])
            taken = end
            executions.append(
                Execution(
                    value=value,
                    logs=ran.logs,
                    displays=tuple(displays or ()),
                    error=None if ran.error is None else _info(ran.error),
                    fault=ran.fault,  # type: ignore[arg-type]  # looked up above
                    violations=tuple(
                        Violation(row.line, row.column, row.rule, row.name, row.reason, row.hint)
                        for row in ran.violations
                    ),
                    is_final_answer=ran.is_final_answer,
                    imports=tuple(ran.imports),
                    usage=Usage(ran.wall, ran.cpu, ran.memory),
                )
            )
        return Outcome(tuple(executions), None if outcome.error is None else _info(outcome.error))
    except (
        WorkerProtocolError,
        msgspec.MsgspecError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        text = f"the sandbox sent what cannot be read: {str(error)[:200]}"
        return Outcome(
            (
                Execution(
                    error=ErrorInfo("WorkerProtocolError", text, f"WorkerProtocolError: {text}"),
                    fault="crash",
                ),
            )
        )


def retold(execution: Execution, error: ErrorInfo) -> Execution:
    """An outcome with another error."""
    return replace(execution, error=error)


def _joined(header: bytes, buffers: list[Any]) -> bytes:
    return b"".join(encode_frame(header, buffers))


def _frame(parcel: bytes, bounds: Bounds) -> tuple[bytes, list[Any]]:
    reader = FrameReader(bounds)
    reader.feed(parcel)
    frame = reader.next_frame()
    if frame is None or reader.unread:
        raise WorkerProtocolError("less, or more, than one frame")
    return frame


def _error(error: ErrorInfo) -> _Error:
    return _Error(
        clean_text(error.type), clean_text(error.message), clean_text(error.traceback), error.line
    )


def _info(error: _Error) -> ErrorInfo:
    return ErrorInfo(error.type, error.message, error.traceback, error.line)
