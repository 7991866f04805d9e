"""LocalPythonExecutor: code on this machine, in a jail by default."""

from __future__ import annotations

import asyncio
import copy
import os
import types
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import replace
from typing import Any, Final, Literal, overload

from fumehood.errors import PolicyError
from fumehood.executors import durable
from fumehood.executors.base import PythonExecutor
from fumehood.executors.branching import History, Snapshot
from fumehood.executors.durable import SavedState
from fumehood.executors.evaluate import BASE_PYTHON_TOOLS
from fumehood.executors.inline import InlineWorker
from fumehood.executors.jailed import JailedWorker
from fumehood.executors.state import Files, RemoteState
from fumehood.executors.trail import OutputChecks, Trail, as_checks
from fumehood.jail.report import Mechanism
from fumehood.observing import Observer, Subscription, as_observers
from fumehood.policy import Limits, Policy
from fumehood.results import Execution


class _Unset:
    """Stands for an argument that was not given, so that None can be."""

    def __repr__(self) -> str:
        return "not given"


_UNSET: Final = _Unset()


class LocalPythonExecutor(PythonExecutor):
    """Runs cells on this machine and keeps their variables.

    `additional_authorized_imports` adds modules to the default list; a name that is not installed is an error here, a dangerous one
    warns. `max_print_outputs_length` bounds what is kept of printed output, `timeout_seconds` each cell (None for no limit). An explicit
    `policy` or `limits` that says something else than one of these is an error.

    isolation="jail" runs code in a jailed process; if that cannot be had, JailUnavailable is raised and nothing runs.
    isolation="inline" runs it in this process under the rules of the language alone. It cannot stop one long C call, it limits no memory,
    native libraries can be made to read and write the process's memory, and finalizers may run after a cell: `report()` says it in full.

    on_fault="rollback": after a cell that ran out of time or memory, crashed, was killed or printed without end, variables and files are
    as they were before it, and `Execution.rolled_back` says so. on_error="rollback" does the same for every exception. In the jail only;
    it costs a copy of the process for each cell, a few milliseconds. What left the sandbox, the calls of tools, is not undone. `keep` is
    how many snapshots are kept before the oldest is discarded; without it one too many is an error.

    `audit` is an observer, or several, that are told all that happens (events.py): an AuditLog, or a function that takes an event.
    `validators` look at what a cell gives out before anybody sees it (validation/).
    """

    def __init__(
        self,
        additional_authorized_imports: Iterable[str] = (),
        max_print_outputs_length: int | None = None,
        *,
        timeout_seconds: float | _Unset | None = _UNSET,
        policy: Policy | None = None,
        limits: Limits | None = None,
        isolation: Literal["jail", "inline"] = "jail",
        on_fault: Literal["rollback", "keep"] = "rollback",
        on_error: Literal["rollback", "keep"] = "keep",
        keep: int | None = None,
        additional_functions: Mapping[str, Callable[..., Any]] | None = None,
        on_output: Callable[[str], Any] | None = None,
        audit: Observer | Iterable[Observer] | None = None,
        validators: Iterable[Any] | OutputChecks = (),
    ) -> None:
        for name, value in (("on_fault", on_fault), ("on_error", on_error)):
            if value not in ("rollback", "keep"):
                raise PolicyError(f"{name} must be 'rollback' or 'keep', not {value!r}")
        if keep is not None and (type(keep) is not int or keep < 1):
            raise PolicyError(f"keep must be a whole number of at least 1 or None, not {keep!r}")
        if isolation not in ("jail", "inline"):
            raise PolicyError(f"isolation must be 'jail' or 'inline', not {isolation!r}")
        if isolation == "inline" and on_error == "rollback":
            raise PolicyError("on_error='rollback' needs a process of the code's own; isolation='inline' has none")
        self.policy = merged_policy(additional_authorized_imports, max_print_outputs_length, timeout_seconds, policy, limits)
        self.policy.verify(stacklevel=2)
        if isolation == "inline":
            for needs, what in (
                (self.policy.files, "files=True"),
                (self.policy.mounts, "mounts"),
                (self.policy.language == "off", "language='off'"),
                (self.policy.clock is not None, "clock"),
            ):
                if needs:
                    raise PolicyError(f"{what} needs the jail; isolation='inline' has none")
        self.on_fault, self.on_error = on_fault, on_error
        self.max_print_outputs_length = self.policy.limits.output_characters
        self.additional_authorized_imports = list(self.policy.imports)
        self.authorized_imports = list(self.policy.authorized_imports)
        self.static_tools: dict[str, Any] | None = None
        self._worker: InlineWorker | JailedWorker
        self._state: MutableMapping[str, Any]
        trail = Trail(isolation, self.policy, {"on_fault": on_fault, "on_error": on_error}, checks=as_checks(validators))
        for observer in as_observers(audit):
            trail.observe(Subscription(observer))
        if isolation == "inline":
            inline = self._worker = InlineWorker(self.policy, on_output, trail=trail)
            self._state = inline.state
        else:
            undoes = frozenset(what for what, then in (("fault", on_fault), ("error", on_error)) if then == "rollback")
            jailed = self._worker = JailedWorker(self.policy, on_output, undoes=undoes, trail=trail)
            jailed.history.keep = keep
            self._state = RemoteState(jailed)
        if additional_functions:
            self._worker.add_tools(additional_functions)

    @property
    def trail(self) -> Trail:
        return self._worker.trail

    @property
    def state(self) -> MutableMapping[str, Any]:
        """The code's variables: inline the dictionary itself, in the jail a mapping that fetches copies."""
        return self._state

    @property
    def on_output(self) -> Callable[[str], Any] | None:
        """What is called with each piece of text that code prints, as it comes."""
        return self._worker.on_output

    @on_output.setter
    def on_output(self, on_output: Callable[[str], Any] | None) -> None:
        self._worker.on_output = on_output

    @property
    def isolation(self) -> Literal["jail", "inline"]:
        return "inline" if isinstance(self._worker, InlineWorker) else "jail"

    @property
    def files(self) -> Files:
        """Files of /lab, the sandbox's own directory."""
        if isinstance(self._worker, InlineWorker):
            raise PolicyError("files needs the jail; isolation='inline' has none")
        return Files(self._worker, self.policy.limits.file_bytes)

    @property
    def custom_tools(self) -> dict[str, Any]:
        """The functions that code has defined."""
        if isinstance(self._state, RemoteState):
            return {name: self._state[name] for name in self._state.functions()}
        return {name: value for name, value in self._state.items() if isinstance(value, types.FunctionType)}

    def run(self, code: str) -> Execution:
        return self._worker.run(code)

    async def arun(self, code: str) -> Execution:
        """`run` without blocking the event loop. Asynchronous tools run on that loop. Cancelling stops the cell."""
        run = asyncio.ensure_future(asyncio.to_thread(self._worker.run, code, asyncio.get_running_loop()))
        try:
            return await asyncio.shield(run)
        except asyncio.CancelledError:
            self.interrupt()
            await asyncio.wait([run])
            raise

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        checked = check_variables(variables)
        if isinstance(self._state, RemoteState):
            self._state.send(checked)
        else:
            self._state.update(checked)
            self.trail.variables_sent(checked)

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make the host's functions callable from code. With them come the names of BASE_PYTHON_TOOLS, mathematics included."""
        given = {name: tool for name, tool in tools.items() if BASE_PYTHON_TOOLS.get(name) is not tool}
        for name in given:
            if not isinstance(name, str) or not name.isidentifier():
                raise PolicyError(f"a tool's name must be an identifier, not {name!r}")
        self._worker.add_tools(given, mathematics=True)
        self.static_tools = {**(self.static_tools or {}), **BASE_PYTHON_TOOLS, **tools}

    # -- branches -------------------------------------------------------------------------------------------------------------------

    def snapshot(self, label: str = "") -> Snapshot:
        """Keep variables, functions, modules and files as they are now, to go back to."""
        return self._branching("snapshot").snapshot(label)

    def restore(self, snapshot: Snapshot) -> None:
        """Be as it was at a snapshot, of this executor or of one that it was forked from or that was forked from it. The snapshot stays,
        and can be gone back to again."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"restore() takes a Snapshot, not {type(snapshot).__name__}")
        self._branching("restore").restore(snapshot)

    @overload
    def fork(self) -> LocalPythonExecutor: ...

    @overload
    def fork(self, n: int) -> list[LocalPythonExecutor]: ...

    def fork(self, n: int | None = None) -> LocalPythonExecutor | list[LocalPythonExecutor]:
        """Another executor that begins where this one is, or a list of `n`. From then on they have nothing in common: each has variables,
        files and random numbers of its own. Each is to be closed by itself."""
        if n is not None and (type(n) is not int or n < 0):
            raise ValueError(f"fork() takes a number of executors, not {n!r}")
        made = [self._beside(worker) for worker in self._branching("fork").fork(1 if n is None else n)]
        return made[0] if n is None else made

    def history(self) -> History:
        """The snapshots, as a tree. `print` draws it."""
        return self._branching("history").history

    def _branching(self, what: str) -> JailedWorker:
        if isinstance(self._worker, InlineWorker):
            raise PolicyError(f"{what}() needs a process of the code's own; isolation='inline' has none")
        return self._worker

    def _beside(self, worker: JailedWorker) -> LocalPythonExecutor:
        other = copy.copy(self)
        other._worker = worker
        other._state = RemoteState(worker)
        other.static_tools = None if self.static_tools is None else dict(self.static_tools)
        return other

    def save(self, path: str | os.PathLike[str]) -> SavedState:
        """Write the variables to a file that `load` reads, here or on another machine. `not_saved` has what is not in it, with reasons."""
        if isinstance(self._worker, InlineWorker):
            raise PolicyError("saving needs the jail; isolation='inline' has none")
        return durable.save(self._worker, self.policy, path)

    def interrupt(self) -> bool:
        return self._worker.interrupt()

    def mechanisms(self) -> tuple[Mechanism, ...]:
        """What isolates the code here, and what does not: nothing, inline."""
        return () if isinstance(self._worker, InlineWorker) else self._worker.mechanisms()

    def report(self) -> str:
        return self._worker.report()

    def close(self) -> None:
        self._worker.close()


def merged_policy(
    imports: Iterable[str], output_characters: int | None, seconds: float | _Unset | None, policy: Policy | None, limits: Limits | None
) -> Policy:
    """One policy from all the ways to say it; two that contradict each other are an error."""
    if policy is not None and not isinstance(policy, Policy):
        raise PolicyError(f"policy must be a Policy, not {policy!r}")
    if policy is not None and limits is not None and limits != policy.limits:
        raise PolicyError("limits and policy.limits differ: give one of them")
    merged = limits or (policy.limits if policy else Limits())
    explicit = policy is not None or limits is not None
    for field, name, value in (
        ("output_characters", "max_print_outputs_length", _UNSET if output_characters is None else output_characters),
        ("cell_seconds", "timeout_seconds", seconds),
    ):
        if isinstance(value, _Unset):
            continue
        if explicit and getattr(merged, field) != value:
            raise PolicyError(f"{name}={value!r} contradicts {field}={getattr(merged, field)!r} of the limits given")
        changes: dict[str, Any] = {field: value}
        merged = replace(merged, **changes)
    wanted = Policy(imports=imports)  # type: ignore[arg-type]  # checks the names
    if policy is None:
        return replace(wanted, limits=merged)
    if wanted.imports and set(wanted.imports) != set(policy.imports):
        raise PolicyError("additional_authorized_imports and policy.imports differ: give one of them")
    return replace(policy, limits=merged)


def check_variables(variables: Mapping[str, Any]) -> dict[str, Any]:
    """Variables under names that code can use."""
    for name in variables:
        if type(name) is not str or not name.isidentifier() or name.startswith("__"):
            raise PolicyError(f"a variable's name must be an identifier without leading double underscore, not {name!r}")
    return dict(variables)
