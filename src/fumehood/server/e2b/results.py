"""What a cell gives out, in E2B's words: a line of JSON for each thing."""

from __future__ import annotations

import base64
import time
from typing import Any, Final

import msgspec

from fumehood.results import ErrorInfo
from fumehood.wire.messages import CHART, TABLE
from fumehood.wire.output import StreamName
from fumehood.wire.show import clean_text

# MIME type, the name it has there, and how it is written.
_NAMES: Final[dict[str, tuple[str, str]]] = {
    "text/plain": ("text", "text"),
    "text/html": ("html", "text"),
    "text/markdown": ("markdown", "text"),
    "image/svg+xml": ("svg", "text"),
    "image/png": ("png", "base64"),
    "image/jpeg": ("jpeg", "base64"),
    "application/pdf": ("pdf", "base64"),
    "text/latex": ("latex", "text"),
    "application/json": ("json", "json"),
    "application/javascript": ("javascript", "text"),
    TABLE: ("data", "json"),
    CHART: ("chart", "json"),
}

_encode = msgspec.json.Encoder().encode


def line(kind: str, **fields: Any) -> bytes:
    return _encode({"type": kind, **fields}) + b"\n"


def printed(stream: StreamName, text: str) -> bytes:
    return line(stream, text=clean_text(text), timestamp=time.time_ns())


def error(info: ErrorInfo) -> bytes:
    return line(
        "error",
        name=clean_text(info.type),
        value=clean_text(info.message),
        traceback=clean_text(info.traceback),
    )


def result(bundle: dict[str, str | bytes], is_value: bool) -> bytes:
    """A display. Formats that E2B has no name for are under `extra`, by their MIME types."""
    fields: dict[str, Any] = {"is_main_result": is_value}
    extra: dict[str, Any] = {}
    for mime, data in bundle.items():
        name, form = _NAMES.get(
            mime, (clean_text(mime), "base64" if isinstance(data, bytes) else "text")
        )
        value = _written(data, form)
        if value is None:
            continue
        if mime in _NAMES:
            fields[name] = value
        else:
            extra[name] = value
    text = fields.get("text")
    if isinstance(text, str) and len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        fields["text"] = text[1:-1]  # a text is shown as it is, and not as Python would write it
    if extra:
        fields["extra"] = extra
    return line("result", **fields)


def _written(data: str | bytes, form: str) -> Any:
    """Data of a display as JSON can hold it; None if it is not what its type says."""
    if form == "base64":
        raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape")
        return base64.b64encode(raw).decode()
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    if form == "text":
        return clean_text(text)
    try:
        return msgspec.json.decode(text.encode("utf-8", "backslashreplace"))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
