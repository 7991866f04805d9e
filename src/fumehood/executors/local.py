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

    `additional_authorized_imports` adds modules to the default list; a name that is not installed
    is an error here, a dangerous one warns. `max_print_outputs_length` bounds what is kept of
    printed output, `timeout_seconds` each cell (None for no limit). `files=True` lets code read and
    write files (docs/files.md). An explicit `policy` or
    `limits` that says something else than one of these is an error.

    isolation="jail" runs code in a jailed process; if that cannot be had, JailUnavailable is raised
    and nothing runs. isolation="inline" runs it in this process under the rules of the language
    alone. It cannot stop one long C call, it limits no memory, native libraries can be made to read
    and write the process's memory, and finalizers may run after a cell: `report()` says it in full.

    on_fault="rollback": after a cell that ran out of time or memory, crashed, was killed or printed
    without end, variables and files are as they were before it, and `Execution.rolled_back` says
    so. on_error="rollback" does the same for every exception. In the jail only; it costs a copy of
    the process for each cell, a few milliseconds. What left the sandbox, the calls of tools, is not
    undone. `keep` is how many snapshots are kept before the oldest is discarded; without it one too
    many is an error.

    `packages` are for code to import, by name or as wheels; what has to be fetched is fetched once,
    outside of the jail, and kept (docs/packages.md). Code may import the modules of those named.
    InstallFailed says in one line why one cannot be had. They are not imported before the jail is
    closed, as authorized modules of this Python are. `Packages` says more about how they may be
    had.

    `audit` is an observer, or several, that are told all that happens (events.py): an AuditLog, or
    a function that takes an event. `validators` look at what a cell gives out before anybody sees
    it (validation/).
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
        if isolation == "inline" and options.on_error == "rollback":
            raise PolicyError(
                "on_error='rollback' needs a process of the code's own, and isolation='inline' has"
                " none; leave one of them out"
            )
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
