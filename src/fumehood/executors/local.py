"""LocalPythonExecutor: code on this machine, in a jail by default."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Literal, Unpack

from fumehood.errors import JailUnavailable, PolicyError
from fumehood.executors import installing, supervisor
from fumehood.executors.executor import Executor
from fumehood.executors.inline import InlineSession
from fumehood.executors.installing import Bundle
from fumehood.executors.options import Options, SessionOptions, shows_session_options
from fumehood.executors.session import Session
from fumehood.executors.session_events import SessionEvents
from fumehood.packages.requirements import Packages
from fumehood.policy import Policy


@shows_session_options
class LocalPythonExecutor(Executor):
    """Runs cells on this machine and keeps their variables.

    `additional_authorized_imports` adds modules to the default list. A module that is not installed
    is an error, a dangerous one a warning. `max_print_outputs_length` bounds the printed output
    that is kept, `timeout_seconds` the time of each cell (None for no limit). `files=True` lets
    code use files (docs/files.md). A `policy` or `limits` that contradicts one of these is an
    error.

    isolation="jail" runs code in a jailed process, or raises JailUnavailable. isolation="inline"
    runs it in this process, filtered by the guarded language alone: `report()` lists what that
    does not stop.

    on_fault="rollback" restores variables and files after a cell that ran out of time or memory,
    crashed, was killed or printed too much, and sets `Execution.rolled_back`. on_error="rollback"
    does the same for every exception. Both need the jail and cost a copy of the process for each
    cell, a few milliseconds. Tool calls are not undone. `keep` is how many snapshots are kept
    before the oldest is discarded; without it, one too many is an error.

    `packages` can be imported by code: names or wheels, fetched once outside of the jail and kept
    (docs/packages.md). InstallFailed says why one is not available.

    `audit` is one observer or several: an AuditLog, or a function that takes an event (events.py).
    `validators` check the output of a cell before it is shown (validation/).
    """

    def __init__(
        self,
        additional_authorized_imports: Iterable[str] = (),
        max_print_outputs_length: int | None = None,
        *,
        packages: Packages | Iterable[str | os.PathLike[str]] = (),
        isolation: Literal["jail", "inline"] = "jail",
        **session: Unpack[SessionOptions],
    ) -> None:
        if isolation not in ("jail", "inline"):
            raise PolicyError(f"isolation must be 'jail' or 'inline', not {isolation!r}")
        options = Options.given_to(LocalPythonExecutor, session)
        policy = options.merged_policy(additional_authorized_imports, max_print_outputs_length)
        if packages and isinstance(policy.programs, str):
            raise PolicyError(
                "packages are made for the Python of this process, and a root directory has its"
                " own; install them in that directory"
            )
        bundle = (
            _bundle_of(packages, isolation) if isinstance(packages, Packages) or packages else None
        )
        if bundle is not None:
            policy = _without(policy, bundle.installed.modules)
        policy.verify(stacklevel=2)
        if isolation == "inline":
            for needs, what in (
                (options.on_error == "rollback", "on_error='rollback'"),
                (policy.files, "files=True"),
                (policy.programs, "programs"),
                (policy.mounts, "mounts"),
                (policy.clock is not None, "clock"),
            ):
                if needs:
                    raise PolicyError(
                        f"{what} needs the jail, and isolation='inline' has none; leave one of"
                        " them out"
                    )
            policy = replace(policy, language="guarded")

        def make_session(events: SessionEvents) -> InlineSession | Session:
            if isolation == "inline":
                return InlineSession(policy, events=events)
            start = partial(_start, bundle) if bundle else None
            return Session(policy, undoes=options.undoes, start=start, events=events)

        try:
            super().__init__(isolation, policy, make_session, options)
        except JailUnavailable:
            if bundle is not None:
                installing.see_if_closed(bundle)
            raise
        self._begin_with(bundle)

    @property
    def isolation(self) -> Literal["jail", "inline"]:
        """What was asked for: a jailed process, or this one."""
        return "inline" if isinstance(self._session, InlineSession) else "jail"


def _bundle_of(packages: Packages | Iterable[str | os.PathLike[str]], isolation: str) -> Bundle:
    """Packages as they are shown to sandboxes."""
    if isolation == "inline":
        raise PolicyError(
            "packages need a sandbox, and isolation='inline' has none: install with pip what this"
            " process is to import"
        )
    from fumehood.packages import environments  # late: few executors have packages

    wanted = Packages.of(packages)
    return installing.shown_there(environments.obtain(wanted), environments.requests_of(wanted))


def _without(policy: Policy, modules: Iterable[str]) -> Policy:
    """A policy without what packages bring, and allow by themselves: this Python need not have it,
    and the zygote must not import it."""
    brought = tuple(modules)
    kept = (
        name
        for name in policy.imports
        if not any(name == module or name.startswith(f"{module}.") for module in brought)
    )
    return replace(policy, imports=tuple(kept))


def _start(bundle: Bundle, policy: Policy) -> supervisor.Runner:
    return supervisor.LOCAL.start_sandbox(policy, (bundle.path,))
