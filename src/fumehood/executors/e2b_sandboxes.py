"""A sandbox of an E2B service as a place for sandboxes of ours: started when the first is needed, replaced when it is gone, ended with
whoever has it."""

from __future__ import annotations

import os
import threading
import time
import weakref
from typing import Any, Self

from fumehood.dropping import Farewell
from fumehood.e2b import sandboxes, sdk
from fumehood.e2b.sandboxes import CloudSandbox
from fumehood.errors import E2BFailed, E2BSandboxGone, PolicyError, SandboxFailed
from fumehood.executors import life
from fumehood.executors.base import PythonExecutor
from fumehood.executors.tunnelled import Tunnel, far_fields
from fumehood.executors.zygotes import Runner, Zygotes, usual
from fumehood.jail.report import Mechanism
from fumehood.policy import Policy

_SHORTEST = 15.0


class E2BSandbox:
    """A sandbox of an E2B service that E2BExecutors share: `E2BExecutor(sandbox=…)`. It is made for the first of them. Closing it ends
    them all.

    `api_key` is the service's, E2B_API_KEY if not given; `template` names what the sandbox is made from, which must have a python3 of
    version 3.11 or newer. `sandbox_id` connects to a sandbox that is there instead, which is not ended with this. It lives for `timeout`
    seconds, which are renewed while it is used: while a cell runs, and for `idle_seconds` after anything was done with it. All other
    options are those of the package's Sandbox.create (or connect), `api_url` and `sandbox_url` of another service among them.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        template: str | None = None,
        sandbox_id: str | None = None,
        timeout: float = 300,
        idle_seconds: float = 1800,
        **options: Any,
    ) -> None:
        for name, value, least in (("timeout", timeout, _SHORTEST), ("idle_seconds", idle_seconds, 0)):
            if type(value) not in (int, float) or not value >= least:
                raise PolicyError(f"{name} must be a number of seconds, at least {least:g}, not {value!r}")
        for name, text in (("template", template), ("sandbox_id", sandbox_id)):
            if text is not None and not (isinstance(text, str) and text):
                raise PolicyError(f"{name} must be a string, not {text!r}")
        if template is not None and sandbox_id is not None:
            raise PolicyError("template is for a sandbox that is made, and sandbox_id names one that is there; leave one of them out")
        sdk.check_key(api_key)
        sdk.sandbox_class()
        self._given: dict[str, Any] = {"api_key": api_key, "template": template, "sandbox_id": sandbox_id}
        self._seconds, self._idle_seconds, self._options = float(timeout), float(idle_seconds), options
        self._lock = threading.Lock()
        self._line: _Line | None = None
        self._users: weakref.WeakSet[PythonExecutor] = weakref.WeakSet()
        self._closed = False
        _places.add(self)

    def start_sandbox(self, policy: Policy) -> Runner:
        """The runner of a fresh sandbox in there."""
        if policy.mounts:
            raise PolicyError("mounts show code files of this machine, which is not where an E2B sandbox is; use executor.files.write()")
        with self._lock:
            line = self._open(policy)
        try:
            return line.zygotes.start_sandbox(policy)
        except PolicyError as error:
            raise PolicyError(f"{error} In an E2B sandbox that means its template, or the policy of whoever serves it") from None
        except E2BFailed:
            raise
        except SandboxFailed as error:
            if line.tunnel.is_open:
                raise
            raise E2BSandboxGone(line.tunnel.why_gone() or str(error)) from None

    def _open(self, policy: Policy) -> _Line:
        if self._closed:
            raise SandboxFailed("this E2B sandbox is closed; make a new one")
        line = self._line
        if line is None or not line.tunnel.is_open:
            if line is not None:
                line.end()
            line = self._line = self._start(policy)
        return line

    def _start(self, policy: Policy) -> _Line:
        known = weakref.ref(self)  # whoever asks must not keep it from being dropped

        def is_used() -> bool:
            place = known()
            return place is not None and place._is_used()

        cloud = sandboxes.start(
            **self._given, seconds=self._seconds, options=self._options, first=far_fields(usual(policy)), is_used=is_used
        )
        line = _Line(cloud)
        line.end = Farewell(self, _end, line.tunnel, cloud)
        return line

    def add_user(self, executor: PythonExecutor) -> None:
        """Somebody whose cells are run in there."""
        self._users.add(executor)

    def _is_used(self) -> bool:
        line = self._line
        if line is None or not line.tunnel.is_open:
            return False
        return any(map(life.is_busy, list(self._users))) or time.monotonic() - line.tunnel.heard < self._idle_seconds

    @property
    def id(self) -> str | None:
        """By what the service knows it; None while there is none."""
        line = self._line
        return None if line is None or not line.tunnel.is_open else line.cloud.id

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


class _Line:
    """A sandbox of the service, and the line to it."""

    end: Farewell

    def __init__(self, cloud: CloudSandbox) -> None:
        self.cloud = cloud
        row = Mechanism("E2B sandbox", True, f"{cloud.id}; what isolates it is the service's to say", "reaching this machine")
        self.tunnel = Tunnel(cloud.stream, bytes, cloud.why_gone, lambda: (row,), place="the E2B sandbox", gone=E2BSandboxGone)
        self.zygotes = Zygotes(self.tunnel.launch)
        _lines.add(self)


_places: weakref.WeakSet[E2BSandbox] = weakref.WeakSet()
_lines: weakref.WeakSet[_Line] = weakref.WeakSet()
"""Those of this process."""


def _end(tunnel: Tunnel, cloud: CloudSandbox) -> None:
    tunnel.close()
    cloud.end()


def _forget() -> None:
    """After a fork: they are the parent's."""
    for line in list(_lines):
        line.zygotes.forget()
        line.tunnel.abandon()
    _lines.clear()
    for place in list(_places):
        place._lock = threading.Lock()  # whoever held it is not here


os.register_at_fork(after_in_child=_forget)
