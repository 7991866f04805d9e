"""E2BExecutor: code in a sandbox of an E2B service, in the cloud or one's own."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from fumehood.e2b import sandboxes
from fumehood.e2b.sandboxes import CloudSandbox
from fumehood.errors import E2BSandboxGone, PolicyError
from fumehood.executors.options import Options, shows_session_options, split_options
from fumehood.executors.remote import RemoteExecutor, RemotePlace, Started
from fumehood.executors.session import Session
from fumehood.executors.supervisor import Runner
from fumehood.jail.report import Mechanism
from fumehood.packages.requirements import Packages
from fumehood.policy import Policy

_SHORTEST = 15.0


class E2BSandbox(RemotePlace[CloudSandbox]):
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
        sandboxes.check_key(api_key)
        sandboxes.sandbox_class()
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
        self._users: weakref.WeakSet[E2BExecutor] = weakref.WeakSet()
        super().__init__()

    def start_sandbox(self, policy: Policy) -> Runner:
        """The runner of a fresh sandbox in there."""
        if policy.mounts:
            raise PolicyError(
                "mounts show code files of this machine, which is not where an E2B sandbox is; use"
                " executor.files.write()"
            )
        return super().start_sandbox(policy)

    def _start(self, policy: Policy, first: dict[str, Any]) -> Started[CloudSandbox]:
        known = weakref.ref(self)  # whoever asks must not keep it from being dropped

        def is_used() -> bool:
            place = known()
            return place is not None and place._is_used()

        cloud = sandboxes.start(
            **self._given,
            seconds=self._seconds,
            options=self._options,
            first=first,
            is_used=is_used,
        )
        row = Mechanism(
            "E2B sandbox",
            True,
            f"{cloud.id}; what isolates it is the service's to say",
            "reaching this machine",
        )
        end, why_gone = cloud.end, cloud.why_gone
        return Started(cloud, cloud.stream, end, why_gone, lambda: (row,), "the E2B sandbox")

    def add_user(self, executor: E2BExecutor) -> None:
        """Somebody whose cells are run in there."""
        self._users.add(executor)

    def _is_used(self) -> bool:
        line = self._open_line
        if line is None:
            return False
        return (
            any(user.is_busy for user in list(self._users))
            or time.monotonic() - line.tunnel.heard < self._idle_seconds
        )


@shows_session_options
class E2BExecutor(RemoteExecutor):
    """Runs cells in a sandbox of an E2B service and keeps their variables. All else is as with
    LocalPythonExecutor: tools run here, on the host, and values, errors and limits are the same.

    What `api_key`, `template` and the options of `kwargs` mean is said by E2BSandbox: those that it
    does not know go to the package's Sandbox.create. Each executor has a sandbox of the service of
    its own unless it is given one by `sandbox`; its forks and snapshots are in the same. In there
    code is held by as much of the jail as that machine permits, as `report()` says.

    Modules that are to be imported must be in the template, or be brought: `packages` are fetched
    here, and code may import their modules, as with `install` later. The Python there may be
    another version than the host's.

    `logger` is where smolagents' executor has it, and is told nothing: what happens is told to
    `audit` and to `logging`.
    """

    def __init__(
        self,
        additional_authorized_imports: Iterable[str] = (),
        logger: Any = None,
        *,
        api_key: str | None = None,
        template: str | None = None,
        sandbox: E2BSandbox | None = None,
        packages: Packages | Iterable[str | os.PathLike[str]] = (),
        max_print_outputs_length: int | None = None,
        **kwargs: Any,
    ) -> None:
        session, own = split_options(kwargs)
        options = Options.given_to(E2BExecutor, session)
        policy = options.merged_policy(additional_authorized_imports, max_print_outputs_length)
        policy.warn_of_dangers(stacklevel=2)
        asked = {
            name: value
            for name, value in {"api_key": api_key, "template": template, **own}.items()
            if value is not None
        }
        shares = sandbox is not None
        if sandbox is None:
            sandbox = E2BSandbox(**asked)
        elif asked:
            raise PolicyError(
                f"{next(iter(asked))} is for an executor's own E2B sandbox, and this one is given"
                " another's; leave it out"
            )
        self.sandbox = sandbox
        super().__init__("e2b", sandbox, shares, policy, options)
        sandbox.add_user(self)
        self._begin_with(None, packages)

    def _with_session(self, session: Session) -> Self:
        other = super()._with_session(session)
        self.sandbox.add_user(other)
        return other


def shared(
    executors: int, options: Mapping[str, Any]
) -> tuple[Callable[..., E2BExecutor], Callable[[], None]]:
    """One sandbox of the service for all executors of a pool: what makes them, and what ends it.
    `options` are E2BSandbox's."""
    own = {
        name: value for name, value in options.items() if name == "packages"
    }  # of each: they are no part of the sandbox
    sandbox = E2BSandbox(**{name: value for name, value in options.items() if name not in own})
    return lambda **more: E2BExecutor(sandbox=sandbox, **{**own, **more}), sandbox.close
