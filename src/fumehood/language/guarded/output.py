"""The standard streams while guarded code runs.

A switch stands in for `sys.stdout` and one for `sys.stderr`. Each hands the text of a thread to the
cell that runs there, or else to the host's stream. Code has the switches, too, as its own streams:
they hold nothing that leads further.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TextIO

from fumehood.language.source import FILE_PREFIX

_PLAIN: dict[str, Any] = {
    "encoding": "utf-8",
    "errors": "backslashreplace",
    "newlines": None,
    "closed": False,
    "close": lambda: None,
    "isatty": lambda: False,
    "readable": lambda: False,
    "writable": lambda: True,
    "seekable": lambda: False,
}
"""What a cell finds of its streams, besides the methods of the switch."""


class _Switch:
    """Keeps its state in this module and not in itself: libraries hand their stream around."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, text: str) -> Any:
        return _stream(self.name).write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if _here.streams is None:
            _stream(self.name).flush()

    def __getattr__(self, name: str) -> Any:
        # The host's other threads may use any part of their stream.
        is_cell = sys._getframe(1).f_code.co_filename.startswith(FILE_PREFIX)
        if not is_cell and _here.streams is None:
            return getattr(_stream(self.name), name)
        if name not in _PLAIN:
            raise AttributeError(f"this stream has no {name} while a cell runs", name=name)
        return _PLAIN[name]


class _Thread(threading.local):
    streams: dict[str, Any] | None = None
    """Where the text of this thread's cell goes, by the name of the stream."""


_here = _Thread()
_hosts: dict[str, TextIO] = {}
_lock = threading.Lock()
_depth = 0
SWITCHES = {name: _Switch(name) for name in ("stdout", "stderr")}


def _stream(name: str) -> Any:
    if _here.streams is not None:
        return _here.streams[name]
    return _hosts.get(name) or sys.__dict__[f"__{name}__"]


@contextmanager
def catching_output(buffer: Any = None) -> Iterator[None]:
    """While in this context, what this thread writes to the standard streams goes to `buffer`, or
    to where it went before if that is None. May be nested and used in many threads."""
    global _depth
    with _lock:
        streams = {name: buffer or getattr(sys, name) for name in SWITCHES}
        for name, switch in SWITCHES.items():
            if getattr(sys, name) is not switch:  # the host may have put another stream there
                _hosts[name] = getattr(sys, name)
                setattr(sys, name, switch)
        _depth += 1
    try:
        with _writing_to(streams):
            yield
    finally:
        with _lock:
            _depth -= 1
            for name, switch in SWITCHES.items() if _depth == 0 else ():
                host = _hosts.pop(name)
                if getattr(sys, name) is switch:
                    setattr(sys, name, host)


@contextmanager
def _writing_to(streams: dict[str, Any] | None) -> Iterator[None]:
    before, _here.streams = _here.streams, streams
    try:
        yield
    finally:
        _here.streams = before


def host_writes() -> AbstractContextManager[None]:
    """In this context the cell's thread writes to the host's own streams."""
    return _writing_to(None)


def redirect(stream: str, *target: Any) -> Any:
    """Send the text of this thread's cell to the target, if there is one; gives the one before."""
    assert _here.streams is not None
    before = _here.streams[stream]
    if target:
        (_here.streams[stream],) = target
    return before
