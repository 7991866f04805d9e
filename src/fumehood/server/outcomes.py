"""An Execution as the API gives it. Made in the thread that ran the cell: a large value takes time,
and the event loop has none."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

from fumehood.audit.values import decode_value, encode_value
from fumehood.errors import AuditError
from fumehood.results import Execution
from fumehood.server import shapes
from fumehood.server.refusals import Invalid
from fumehood.wire.show import bounded_repr, clean_text
from fumehood.wire.values import RemoteObject

MOST_VALUE_BYTES = 8 << 20
"""A larger value is cut to a description."""
_TEXT = 10_000


def ran(execution: Execution) -> shapes.Ran:
    error = execution.error
    usage = execution.usage
    return shapes.Ran(
        value=typed(execution.value),
        text=None if execution.value is None else text_of(execution.value),
        logs=clean_text(execution.logs),
        displays=displays(execution.displays),
        error=None
        if error is None
        else shapes.ErrorShape(
            type=clean_text(error.type),
            message=clean_text(error.message),
            traceback=clean_text(error.traceback),
            line=error.line,
        ),
        fault=execution.fault,
        violations=[
            shapes.ViolationShape(
                line=row.line,
                column=row.column,
                rule=clean_text(row.rule),
                name=clean_text(row.name),
                reason=clean_text(row.reason),
                hint=clean_text(row.hint),
            )
            for row in execution.violations
        ],
        is_final_answer=execution.is_final_answer,
        rolled_back=execution.rolled_back,
        usage=shapes.UsageShape(
            wall_seconds=usage.wall_seconds,
            cpu_seconds=usage.cpu_seconds,
            peak_memory_bytes=usage.peak_memory_bytes,
        ),
    )


def outcome(execution: Execution) -> str:
    """In one word, for whoever counts."""
    return execution.fault or ("ok" if execution.error is None else "error")


def displays(bundles: Iterable[Mapping[str, str | bytes]]) -> list[dict[str, Any]]:
    """Each format with its data: text as it is, bytes as {"base64": …}."""
    return [
        {
            clean_text(mime): clean_text(data)
            if isinstance(data, str)
            else {"base64": base64.b64encode(data).decode()}
            for mime, data in bundle.items()
        }
        for bundle in bundles
    ]


def typed(value: Any) -> Any:
    """A value as typed JSON."""
    return encode_value(value, MOST_VALUE_BYTES)


def text_of(value: Any) -> str:
    if type(value) is RemoteObject and value.text:
        return clean_text(value.text[:_TEXT])  # its repr, made in the sandbox
    return clean_text(bounded_repr(value, _TEXT))


def value_of(given: Any) -> Any:
    """The value that typed JSON stands for. Invalid if it is none."""
    try:
        return decode_value(given)
    except AuditError as error:
        raise Invalid(f"that is no typed JSON: {error}") from None
