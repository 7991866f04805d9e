"""A sandbox of an E2B service as a place for sandboxes of ours: started when the first is needed,
replaced when it is gone, ended with whoever has it."""

from __future__ import annotations

import time
import weakref
from typing import Any

from fumehood.dropping import Farewell
from fumehood.e2b import sandboxes, sdk
from fumehood.e2b.sandboxes import CloudSandbox
from fumehood.errors import E2BSandboxGone, PolicyError
from fumehood.executors import life
from fumehood.executors.base import PythonExecutor
from fumehood.executors.far_places import FarLine, FarPlace
from fumehood.executors.tunnelled import Tunnel, far_fields
from fumehood.executors.zygotes import Runner, usual
from fumehood.jail.report import Mechanism
from fumehood.policy import Policy

_SHORTEST = 15.0


class E2BSandbox(FarPlace["_Line"]):
    """A sandbox of an E2B service that E2BExecutors share: `E2BExecutor(sandbox=…)`. It is made for
    the first of them. Closing it ends them all.

    `api_key` is the service's, E2B_API_KEY if not given; `template` names what the sandbox is made
    from, which must have a python3 of version 3.11 or newer. `sandbox_id` connects to a sandbox
    that is there instead, which is not ended with this. It lives for `timeout` seconds, which are
    renewed while it is used: while a cell runs, and for `idle_seconds` after anything was done with
    it. All other options are those of the package's Sandbox.create (or connect), `api_url` and
    `sandbox_url` of another service among them.
    """

    gone = E2BSandboxGone
    called = "E2B sandbox"
    advice = "In an E2B sandbox that means its template, or the policy of whoever serves it"

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
        for name, value, least in (
            ("timeout", timeout, _SHORTEST),
            ("idle_seconds", idle_seconds, 0),
        ):
            if type(value) not in (int, float) or not value >= least:
                raise PolicyError(
                    f"{name} must be a number of seconds, at least {least:g}, not {value!r}"
                )
        for name, text in (("template", template), ("sandbox_id", sandbox_id)):
            if text is not None and not (isinstance(text, str) and text):
                raise PolicyError(f"{name} must be a string, not {text!r}")
        if template is not None and sandbox_id is not None:
            raise PolicyError(
                "template is for a sandbox that is made, and sandbox_id names one that is there;"
                " leave one of them out"
            )
        sdk.check_key(api_key)
        sdk.sandbox_class()
        self._given: dict[str, Any] = {
            "api_key": api_key,
            "template": template,
            "sandbox_id": sandbox_id,
        }
        self._seconds, self._idle_seconds, self._options = (
            float(timeout),
            float(idle_seconds),
            options,
        )
        self._users: weakref.WeakSet[PythonExecutor] = weakref.WeakSet()
        super().__init__()

    def start_sandbox(self, policy: Policy) -> Runner:
        """The runner of a fresh sandbox in there."""
        if policy.mounts:
            raise PolicyError(
                "mounts show code files of this machine, which is not where an E2B sandbox is; use"
                " executor.files.write()"
            )
        return super().start_sandbox(policy)

    def _start(self, policy: Policy) -> _Line:
        known = weakref.ref(self)  # whoever asks must not keep it from being dropped

        def is_used() -> bool:
            place = known()
            return place is not None and place._is_used()

        cloud = sandboxes.start(
            **self._given,
            seconds=self._seconds,
            options=self._options,
            first=far_fields(usual(policy)),
            is_used=is_used,
        )
        try:
            line = _Line(cloud)
        except Exception as error:
            cloud.end()
            raise sdk.as_ours(error, "the E2B sandbox could not be connected") from None
        line.end = Farewell(self, _end, line.tunnel, cloud)
        return line

    def add_user(self, executor: PythonExecutor) -> None:
        """Somebody whose cells are run in there."""
        self._users.add(executor)

    def _is_used(self) -> bool:
        line = self._open_line
        if line is None:
            return False
        return (
            any(map(life.is_busy, list(self._users)))
            or time.monotonic() - line.tunnel.heard < self._idle_seconds
        )

    @property
    def id(self) -> str | None:
        """By what the service knows it; None while there is none."""
        line = self._open_line
        return None if line is None else line.cloud.id


class _Line(FarLine):
    """A sandbox of the service, and the line to it."""

    def __init__(self, cloud: CloudSandbox) -> None:
        self.cloud = cloud
        row = Mechanism(
            "E2B sandbox",
            True,
            f"{cloud.id}; what isolates it is the service's to say",
            "reaching this machine",
        )
        super().__init__(
            Tunnel(
                cloud.stream,
                bytes,
                cloud.why_gone,
                lambda: (row,),
                place="the E2B sandbox",
                gone=E2BSandboxGone,
            )
        )


def _end(tunnel: Tunnel, cloud: CloudSandbox) -> None:
    tunnel.close()
    cloud.end()
