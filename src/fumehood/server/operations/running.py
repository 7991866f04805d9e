"""Running code in a sandbox, and the variables it has."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from fumehood.asked import shown
from fumehood.errors import PolicyError
from fumehood.executors.commands import HOME, CommandResult
from fumehood.executors.local import LocalPythonExecutor
from fumehood.results import ErrorInfo, Execution
from fumehood.server import outcomes, shapes
from fumehood.server.calls import Call
from fumehood.server.refusals import Forbidden, Invalid, NotAcceptable, NotFound
from fumehood.server.sandboxes import Context, Sandbox
from fumehood.wire.show import clean_text

_ENCODER = msgspec.json.Encoder()

# A package's name, with a version if that matters. No dots in a name, where `-` means the same, so
# that it cannot be the name of a file: a wheel on the server's machine is not the client's to name.
_PACKAGE = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9_-]*(\[[A-Za-z0-9,_-]+\])?( ?(==|>=|<=|!=|~=|<|>)"
    r" ?[A-Za-z0-9.*+!-]*[A-Za-z0-9*],?)*"
)


class Alarm:
    """Interrupts a cell that runs longer than it was given. It rings on the event loop, which also
    begins the next cell of the same executor: so it cannot ring for that."""

    def __init__(self, executor: LocalPythonExecutor, seconds: float) -> None:
        self._executor = executor
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._is_over = False
        self._has_rung = False

    def run(self, code: str) -> Execution:
        """From the thread that runs the cell."""
        self._loop.call_soon_threadsafe(self._loop.call_later, self._seconds, self._ring)
        try:
            execution = self._executor.run(code)
        finally:
            self._is_over = True
        if not self._has_rung or execution.fault != "killed":
            return execution
        message = f"the cell ran longer than the {self._seconds:g} seconds that it was given"
        return replace(
            execution,
            fault="timeout",
            error=ErrorInfo("TimeLimit", message, f"TimeLimit: {message}"),
        )

    def _ring(self) -> None:
        if not self._is_over:
            self._has_rung = (
                True  # before: the cell may be over, and be looked at, as soon as it is interrupted
            )
            self._executor.interrupt()


def executing(executor: LocalPythonExecutor, seconds: float | None) -> Callable[[str], Execution]:
    """What runs a cell, for so many seconds at most if that is less than it may run anyway. To be
    called on the event loop."""
    most = executor.policy.limits.cell_seconds
    return (
        executor.run
        if seconds is None or most is not None and seconds >= most
        else Alarm(executor, seconds).run
    )


async def run(call: Call) -> Any:
    body: shapes.Run = call.body
    accepts = call.request.headers.get("accept", "")
    if "text/event-stream" in accepts:
        if call.server.live is None:
            raise NotAcceptable("this server streams no events; accept application/json")
        return await call.server.live.stream(call)
    place = call.place(body.context)
    execute = executing(place.executor, body.timeout_seconds)
    metrics = call.server.metrics

    def work() -> bytes:
        execution = execute(body.code)
        metrics.cell(outcomes.outcome(execution), execution.usage.wall_seconds)
        return _ENCODER.encode(outcomes.ran(execution))

    answer = await place.do(work)
    place.cells += 1
    return answer


async def interrupt(call: Call) -> shapes.Interrupted:
    return shapes.Interrupted(interrupted=call.place(call.query.context).executor.interrupt())


async def names(call: Call) -> shapes.Names:
    place = call.place(call.query.context)
    found: list[str] = await place.do(lambda: [*place.executor.state])
    return shapes.Names(names=[clean_text(name) for name in found])


async def get(call: Call) -> bytes:
    place, name = call.place(call.query.context), call.named("name")

    def work() -> bytes:
        value = place.executor.state[name]
        return _ENCODER.encode(
            shapes.Value(value=outcomes.typed(value), text=outcomes.text_of(value))
        )

    try:
        return await place.do(work)
    except KeyError:
        raise NotFound(f"there is no variable {shown(name)}") from None


async def put(call: Call) -> None:
    body: shapes.Variables = call.body
    await put_variables(call.place(body.context), body.variables)


async def put_variables(place: Sandbox | Context, variables: Mapping[str, Any]) -> None:
    """Set variables from typed JSON."""

    def work() -> None:
        place.executor.send_variables(
            {name: outcomes.value_of(value) for name, value in variables.items()}
        )

    try:
        await place.do(work)
    except (PolicyError, TypeError, ValueError) as error:
        raise Invalid(str(error)) from None


async def delete(call: Call) -> None:
    place, name = call.place(call.query.context), call.named("name")
    try:
        await place.do(place.executor.state.__delitem__, name)
    except KeyError:
        raise NotFound(f"there is no variable {shown(name)}") from None


async def install(call: Call) -> shapes.InstalledShape:
    if not call.key.may_install:
        raise Forbidden(
            "this key may not install packages; its operator can allow it (may_install)"
        )
    for package in call.body.packages:
        if not _PACKAGE.fullmatch(package):
            raise Invalid(
                f"{shown(package)} is no name of a package, with a version if that matters, such as"
                " humanize or humanize>=4"
            )
    installed = await call.do(call.sandbox.executor.install, *call.body.packages)
    call.sandbox.packages = (*call.sandbox.packages, *call.body.packages)
    return shapes.InstalledShape(packages=dict(installed.packages), modules=[*installed.modules])


async def command(call: Call) -> shapes.CommandDone:
    body: shapes.CommandLine = call.body

    options: dict[str, Any] = (
        {} if body.timeout_seconds is None else {"timeout": body.timeout_seconds}
    )

    def work() -> CommandResult:
        return call.sandbox.executor.commands.run(
            body.line, cwd=body.cwd or HOME, env=body.environment, **options
        )

    done = await call.sandbox.aside(work)
    return shapes.CommandDone(
        stdout=done.stdout,
        stderr=done.stderr,
        exit_code=done.exit_code,
        error=done.error and clean_text(done.error),
    )
