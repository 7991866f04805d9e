"""A cell's printed output: bounded, linear in cost, and caught wherever it comes from.

`print` writes straight into the cell's buffer. What libraries write to `sys.stdout` (pprint,
DataFrame.info) is caught by a switch that stands in for `sys.stdout` while any cell runs and hands
each thread's text to the cell running there, or else to the host's stream.
"""

from __future__ import annotations

import sys
import threading
from typing import Any, TextIO


class CellStream:
    """sys.stdout and sys.stderr as code sees them. Holds nothing but a function, so that there is
    nothing behind it to reach."""

    __slots__ = ("_write", "errors", "name")
    encoding = "utf-8"
    closed = False
    newlines = None

    def __init__(self, write: Any, name: str) -> None:
        self._write = write
        self.name = name
        self.errors = "backslashreplace"

    def write(self, text: str) -> int:
        written: int = self._write(text)
        return written

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self._write(line)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False


class _Switch:
    """Stands in for sys.stdout or sys.stderr. Keeps its state in this module and not in itself:
    libraries hand their stream around."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def write(self, text: str) -> Any:
        cell = _running.get(threading.get_ident())
        return cell.write(text) if cell is not None else _host_stream(self._name).write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if threading.get_ident() not in _running:
            _host_stream(self._name).flush()

    def isatty(self) -> bool:
        return threading.get_ident() not in _running and _host_stream(self._name).isatty()

    def __getattr__(self, name: str) -> Any:
        # The host's other threads may use any part of their stream; a cell's library calls get the
        # harmless ones above.
        if threading.get_ident() in _running or sys._getframe(1).f_code.co_filename.startswith(
            "<cell "
        ):
            if name in ("encoding", "errors"):
                return {"encoding": "utf-8", "errors": "backslashreplace"}[name]
            raise AttributeError(f"this stream has no {name} while a cell runs", name=name)
        return getattr(_host_stream(self._name), name)


_running: dict[int, Any] = {}
_hosts: dict[str, TextIO] = {}
_lock = threading.Lock()
_depth = 0
_switches = {name: _Switch(name) for name in ("stdout", "stderr")}


def _host_stream(name: str) -> Any:
    stream = _hosts.get(name)
    return stream if stream is not None else sys.__dict__[f"__{name}__"]


class catching_output:
    """While in this context, what this thread writes to the standard streams goes to `buffer`. May
    be nested and used in many threads."""

    def __init__(self, buffer: Any) -> None:
        self._buffer = buffer

    def __enter__(self) -> None:
        global _depth
        with _lock:
            for name, switch in _switches.items():
                if (
                    getattr(sys, name) is not switch
                ):  # somebody may have put another stream there since
                    _hosts[name] = getattr(sys, name)
                    setattr(sys, name, switch)
            _depth += 1
            thread = threading.get_ident()
            self._before = _running.get(thread)
            _running[thread] = self._buffer

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
                for name, switch in _switches.items():
                    if getattr(sys, name) is switch:
                        setattr(sys, name, _hosts[name])
                _hosts.clear()


class host_writes:
    """While in this context, what this thread writes goes where the host's own text does, although
    a cell runs in it: a host that prints what it is told of a cell's output must not be told of
    that again."""

    def __enter__(self) -> None:
        self._cell = _running.pop(threading.get_ident(), None)

    def __exit__(self, *exc: object) -> None:
        if self._cell is not None:
            _running[threading.get_ident()] = self._cell
