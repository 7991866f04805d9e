"""The result of a cell. Plain frozen data: every executor returns the same type, wherever the code
ran."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Literal

from fumehood.wire import show
from fumehood.wire.records import RemoteObject

Fault = Literal[
    "timeout",
    "memory",
    "processes",
    "files",
    "disk",
    "output",
    "displays",
    "frame",
    "crash",
    "killed",
    "refused",
]
"""Which limit was reached, or what ended the cell:

    timeout     the cell's time, or the process's processor time
    memory      a MemoryError, or the kernel ended the process for want of memory
    processes   no more processes or threads may be started
    files       no more files may be opened
    disk        a file or /home/user is full
    output      more was printed than a cell may print
    displays    more was displayed than a cell may display
    frame       a result of a fleet's task too large to be sent
    crash       the process ended by itself: a crash of the interpreter, an exit
    killed      the cell was interrupted, or somebody else killed the process
    refused     a rule of the guarded language
"""


UNDONE: frozenset[Fault] = frozenset({"timeout", "memory", "processes"})
"""Faults that end a cell anywhere in the middle though its process lives: what it has done so far
is undone where that can be, and the processes that it started end with it. Not an interruption,
which somebody asked for. A process that dies is another matter: there is nothing left but to go
back."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a cell breaks a rule, with everything a model needs to repair it."""

    line: int
    column: int
    rule: str
    name: str
    reason: str
    hint: str = ""

    def __str__(self) -> str:
        text = f"line {self.line}: {self.name}: {self.reason}"
        return f"{text} ({self.hint})" if self.hint else text


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """An exception as text. `traceback` shows the frames of the code itself and none of
    fumehood's."""

    type: str
    message: str
    traceback: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.type}: {self.message}" if self.message else self.type


