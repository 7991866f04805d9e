"""Running code: cells of the sandbox's own process and of contexts beside it, each streamed as it
happens."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import Response

from fumehood.errors import FumehoodError
from fumehood.results import ErrorInfo, Execution
from fumehood.server.calls import read_body
from fumehood.server.e2b import doors, paths, pip_lines, results, shapes
from fumehood.server.e2b.answers import answer, spoken
from fumehood.server.e2b.state import State, state_of
from fumehood.server.e2b.streams import AT_ONCE_SECONDS, SILENCE_SECONDS, Pipe, Streaming, Unread
from fumehood.server.refusals import Invalid, NotFound, Refusal
from fumehood.server.sandbox import Context, Sandbox

if TYPE_CHECKING:
    from fumehood.server.server import Server

DEFAULT: Final = "default"
"""The context that code runs in when none is named: the sandbox's own process."""
_AGAIN_SECONDS: Final = 0.05


@dataclass
class Notebook:
    """What a context is to whoever runs code: the sandbox's own process, or one beside it."""

    id: str
    place: Sandbox | Context
    environment: dict[str, str]

    @property
    def executor(self) -> Any:
        return self.place.executor

    def count(self) -> int:
        self.place.cells += 1
        return self.place.cells


def _notebook(sandbox: Sandbox, context_id: str | None) -> Notebook:
    if context_id in (None, "", DEFAULT):
        return Notebook(DEFAULT, sandbox, sandbox.environment)
    try:
        return Notebook(str(context_id), sandbox.context(str(context_id)), sandbox.environment)
    except NotFound:
        raise NotFound(f"there is no context {context_id!r}, or not any more") from None


def _must_be_python(language: str | None) -> None:
    if language and language.lower() not in ("python", "python3", "py"):
        raise Invalid(
            f"code in {language!r} cannot be run here: sandboxes of this server run Python"
        )


# -- cells


async def execute(server: Server, request: Request) -> Response:
    sandbox = doors.sandbox_of(server, request, notebook=True)
    wanted = shapes.read(shapes.Execute, await read_body(request, server.settings.body_bytes))
    _must_be_python(wanted.language)
    notebook = _notebook(sandbox, wanted.context_id)
    cell = _Cell(server, state_of(sandbox), notebook, wanted, Pipe(asyncio.get_running_loop()))
    return Streaming(cell.lines(), "application/jsonl", cell.leave, pipe=cell.pipe, refused=spoken)


class _Cell:
    """One cell on its way. It tells, in the thread that runs it, what is printed and displayed."""

    def __init__(
        self, server: Server, state: State, notebook: Notebook, wanted: shapes.Execute, pipe: Pipe
    ) -> None:
        self._server = server
        self._state = state
        self._notebook = notebook
        self._wanted = wanted
        self.pipe = pipe
        self._lock = threading.Lock()
        self._is_running = False
        self._is_left = self._is_told = False
        self._held = b""
        """What is said with the next thing that is: an answer in few pieces is a quick one."""
        self._running: asyncio.Task[None] | None = None

    async def lines(self) -> AsyncIterator[bytes]:
        running = self._running = asyncio.ensure_future(self._notebook.place.do(self._run))
        running.add_done_callback(lambda _: self.pipe.end())
        patience = AT_ONCE_SECONDS
        while (piece := await self.pipe.take(patience)) is not None:
            yield piece or (
                results.line("keepalive")
                if self._is_running and patience == SILENCE_SECONDS
                else b""
            )
            patience = SILENCE_SECONDS
        if not self._is_told:
            await running  # what went wrong before it began is a status of its own

    # -- in a thread

    def _run(self) -> None:
        with self._lock:
            if self._is_left:
                return
            self._is_running = True
        try:
            execution = self._ran()
        except Unread:
            return
        finally:
            with self._lock:
                self._is_running = False
        self._state.ran(execution)
        outcome = execution.fault or ("ok" if execution.ok else "error")
        self._server.metrics.cell(outcome, execution.usage.wall_seconds)
        with contextlib.suppress(Unread):
            if execution.error is not None:
                self._held += results.error(execution.error)
            self._is_told = True
            self._say(results.line("end_of_execution"), tells=False)

    def _say(self, line: bytes, *, tells: bool = True) -> None:
        held, self._held = self._held, b""
        self.pipe.put(held + line, tells=tells)

    def _ran(self) -> Execution:
        executor, own = self._notebook.executor, self._wanted.env_vars
        self._held = results.line("number_of_executions", execution_count=self._notebook.count())
        code = self._wanted.code
        lines = pip_lines.of_cell(code)
        if lines is not None:
            return pip_lines.run(executor, self._notebook.place, lines, self.printed)
        if not own:
            return _as_execution(lambda: executor.run_as_notebook(code, self))
        executor.set_environment(own)
        try:
            return _as_execution(lambda: executor.run_as_notebook(code, self))
        finally:
            with contextlib.suppress(FumehoodError):  # it died, and the next begins without them
                executor.set_environment(
                    {name: self._notebook.environment.get(name) for name in own}
                )

    def printed(self, stream: Any, text: str) -> None:
        self._say(results.printed(stream, text))

    def displayed(self, bundle: dict[str, str | bytes], is_value: bool) -> None:
        if is_value:  # soon followed by the end
            self._held += results.result(bundle, is_value)
        else:
            self._say(results.result(bundle, is_value))

    # -- a client that leaves

    def leave(self) -> None:
        """The client is gone: a cell that waits is not begun, and one that runs is interrupted."""
        with self._lock:
            self._is_left = True
        self.pipe.leave()
        if self._running is not None and not self._running.done():
            self._running.add_done_callback(_look_at)
            asyncio.ensure_future(self._interrupt()).add_done_callback(_look_at)

    async def _interrupt(self) -> None:
        while self._running is not None and not self._running.done():
            with self._lock:
                if self._is_running:
                    # False while the cell is only about to begin
                    self._notebook.executor.interrupt()
            await asyncio.sleep(_AGAIN_SECONDS)


