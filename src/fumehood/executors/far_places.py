"""A place at the far end of a tunnel, that executors share: reached when the first sandbox is
needed, replaced when it is gone, ended with whoever has it."""

from __future__ import annotations

import os
import threading
import weakref
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Self, TypeVar

from fumehood.dropping import Farewell
from fumehood.errors import PolicyError, SandboxFailed
from fumehood.executors.tunnelled import Tunnel
from fumehood.executors.zygotes import Runner, Zygotes
from fumehood.policy import Policy


class FarLine:
    """A place that is there, and the line to it."""

    end: Farewell
    """Ends both; to be called by whoever has it, and called when nobody has any more."""

    def __init__(self, tunnel: Tunnel) -> None:
        self.tunnel = tunnel
        self.zygotes = Zygotes(tunnel.launch)
        _lines.add(self)


L = TypeVar("L", bound=FarLine)


class FarPlace(ABC, Generic[L]):
    gone: ClassVar[type[SandboxFailed]]
    """What is raised when it is gone."""
    called: ClassVar[str]
    """In error texts: "container"."""
    advice: ClassVar[str]
    """What to do about a policy that is refused there."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._line: L | None = None
        self._closed = False
        _places.add(self)

    @abstractmethod
    def _start(self, policy: Policy) -> L:
        """Have it there, for a first sandbox of a policy."""

    def start_sandbox(self, policy: Policy) -> Runner:
        """The runner of a fresh sandbox in there."""
        with self._lock:
            line = self._open(policy)
        try:
            return line.zygotes.start_sandbox(policy)
        except PolicyError as error:
            raise PolicyError(f"{error} {self.advice}") from None
        except self.gone:
            raise
        except SandboxFailed as error:
            if line.tunnel.is_open:
                raise
            raise self.gone(line.tunnel.why_gone() or str(error)) from None

    def _open(self, policy: Policy) -> L:
        if self._closed:
            raise SandboxFailed(f"this {self.called} is closed; make a new one")
        line = self._line
        if line is None or not line.tunnel.is_open:
            if line is not None:
                line.end()
            line = self._line = self._start(policy)
        return line

    @property
    def _open_line(self) -> L | None:
        """The line, if there is one and it is open."""
        line = self._line
        return None if line is None or not line.tunnel.is_open else line

    def close(self) -> None:
        """End it, and every sandbox in it. Closing twice is harmless."""
        with self._lock:
            self._closed = True
            line, self._line = self._line, None
        if line is not None:
            line.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


_places: weakref.WeakSet[FarPlace[Any]] = weakref.WeakSet()
_lines: weakref.WeakSet[FarLine] = weakref.WeakSet()
"""Those of this process."""


def _forget() -> None:
    """After a fork: they are the parent's."""
    for line in list(_lines):
        line.zygotes.forget()
        line.tunnel.abandon()
    _lines.clear()
    for place in list(_places):
        place._lock = threading.Lock()  # whoever held it is not here


os.register_at_fork(after_in_child=_forget)