@dataclass(frozen=True, slots=True)
class Finding:
    """What a validator found in what a cell gave out, and what was done about it. What it was is
    not told again: only where (`value`, `logs`, `error`, `display`), what kind of thing, how often,
    and who found it."""

    where: str
    kind: str
    action: Literal["report", "redact", "refuse"]
    count: int = 1
    validator: str = ""

    def __str__(self) -> str:
        return f"{self.kind} in {self.where}" + (f", {self.count} times" if self.count > 1 else "")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a cell cost. `peak_memory_bytes` is None where the place cannot tell one cell's memory
    from its host's."""

    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Execution:
    """The result of one cell. Calling an executor, `run` and `arun` all return it.

    It unpacks into three values: `output, logs, is_final = executor(code)`. In a notebook it shows
    its logs, displays, output and error; `str()` gives the same as text. What it shows is bounded
    and free of terminal escapes; its fields are as the sandbox sent them.
    """

    value: Any = None
    logs: str = ""
    displays: tuple[Any, ...] = ()
    error: ErrorInfo | None = None
    fault: Fault | None = None
    violations: tuple[Violation, ...] = ()
    is_final_answer: bool = False
    imports: tuple[str, ...] = ()
    tool_calls: tuple[str, ...] = ()
    usage: Usage = Usage()
    rolled_back: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def output(self) -> Any:
        """Another name for `value`: the value of the last expression, or the final answer."""
        return self.value

    @property
    def ok(self) -> bool:
        """Whether the cell reached its end: no exception, no limit, no refusal."""
        return self.error is None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.value, self.logs, self.is_final_answer))

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: Any) -> Any:
        return (self.value, self.logs, self.is_final_answer)[index]

    def __repr__(self) -> str:
        """The fields that say something, `usage` left out."""
        shown = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name == "value"
            or field.name != "usage"
            and getattr(self, field.name) is not field.default
        }
        if self.displays:
            shown["displays"] = tuple(map(_Shown, map(_format_text, self.displays)))
        return show.printable(show.call_repr("Execution", shown))

    def __str__(self) -> str:
        parts = [_shortened(self.logs).rstrip("\n"), *map(_display_text, self.displays[:_MOST])]
        if self._shows_value():
            label = "final answer: " if self.is_final_answer else ""
            parts.append(label + _value_text(self.value))
        if self.error is not None:
            parts.append(_shortened(self.error.traceback or str(self.error)).rstrip("\n"))
        text = show.printable("\n".join(part for part in parts if part))
        return text or repr(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        from html import escape  # late, as below: sandboxes import this module, and show nothing

        from fumehood.wire.show import framed

        def pre(text: str, style: str = "") -> str:
            style = f"margin:0;white-space:pre-wrap;{style}"
            return f'<pre style="{style}">{escape(show.printable(_shortened(text)))}</pre>'

        parts = [pre(self.logs)] if self.logs else []
        room = _MOST_BYTES
        for bundle in self.displays[:_MOST]:
            element, size = _display_html(bundle, room)
            room -= size
            parts.append(element or pre(_display_text(bundle)))
        if self._shows_value():
            label = "final answer: " if self.is_final_answer else ""
            table = show.table_html(self.value)
            parts.append(pre(label + _value_text(self.value)) if table is None else framed(table))
        if self.error is not None:
            parts.append(pre(self.error.traceback or str(self.error), "color:#c62828"))
        return {"text/plain": str(self), "text/html": f"<div>{''.join(parts)}</div>"}

    def _shows_value(self) -> bool:
        """Whether there is a value to show that the last display does not show already."""
        from fumehood.wire.records import Picture  # late: it imports the codec

        if self.value is None:
            return self.is_final_answer and self.error is None
        last = self.displays[-1] if self.displays else {}
        if type(self.value) is Picture and self.value.mime in last:
            return False
        # Addresses differ between the sandbox and the copy of the value here.
        text = last.get("text/plain", "")
        return _ADDRESS.sub("", str(text)) != _ADDRESS.sub("", _value_text(self.value))


_MOST = 100
_MOST_CHARACTERS = 20_000
_MOST_BYTES = 16 << 20
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""Pictures that a page may show: a browser runs nothing that is in them."""


class _Shown(str):
    """Text that is its own repr."""

    __slots__ = ()
    __repr__ = str.__str__


def _shortened(text: str) -> str:
    """The head and the tail of a long text."""
    cut = len(text) - _MOST_CHARACTERS
    if cut <= 0:
        return text
    half = _MOST_CHARACTERS // 2
    return f"{text[:half]}\n... {cut:,} characters cut ...\n{text[-half:]}"


def _value_text(value: Any) -> str:
    if type(value) is RemoteObject and value.text:
        return value.text  # its repr, made in the sandbox
    return show.bounded_repr(value, _MOST_CHARACTERS)


def _display_text(bundle: dict[str, str | bytes]) -> str:
    """A display as text: its own text, or the format and the size of a picture."""
    text = bundle.get("text/plain")
    if text is None or any(kind.startswith(("image/", "audio/", "video/")) for kind in bundle):
        return _format_text(bundle)
    return _shortened(str(text)).rstrip("\n")


def _format_text(bundle: dict[str, str | bytes]) -> str:
    """The format that says most, and its size."""
    kind = next((kind for kind in bundle if kind != "text/plain"), "text/plain")
    return f"<{kind}, {len(bundle.get(kind, '')):,} bytes>"


def _display_html(bundle: dict[str, str | bytes], room: int) -> tuple[str, int]:
    """A display as an element of a page, and its size; nothing if it has only text, or no room."""
    from base64 import b64encode

    from fumehood.wire.show import framed

    for kind in (*_PICTURES, "image/svg+xml", "text/html"):
        data = bundle.get(kind, b"")
        if data and len(data) <= room:
            if isinstance(data, bytes) and kind in _PICTURES:
                source = f"data:{kind};base64,{b64encode(data).decode()}"
                return f'<img src="{source}" style="max-width:100%">', len(data)
            if isinstance(data, str) and kind not in _PICTURES:
                return framed(data), len(data)
    return "", 0
