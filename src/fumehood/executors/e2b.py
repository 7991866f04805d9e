"""E2BExecutor: code in a sandbox of an E2B service, in the cloud or one's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from fumehood.errors import PolicyError
from fumehood.executors.e2b_sandboxes import E2BSandbox
from fumehood.executors.far_executor import FarExecutor
from fumehood.executors.given import UNSET, Unset
from fumehood.executors.jailed import JailedWorker
from fumehood.executors.session_options import SessionOptions, Then, settled
from fumehood.executors.trail import OutputChecks
from fumehood.observing import Observer
from fumehood.packages.requirements import Packages
from fumehood.policy import Limits, Policy


class E2BExecutor(FarExecutor):
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
        policy: Policy | None = None,
        timeout_seconds: float | Unset | None = UNSET,
        limits: Limits | None = None,
        files: bool = False,
        programs: bool | Iterable[str] = False,
        on_fault: Then = "rollback",
        on_error: Then = "keep",
        keep: int | None = None,
        additional_functions: Mapping[str, Callable[..., Any]] | None = None,
        on_output: Callable[[str], Any] | None = None,
        audit: Observer | Iterable[Observer] | None = None,
        validators: Iterable[Any] | OutputChecks = (),
        **kwargs: Any,
    ) -> None:
        # named one by one: whatever else comes by name is for the package
        session: SessionOptions = {
            "timeout_seconds": timeout_seconds,
            "policy": policy,
            "limits": limits,
            "files": files,
            "programs": programs,
            "on_fault": on_fault,
            "on_error": on_error,
            "keep": keep,
            "additional_functions": additional_functions,
            "on_output": on_output,
            "audit": audit,
            "validators": validators,
        }
        policy, options = settled(
            E2BExecutor, additional_authorized_imports, max_print_outputs_length, session
        )
        policy.warn_of_dangers(stacklevel=2)
        asked = {
            name: value
            for name, value in {"api_key": api_key, "template": template, **kwargs}.items()
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

    def _beside(self, worker: JailedWorker) -> Self:
        other = super()._beside(worker)
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
