"""The events of one session, for its observers. Without observers, no event is made."""

from __future__ import annotations

import contextlib
import itertools
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import fumehood
from fumehood import events
from fumehood.observing import RUN, Subscribers, Subscription, has_contexts, in_contexts
from fumehood.policy import Policy
from fumehood.results import ErrorInfo, Execution
from fumehood.tools.describe import is_async
from fumehood.tools.failures import describe_failure
from fumehood.tools.shipping import runs_in_sandbox

OnText = Callable[[str], Any]


class OutputChecks(Protocol):
    """Validators of what leaves a sandbox: validation/validation.py."""

    @property
    def holds(self) -> bool:
        """Whether nothing may be shown before it was checked."""

    def check(self, execution: Execution) -> Execution: ...

    def clean(self, value: Any) -> Any:
        """A value as observers may see it."""


def as_checks(validators: Iterable[Any] | OutputChecks) -> OutputChecks | None:
    """The argument `validators` of an executor: a list of them, or a Validation made of one."""
    if isinstance(validators, (list, tuple)) and not validators:
        return None
    from fumehood.validation.validation import Validation  # late: most have none

    return validators if isinstance(validators, Validation) else Validation(validators)


class SessionEvents:
    """Emits the events of one session, in order."""

    def __init__(
        self,
        place: str,
        policy: Policy,
        options: dict[str, Any] | None = None,
        *,
        checks: OutputChecks | None = None,
        parent: str = "",
    ) -> None:
        self.session = os.urandom(6).hex()
        self.subscribers = Subscribers(self._opening)
        self.checks = checks
        self.cell = 0
        """The number of the cell that runs, or of the last one."""
        self.place = place
        self.in_cell = False
        """Whether a cell runs that has observers or whose output is checked."""
        self._policy = policy
        self._options = options or {}
        self._parent = parent
        self._report: Callable[[], str] = str
        self._python = ""
        self._opened: events.SessionOpened | None = None
        self._calls = itertools.count(1)
        self._run = ""
        """The agent run that the cell belongs to. Other threads emit events of the cell, too."""
        self._is_open = False

    @property
    def holds_output(self) -> bool:
        return self.checks is not None and self.checks.holds

    def derived(self, *, begins: bool = False) -> SessionEvents:
        """The events of a session that was made from this one, with the same observers. With
        `begins`, its cells are counted from the beginning."""
        other = SessionEvents(
            self.place, self._policy, self._options, checks=self.checks, parent=self.session
        )
        other.cell = 0 if begins else self.cell
        for subscription in self.subscribers.members:
            other.subscribers.join(subscription)
        return other

    # -- the session

    def open(self, report: Callable[[], str], python: str | None = None) -> None:
        """The session has begun. `report` describes its isolation; `python` is the version that
        runs code, if it is not the host's."""
        self._report = report
        self._python = python or platform.python_version()
        self._is_open = True
        if not self.subscribers.is_empty:
            opened = self._opening()
            assert opened is not None
            self.subscribers.emit(opened)

    def _opening(self) -> events.SessionOpened | None:
        """The first event that each observer receives."""
        if not self._is_open:
            return None
        if self._opened is None:
            self._opened = events.SessionOpened(
                at=time.time(),
                session=self.session,
                run=RUN.get(),
                place=self.place,
                policy=self._policy.as_fields(),
                report=self._report(),
                options={**self._options, "redacts": self.holds_output},
                python=self._python,
                fumehood=fumehood.__version__,
                parent=self._parent,
                cells=self.cell,
            )
        return self._opened

    def observe(self, subscription: Subscription) -> None:
        if self._opened is None or self._opened.cells != self.cell:
            self._opened = None  # the next says how many cells have run
        self.subscribers.join(subscription)

    def close(self) -> None:
        if self._is_open:
            self.emit(events.SessionClosed)
        self._is_open = False

    def dropped(self) -> None:
        """The executor was dropped without being closed. Called by a finalizer."""
        if self._is_open and not self.subscribers.is_empty:
            self.subscribers.emit_late(events.SessionClosed(at=time.time(), session=self.session))
        self._is_open = False

    def emit(self, kind: type[events.Event], **fields: Any) -> None:
        """Emit an event, between cells or in one."""
        if not self.subscribers.is_empty:
            cell, run = (self.cell, self._run) if self.in_cell else (0, RUN.get())
            self.subscribers.emit(
                kind(at=time.time(), session=self.session, cell=cell, run=run, **fields)
            )

    def tools_sent(self, tools: Mapping[str, Any], *, mathematics: bool) -> None:
        if not self.subscribers.is_empty:
            self.emit(
                events.ToolsSent,
                names=tuple(tools),
                asynchronous=tuple(name for name, tool in tools.items() if is_async(tool)),
                in_sandbox=tuple(name for name, tool in tools.items() if runs_in_sandbox(tool)),
                mathematics=mathematics,
            )

    def installed(
        self, packages: Mapping[str, str], modules: tuple[str, ...], policy: Policy
    ) -> None:
        """Packages were installed, and `policy` is the policy from now on."""
        self._policy = policy
        self._opened = None
        self.emit(
            events.PackagesInstalled,
            packages=tuple(f"{name} {version}" for name, version in packages.items()),
            modules=modules,
        )

    def variables_sent(self, variables: dict[str, Any]) -> None:
        if not self.subscribers.is_empty:
            self.emit(events.VariablesSent, variables=self._cleaned_by_name(variables))

    def cleaned(self, value: Any) -> Any:
        """A value as observers may see it; a text in its place if they may see none of it."""
        return value if self.checks is None else self.checks.clean(value)

    def cleaned_bytes(self, data: bytes) -> bytes:
        """The same for the output of a command."""
        return str(self.cleaned(data.decode("utf-8", "replace"))).encode()

    def _cleaned_by_name(self, values: dict[str, Any]) -> dict[str, Any]:
        cleaned = self.cleaned(values)  # all at once: the name of a value says what it is
        return cleaned if isinstance(cleaned, dict) else dict.fromkeys(values, cleaned)

    def _cleaned_in_order(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        cleaned = self.cleaned(values)
        return cleaned if isinstance(cleaned, tuple) else (cleaned,) * len(values)

    def cleaned_error(self, error: BaseException) -> ErrorInfo:
        info = error_info(error)
        cleaned = self.cleaned(info)
        if isinstance(cleaned, ErrorInfo):
            return cleaned
        return ErrorInfo(info.type, str(cleaned), str(cleaned))

    # -- a cell

    def begin(self, on_output: OnText | None) -> OnText | None:
        """A cell with observers or checks begins. Returns the function that receives its output as
        it is printed."""
        self.in_cell = True
        if self.checks is not None and self.checks.holds:
            return None
        if self.subscribers.is_empty:
            return on_output
        self._run = RUN.get()

        def printed(text: str) -> None:
            self.emit(events.Printed, text=text)
            if on_output is not None:
                on_output(text)

        return printed

    def submitted(self, code: str) -> None:
        if not self.subscribers.is_empty:
            self._run = RUN.get()
            self.emit(events.CellSubmitted, code=code)

    def displayed(self, bundle: dict[str, str | bytes]) -> None:
        if not self.holds_output:
            self.emit(events.Displayed, bundle=bundle)

    def finished(self, execution: Execution, on_output: OnText | None = None) -> Execution:
        """A cell has ended. Returns its result as the caller may see it; `on_output` receives the
        output that had to be checked first."""
        if self.checks is not None:
            execution = self.checks.check(execution)
        if execution.findings:
            self.emit(events.OutputFlagged, findings=execution.findings)
        if self.holds_output:
            if execution.logs:
                self.emit(events.Printed, text=execution.logs)
                if on_output is not None:
                    on_output(execution.logs)
            for bundle in execution.displays:
                self.emit(events.Displayed, bundle=bundle)
        self.emit(events.CellFinished, execution=execution)
        self.in_cell = False
        return execution

    def abandoned(self, error: BaseException) -> None:
        """A cell has no result: its caller was interrupted, or the sandbox failed."""
        if self.in_cell:
            self.emit(
                events.CellFinished, execution=Execution(error=error_info(error), fault="killed")
            )
            self.in_cell = False

    # -- tools

    def calling(
        self, tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> contextlib.AbstractContextManager[ToolCall | None]:
        """A context around the run of a tool. `call.done(value, error)` records the result."""
        if self.subscribers.is_empty and not has_contexts():
            return _NOTHING
        return self._calling(tool, args, kwargs)

    @contextlib.contextmanager
    def _calling(
        self, tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Iterator[ToolCall]:
        fields: dict[str, Any] = {
            "session": self.session,
            "cell": self.cell,
            "run": self._run or RUN.get(),
            "call": next(self._calls),
            "tool": tool,
        }
        called = events.ToolCalled(
            at=time.time(),
            **fields,
            args=self._cleaned_in_order(args),
            kwargs=self._cleaned_by_name(kwargs),
        )
        self.subscribers.emit(called)
        with in_contexts(called):
            call = ToolCall(self, fields)
            try:
                yield call
            except BaseException as error:
                if not call.is_done:
                    call.done(None, error)
                raise


class ToolCall:
    """A tool that runs."""

    def __init__(self, session_events: SessionEvents, fields: dict[str, Any]) -> None:
        """`fields` are those that its events have in common."""
        self._events, self._fields = session_events, fields
        self._began = time.perf_counter()
        self.is_done = False

    async def record(self, awaitable: Any) -> Any:
        """The result of an awaitable, recorded."""
        try:
            result = await awaitable
        except BaseException as error:
            self.done(None, error)
            raise
        self.done(result)
        return result

    def done(self, value: Any, error: BaseException | None = None) -> None:
        self.is_done = True
        own = self._events
        own.subscribers.emit(
            events.ToolReturned(
                at=time.time(),
                **self._fields,
                value=own.cleaned(value),
                error=None if error is None else own.cleaned_error(error),
                seconds=time.perf_counter() - self._began,
            )
        )


def error_info(error: BaseException) -> ErrorInfo:
    """An exception of the host as observers see it: what the sandbox would see, and no more."""
    kind, _args, message = describe_failure(error)
    return ErrorInfo(kind, message, f"{kind}: {message}" if message else kind)


_NOTHING: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
