"""What an executor tells of its session: events, for whoever observes it. Nobody does, usually, and
then nothing is made."""

from __future__ import annotations

import contextlib
import itertools
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import fumehood
from fumehood import events, logs
from fumehood.observing import EVERYBODY, RUN, Audience, Subscription, is_surrounded, surroundings
from fumehood.policy import Policy
from fumehood.results import ErrorInfo, Execution
from fumehood.tools.describe import is_async
from fumehood.tools.failures import describe_failure
from fumehood.tools.shipping import runs_in_sandbox


class OutputChecks(Protocol):
    """What stands between a sandbox and everybody else, if anything does:
    validation/validation.py."""

    @property
    def holds(self) -> bool:
        """Whether nothing may be shown before it was checked."""

    def check(self, execution: Execution) -> Execution: ...

    def clean(self, value: Any) -> Any:
        """A value as it may be told."""


def as_checks(validators: Iterable[Any] | OutputChecks) -> OutputChecks | None:
    """Validators as they are given to an executor: a list of them, or a Validation made of one."""
    if isinstance(validators, (list, tuple)) and not validators:
        return None
    from fumehood.validation.validation import Validation  # late: most have none

    return validators if isinstance(validators, Validation) else Validation(validators)


class Trail:
    """The events of one session, in order."""

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
        self.audience = Audience(self._opening)
        self.checks = checks
        self.cell = 0
        """The number of the cell that runs, or of the last one."""
        self.place = place
        self._policy = policy
        self._options = options or {}
        self._parent = parent
        self._report: Callable[[], str] = str
        self._python = ""
        self._opened: events.SessionOpened | None = None
        self._calls = itertools.count(1)
        self._in_cell = False
        self._run = ""
        """On whose behalf the cell runs: what happens in it may be seen by other threads."""
        self._is_open = False

    @property
    def is_heard(self) -> bool:
        """As `audience.is_empty`, which is asked several times for each cell, but with fewer
        calls."""
        return bool(self.audience.members or EVERYBODY.members or logs.is_on())

    @property
    def holds_output(self) -> bool:
        return self.checks is not None and self.checks.holds

    def beside(self, *, begins: bool = False) -> Trail:
        """Another session's that begins where this one is, or where all do, with the same
        observers."""
        other = Trail(
            self.place, self._policy, self._options, checks=self.checks, parent=self.session
        )
        other.cell = 0 if begins else self.cell
        for subscription in self.audience.members:
            other.audience.join(subscription)
        return other

    # -- the session

    def open(self, report: Callable[[], str], python: str | None = None) -> None:
        """The executor is there. `report` says what isolates it, when somebody wants to know;
        `python` is the version that runs code there, if it is another than the host's."""
        self._report = report
        self._python = python or platform.python_version()
        self._is_open = True
        if self.is_heard:
            opened = self._opening()
            assert opened is not None
            self.audience.tell(opened)

    def _opening(self) -> events.SessionOpened | None:
        """What an observer is told first, whenever it comes."""
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
            self._opened = None  # it is told how many cells it has missed
        self.audience.join(subscription)

    def close(self) -> None:
        if self._is_open and self.is_heard:
            self.tell(events.SessionClosed)
        self._is_open = False

    def dropped(self) -> None:
        """The executor is gone without having been closed. From a finalizer."""
        if self._is_open and self.is_heard:
            self.audience.tell_late(events.SessionClosed(at=time.time(), session=self.session))
        self._is_open = False

    def tell(self, kind: type[events.Event], **fields: Any) -> None:
        """Something has happened between cells, or in one."""
        if self.is_heard:
            cell, run = (self.cell, self._run) if self._in_cell else (0, RUN.get())
            self.audience.tell(
                kind(at=time.time(), session=self.session, cell=cell, run=run, **fields)
            )

    def tools_sent(self, tools: Mapping[str, Any], *, mathematics: bool) -> None:
        if self.is_heard:
            self.tell(
                events.ToolsSent,
                names=tuple(tools),
                asynchronous=tuple(name for name, tool in tools.items() if is_async(tool)),
                in_sandbox=tuple(name for name, tool in tools.items() if runs_in_sandbox(tool)),
                mathematics=mathematics,
            )

    def installed(
        self, packages: Mapping[str, str], modules: tuple[str, ...], policy: Policy
    ) -> None:
        """Packages are there, and what code may import is what the policy says now."""
        self._policy = policy
        self._opened = None
        self.tell(
            events.PackagesInstalled,
            packages=tuple(f"{name} {version}" for name, version in packages.items()),
            modules=modules,
        )

    def variables_sent(self, variables: dict[str, Any]) -> None:
        if self.is_heard:
            self.tell(events.VariablesSent, variables=self._cleaned_by_name(variables))

    def cleaned(self, value: Any) -> Any:
        """A value as it may be told; a text in its place if none of it may."""
        return value if self.checks is None else self.checks.clean(value)

    def cleaned_bytes(self, data: bytes) -> bytes:
        """The same of what a command has printed."""
        return str(self.cleaned(data.decode("utf-8", "replace"))).encode()

    def _cleaned_by_name(self, values: dict[str, Any]) -> dict[str, Any]:
        cleaned = self.cleaned(values)  # all at once: what a value is called says what it is
        return cleaned if isinstance(cleaned, dict) else dict.fromkeys(values, cleaned)

    def _cleaned_in_order(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        cleaned = self.cleaned(values)
        return cleaned if isinstance(cleaned, tuple) else (cleaned,) * len(values)

    def cleaned_error(self, error: BaseException) -> ErrorInfo:
        told = error_info(error)
        cleaned = self.cleaned(told)
        return (
            cleaned
            if isinstance(cleaned, ErrorInfo)
            else ErrorInfo(told.type, str(cleaned), str(cleaned))
        )

    # -- a cell

    def submitted(self, code: str) -> None:
        self.cell += 1
        self._in_cell = True
        if self.is_heard:
            self._run = RUN.get()
            self.audience.tell(
                events.CellSubmitted(
                    at=time.time(), session=self.session, cell=self.cell, run=self._run, code=code
                )
            )

    def streaming(self, on_output: Callable[[str], Any] | None) -> Callable[[str], Any] | None:
        """What is to be called with each piece of text as it is printed."""
        if self.holds_output:
            return None
        if not self.is_heard:
            return on_output

        def printed(text: str) -> None:
            self.tell(events.Printed, text=text)
            if on_output is not None:
                on_output(text)

        return printed

    def displayed(self, bundle: dict[str, str | bytes]) -> None:
        if self.is_heard and not self.holds_output:
            self.tell(events.Displayed, bundle=bundle)

    def finished(
        self, execution: Execution, on_output: Callable[[str], Any] | None = None
    ) -> Execution:
        """A cell is over. Gives its outcome as the caller may see it; `on_output` gets what could
        not be shown before it was checked."""
        if self.checks is not None:
            execution = self.checks.check(execution)
        heard = self.is_heard
        if heard and execution.findings:
            self.tell(events.OutputFlagged, findings=execution.findings)
        if self.holds_output:
            if execution.logs:
                self.tell(events.Printed, text=execution.logs)
                if on_output is not None:
                    on_output(execution.logs)
            for bundle in execution.displays:
                self.tell(events.Displayed, bundle=bundle)
        if heard:
            self.audience.tell(
                events.CellFinished(
                    at=time.time(),
                    session=self.session,
                    cell=self.cell,
                    run=self._run,
                    execution=execution,
                )
            )
        self._in_cell = False
        return execution

    def abandoned(self, error: BaseException) -> None:
        """A cell has no outcome: its caller was interrupted, or the sandbox failed."""
        if self._in_cell:
            self.tell(
                events.CellFinished, execution=Execution(error=error_info(error), fault="killed")
            )
            self._in_cell = False

    # -- tools

    def calling(
        self, tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> contextlib.AbstractContextManager[ToolCall | None]:
        """Around the run of a tool: `call.done(value, error)` is to be told what came of it."""
        if not (self.is_heard or is_surrounded()):
            return _NOTHING
        return self._calling(tool, args, kwargs)

    @contextlib.contextmanager
    def _calling(
        self, tool: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Iterator[ToolCall]:
        called = events.ToolCalled(
            at=time.time(),
            session=self.session,
            cell=self.cell,
            run=self._run or RUN.get(),
            call=next(self._calls),
            tool=tool,
            args=self._cleaned_in_order(args),
            kwargs=self._cleaned_by_name(kwargs),
        )
        self.audience.tell(called)
        with surroundings(called):
            call = ToolCall(self, called)
            try:
                yield call
            except BaseException as error:
                if not call.is_done:
                    call.done(None, error)
                raise


class ToolCall:
    """A tool that runs."""

    def __init__(self, trail: Trail, called: events.ToolCalled) -> None:
        self._trail = trail
        self._called = called
        self._began = time.perf_counter()
        self.is_done = False

    async def told(self, awaitable: Any) -> Any:
        """What an awaitable gives, or raises, told of."""
        try:
            result = await awaitable
        except BaseException as error:
            self.done(None, error)
            raise
        self.done(result)
        return result

    def done(self, value: Any, error: BaseException | None = None) -> None:
        self.is_done = True
        called, trail = self._called, self._trail
        trail.audience.tell(
            events.ToolReturned(
                at=time.time(),
                session=called.session,
                cell=called.cell,
                run=called.run,
                call=called.call,
                tool=called.tool,
                value=trail.cleaned(value),
                error=None if error is None else trail.cleaned_error(error),
                seconds=time.perf_counter() - self._began,
            )
        )


def error_info(error: BaseException) -> ErrorInfo:
    """An exception of the host's as it is told: what the sandbox would be told of it, and no
    more."""
    kind, _args, message = describe_failure(error)
    return ErrorInfo(kind, message, f"{kind}: {message}" if message else kind)


_NOTHING: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
