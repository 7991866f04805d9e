"""Running cells in the calling process: no process, no copy, no isolation. The guarded language is
a filter, not a boundary.

For code you trust, for tests, and for platforms without the jail. Objects pass by reference. What
this cannot stop is said in `REPORT`.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from fumehood.errors import SandboxFailed
from fumehood.executors.trail import Trail
from fumehood.language.guarded.builtins import MATHEMATICS
from fumehood.language.guarded.output import host_writes
from fumehood.language.guarded.session import InlineSession
from fumehood.policy import Policy
from fumehood.results import Execution
from fumehood.tools.arguments import checked
from fumehood.tools.describe import is_async

REPORT = """\
isolation: inline. The code runs in this process, behind the guarded language: a filter, not a security boundary.
filters: imports, attribute names, builtins and module contents are checked; assignments to attributes of library classes and
       functions are refused; Python code stops at the time limit; printed output is bounded. Code that sets out to bypass the checks
       can succeed.
does not stop: one long C call cannot be stopped (a huge power or sort, a C loop over an endless iterator); memory has no limit, and
       native libraries such as numpy can be made to read and write it at will; the interpreter itself can be crashed, by iterators
       nested very deeply or by recursion through C after sys.setrecursionlimit; finalizers (__del__) of objects that code leaves behind
       run later, outside any limit; an exception thrown at the time limit from a thread other than the main one does not end a blocking
       call; library state is shared with this process (numpy.random.seed, pandas options, dictionaries and objects in modules);
       pandas can be made to import any installed module, by naming it as a plotting backend.
       No rollback after a fault.