def _look_at(task: asyncio.Future[Any]) -> None:
    """Nobody else will."""
    if not task.cancelled():
        task.exception()


def _as_execution(run: Callable[[], Execution]) -> Execution:
    """A sandbox that fails while it runs a cell is told of as the cell's error: the answer has
    begun."""
    try:
        return run()
    except FumehoodError as failed:
        text = str(failed).splitlines()[0] if str(failed) else type(failed).__name__
        return Execution(
            error=ErrorInfo(type(failed).__name__, text, f"{type(failed).__name__}: {text}"),
            fault="crash",
        )


# -- contexts


def _shape(state: State, context_id: str) -> shapes.ContextShape:
    return shapes.ContextShape(context_id, "python", state.directories.get(context_id, paths.HOME))


async def create_context(server: Server, request: Request) -> Response:
    sandbox = doors.sandbox_of(server, request, notebook=True)
    wanted = shapes.read(shapes.NewContext, await read_body(request, server.settings.body_bytes))
    _must_be_python(wanted.language)
    directory = paths.directory(wanted.cwd)
    context = await sandbox.add_context()
    state = state_of(sandbox)
    if directory != paths.HOME:
        try:
            await _work_in(context, directory)
        except BaseException:
            await sandbox.close_context(context.id)
            raise
        state.directories[context.id] = directory
    return answer(_shape(state, context.id))


async def _work_in(context: Context, directory: str) -> None:
    """Have a context's code begin in another directory than home."""
    if context.executor.policy.language == "guarded":
        raise Invalid(
            f"contexts of this key's sandboxes work in {paths.HOME}; cwd cannot be {directory!r}"
        )
    execution = await context.do(context.executor.run, f"__import__('os').chdir({directory!r})")
    if execution.error is not None:
        raise Invalid(f"cwd: {execution.error.message.splitlines()[0][:300]}")


async def list_contexts(server: Server, request: Request) -> Response:
    sandbox = doors.sandbox_of(server, request, notebook=True)
    state = state_of(sandbox)
    return answer([_shape(state, context_id) for context_id in (DEFAULT, *sandbox.contexts)])


async def remove_context(server: Server, request: Request) -> Response:
    sandbox = doors.sandbox_of(server, request, notebook=True)
    context_id = request.path_params["context_id"]
    if context_id == DEFAULT:
        raise Invalid("the default context cannot be removed; restart it, or end the sandbox")
    _notebook(sandbox, context_id).executor.interrupt()
    await sandbox.close_context(context_id)
    state_of(sandbox).directories.pop(context_id, None)
    return Response(status_code=204)


async def restart_context(server: Server, request: Request) -> Response:
    sandbox = doors.sandbox_of(server, request, notebook=True)
    notebook = _notebook(sandbox, request.path_params["context_id"])
    place, old = notebook.place, notebook.executor
    old.interrupt()

    def renew() -> Any:
        fresh = old.beside()
        if notebook.environment:
            fresh.set_environment(notebook.environment)
        return fresh

    place.executor = await place.do(renew)
    place.cells = 0
    await sandbox.aside(old.close)
    directory = state_of(sandbox).directories.get(notebook.id)
    if directory is not None and isinstance(place, Context):
        with contextlib.suppress(Refusal):  # it may be gone
            await _work_in(place, directory)
    return Response(status_code=204)
