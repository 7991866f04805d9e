"""The standard streams while guarded code runs.

A switch stands in for `sys.stdout` and one for `sys.stderr`. Each hands the text of a thread to the
cell that runs there, or else to the host's stream. Code has the switches, too, as its own streams:
they hold nothing that leads further.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
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
        if threading.get_ident() not in _running:
            _stream(self.name).flush()

    def __getattr__(self, name: str) -> Any:
        # The host's other threads may use any part of their stream.
        is_cell = sys._getframe(1).f_code.co_filename.startswith(FILE_PREFIX)
        if not is_cell and threading.get_ident() not in _running:
            return getattr(_stream(self.name), name)
        if name not in _PLAIN:
            raise AttributeError(f"this stream has no {name} while a cell runs", name=name)
        return _PLAIN[name]


_running: dict[int, dict[str, Any]] = {}
"""By thread: where the text of its cell goes, by the name of the stream."""
_hosts: dict[str, TextIO] = {}
_lock = threading.Lock()
_depth = 0
SWITCHES = {name: _Switch(name) for name in ("stdout", "stderr")}


def _stream(name: str) -> Any:
    cell = _running.get(threading.get_ident())
    if cell is not None:
        return cell[name]
    return _hosts.get(name) or sys.__dict__[f"__{name}__"]


class catching_output:
    """While in this context, what this thread writes to the standard streams goes to `buffer`, or
    to where it went before if that is None. May be nested and used in many threads."""

    def __init__(self, buffer: Any = None) -> None:
        self._buffer = buffer

    def __enter__(self) -> None:
        global _depth
        with _lock:
            streams = {name: self._buffer or getattr(sys, name) for name in SWITCHES}
            for name, switch in SWITCHES.items():
                if getattr(sys, name) is not switch:  # the host may have put another stream there
                    _hosts[name] = getattr(sys, name)
                    setattr(sys, name, switch)
            _depth += 1
            thread = threading.get_ident()
            self._before = _running.get(thread)
            _running[thread] = streams

    def __exit__(self, *exc: object) -> None:
        global _depth
        with _lock:
            thread = threading.get_ident()
            if self._before is None:
                _running.pop(thread, None)
            else:
                _running[thread] = self._before
            _depth -= 1
            if _depth == 0:
                for name, switch in SWITCHES.items():
                    if getattr(sys, name) is switch:
                        setattr(sys, name, _hosts[name])
                _hosts.clear()


def redirect(stream: str, *target: Any) -> Any:
    """Send the text of this thread's cell to the target, if there is one; gives the one before."""
    streams = _running[threading.get_ident()]
    before = streams[stream]
    if target:
        (streams[stream],) = target
    return before


@contextmanager
def host_writes() -> Iterator[None]:
    """In this context the cell's thread writes to the host's own streams."""
    cell = _running.pop(threading.get_ident(), None)
    try:
        yield
    finally:
        if cell is not None:
            _running[threading.get_ident()] = cell