advice: for code you do not trust use the jail, a container or a remote sandbox."""  # noqa: E501


class InlineWorker:
    """One session in this process, one cell at a time."""

    def __init__(
        self,
        policy: Policy,
        on_output: Callable[[str], Any] | None = None,
        *,
        trail: Trail | None = None,
    ) -> None:
        self.trail = trail or Trail("inline", policy)
        self.on_output = on_output
        self._callback_error: Exception | None = None
        self._session = InlineSession(policy, on_text=self._hand_on)
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._calls: list[str] = []
        self._context = contextvars.copy_context()
        self._closed = False
        self._stream: Callable[[str], Any] | None = None
        self.trail.open(lambda: REPORT)

    @property
    def state(self) -> dict[str, Any]:
        return self._session.namespace

    def report(self) -> str:
        return REPORT

    def run(self, code: str, loop: asyncio.AbstractEventLoop | None = None) -> Execution:
        if self._owner == threading.get_ident():
            raise SandboxFailed(
                "this executor is running a cell already; a tool that runs code needs an executor"
                " of its own"
            )
        with self._lock:
            if self._closed:
                raise SandboxFailed("this executor is closed; make a new one")
            self._owner = threading.get_ident()
            self._calls = []
            self._context = contextvars.copy_context()
            self._stream = self.trail.streaming(self.on_output)
            self.trail.submitted(code)
            try:
                execution = replace(self._session.run(code), tool_calls=tuple(self._calls))
                self._session.tidy()
            except BaseException as ended_by:
                self.trail.abandoned(ended_by)
                raise
            finally:
                self._owner = None
            self._stream = self.on_output
            execution = self.trail.finished(execution, self._hand_on)
        self.state["_print_outputs"] = execution.logs
        if self._callback_error is not None:
            error, self._callback_error = self._callback_error, None
            raise error
        return execution

    def _hand_on(self, text: str) -> None:
        if self._stream is not None and self._callback_error is None:
            try:
                with host_writes():
                    self._stream(text)
            except Exception as error:
                self._callback_error = error  # the caller's own, raised when the cell is over

    def interrupt(self) -> bool:
        return self._session.interrupt()

    def close(self) -> None:
        with self._lock:
            was_closed, self._closed = self._closed, True
        if not was_closed:
            self.trail.close()

    def add_tools(self, tools: Mapping[str, Any], *, mathematics: bool = False) -> None:
        """`tools` are the host's and are wrapped; `mathematics` adds harmless functions that code
        gets as they are."""
        if mathematics:
            self._session.add_tools(MATHEMATICS)
        for name, tool in tools.items():
            stub = make_stub(name, self._in_host_context(name, tool), self._note_call, like=tool)
            if name == "final_answer":
                self._session.on_final_answer = stub
            else:
                self._session.add_tools({name: stub})
        if tools:
            self.trail.tools_sent(tools, mathematics=mathematics)

    def _in_host_context(self, name: str, tool: Any) -> Any:
        """Tools see the caller's context variables, code has an empty context; and they get what
        their type hints say or are not called."""
        if not callable(tool):
            return tool
        check = checked(tool, name)

        def told(*args: Any, **kwargs: Any) -> Any:
            with self.trail.calling(name, args, kwargs) as call:
                given, named = check(args, kwargs)
                result = tool(*given, **named)
                if call is None:
                    return result
                if inspect.isawaitable(result):
                    return call.told(result)
                call.done(result)
                return result

        async def told_later(*args: Any, **kwargs: Any) -> Any:
            with self.trail.calling(name, args, kwargs) as call:
                given, named = check(args, kwargs)
                result = tool(*given, **named)
                return await (result if call is None else call.told(result))

        def call(*args: Any, **kwargs: Any) -> Any:
            context = self._context.copy()
            result = context.run(told_later if is_async(tool) else told, *args, **kwargs)
            return _finish(result, context) if inspect.isawaitable(result) else result

        return call

    def _note_call(self, name: str) -> None:
        self._calls.append(name)


def make_stub(
    name: str, tool: Any, note: Callable[[str], None] = lambda name: None, like: Any = None
) -> Callable[..., Any]:
    """What code gets for a tool: a function with its name, signature and documentation, and nothing
    of the host's object.

    The tool is in the function's closure, which code cannot spell. An exception comes back as a
    fresh one with the same message: the original's attributes, context and traceback are the
    host's.
    """
    if not callable(tool):
        raise TypeError(f"tool {name!r} must be callable, not {type(tool).__name__}")

    def stub(*args: Any, **kwargs: Any) -> Any:
        note(name)
        try:
            return tool(*args, **kwargs)
        except Exception as error:
            fresh = _fresh(error)
        raise fresh

    async def aio(*args: Any, **kwargs: Any) -> Any:
        return waiting(*args, **kwargs)

    like = tool if like is None else like
    waiting = stub
    if is_async(like):

        def stub(*args: Any, **kwargs: Any) -> Any:
            """In a task it is awaited, as such a function is; elsewhere it waits."""
            loop = asyncio._get_running_loop()
            return (
                aio(*args, **kwargs)
                if loop is not None and asyncio.current_task(loop) is not None
                else waiting(*args, **kwargs)
            )

    stub.__name__ = stub.__qualname__ = name
    stub.__module__ = "tools"
    stub.__doc__ = (
        inspect.getdoc(like)
        if inspect.isroutine(like)
        else getattr(like, "description", None) or inspect.getdoc(like)
    )
    stub.aio = aio  # type: ignore[attr-defined]
    return stub


def _finish(awaitable: Any, context: contextvars.Context) -> Any:
    """The result of an asynchronous tool, awaited on a loop of its own: the cell's has no sockets,
    and the host's is not ours to run."""
    result: list[Any] = []
    failure: list[BaseException] = []

    async def wait() -> Any:
        return await awaitable

    def work() -> None:
        try:
            result.append(context.run(asyncio.run, wait()))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work, name="fumehood-tool", daemon=True)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return result[0]


def _fresh(error: Exception) -> Exception:
    kind = type(error)
    if kind.__module__ == "builtins" and _are_plain(error.args):
        try:
            return kind(*error.args)
        except Exception:
            pass
    message = (
        str(error)
        if _are_plain(error.args)
        else ", ".join(str(part) for part in error.args if _are_plain([part]))
    )
    return RuntimeError(f"{kind.__name__}: {message}")


def _are_plain(values: Iterable[Any]) -> bool:
    """Whether values say nothing of the host but themselves: the text of any other object may hold
    anything."""
    return all(type(value) in (str, bytes, int, float, bool, type(None)) for value in values)
