"""evaluate_python_code: one cell over a dictionary of variables, as a function."""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import contextvars
import inspect
import threading
import types
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from fumehood.default_imports import DEFAULT_IMPORTS
from fumehood.errors import SandboxFailed
from fumehood.executors.base import _as_error
from fumehood.executors.session_events import SessionEvents
from fumehood.language.guarded import access
from fumehood.language.guarded.modules import writing_to
from fumehood.language.guarded.rules import BUILTINS
from fumehood.language.guarded.session import MATHEMATICS
from fumehood.language.guarded.session import InlineSession as GuardedSession
from fumehood.policy import Limits, Policy
from fumehood.results import Execution
from fumehood.tools.arguments import checked
from fumehood.tools.describe import is_async
from fumehood.tools.failures import describe_failure

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


class InlineSession:
    """One session in this process, one cell at a time."""

    def __init__(
        self,
        policy: Policy,
        on_output: Callable[[str], Any] | None = None,
        *,
        events: SessionEvents | None = None,
    ) -> None:
        self.events = events or SessionEvents("inline", policy)
        self.on_output = on_output
        self._callback_error: Exception | None = None
        self._session = GuardedSession(policy, on_text=self._hand_on)
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._calls: list[str] = []
        self._context = contextvars.copy_context()
        self._closed = False
        self._stream: Callable[[str], Any] | None = None
        self.events.open(lambda: REPORT)

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
            self.events.cell += 1
            self._stream = self.events.begin(self.on_output)
            self.events.submitted(code)
            try:
                execution = replace(self._session.run(code), tool_calls=tuple(self._calls))
            except BaseException as ended_by:
                self.events.abandoned(ended_by)
                raise
            finally:
                self._owner = None
            self._stream = self.on_output
            execution = self.events.finished(execution, self._hand_on)
        self.state["_print_outputs"] = execution.logs
        if self._callback_error is not None:
            error, self._callback_error = self._callback_error, None
            raise error
        return execution

    def _hand_on(self, text: str) -> None:
        if self._stream is not None and self._callback_error is None:
            try:
                with writing_to(None):
                    self._stream(text)
            except Exception as error:
                self._callback_error = error  # the caller's own, raised when the cell is over

    @property
    def is_alive(self) -> bool:
        return not self._closed

    @property
    def is_busy(self) -> bool:
        return self._owner is not None

    identity = None

    def interrupt(self) -> bool:
        return self._session.interrupt()

    def close(self) -> None:
        with self._lock:
            was_closed, self._closed = self._closed, True
        if not was_closed:
            self.events.close()

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
            self.events.tools_sent(tools, mathematics=mathematics)

    def _in_host_context(self, name: str, tool: Any) -> Any:
        """Tools see the caller's context variables, code has an empty context; and they get what
        their type hints say or are not called."""
        if not callable(tool):
            return tool
        check = checked(tool, name)

        def use(*args: Any, **kwargs: Any) -> Any:
            with self.events.calling(name, args, kwargs) as call:
                given, named = check(args, kwargs)
                result = tool(*given, **named)
                if inspect.isawaitable(result):
                    result = _finish(result)
                if call is not None:
                    call.done(result)
                return result

        return lambda *args, **kwargs: self._context.copy().run(use, *args, **kwargs)

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


def _finish(awaitable: Any) -> Any:
    """The result of an asynchronous tool, awaited on a loop of its own: the cell's has no sockets,
    and the host's is not ours to run."""
    context = contextvars.copy_context()
    done: Future[Any] = Future()

    async def wait() -> Any:
        return await awaitable

    def work() -> None:
        try:
            done.set_result(context.run(asyncio.run, wait()))
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=work, name="fumehood-tool", daemon=True).start()
    return done.result()


def _fresh(error: Exception) -> Exception:
    name, args, message = describe_failure(error)
    if type(error).__module__ == "builtins":
        with contextlib.suppress(Exception):
            return type(error)(*args)
    return RuntimeError(f"{name}: {message}")


BASE_PYTHON_TOOLS: dict[str, Any] = {
    **{
        name: getattr(builtins, name)
        for name, row in BUILTINS.items()
        if row.verdict == "plain" and not name.startswith("__")
    },
    **access.BUILTINS,
    **MATHEMATICS,
    "print": print,
}
"""What code may call without a tool being sent: builtins, in their guarded versions where they have
one, and mathematics."""


def evaluate_python_code(
    code: str,
    static_tools: dict[str, Any] | None = None,
    custom_tools: dict[str, Any] | None = None,
    state: dict[str, Any] | None = None,
    authorized_imports: Iterable[str] = tuple(DEFAULT_IMPORTS),
    max_print_outputs_length: int | None = None,
    timeout_seconds: float | None = 30.0,
) -> tuple[Any, bool]:
    """Run code inline and give `(value, is_final_answer)`; raises InterpreterError kinds for what
    the code did.

    `state` is read and written: variables stay in it, and the logs are in
    `state["_print_outputs"]`. Functions that the code defines are put into `custom_tools` too. Of a
    module in the default list `authorized_imports` gives what the default list gives of it.
    """
    state = {} if state is None else state
    imports = [*authorized_imports]
    limits = Limits(cell_seconds=timeout_seconds)
    if max_print_outputs_length is not None:
        limits = replace(limits, output_characters=max_print_outputs_length)
    policy = Policy(
        imports=tuple(name for name in imports if name not in DEFAULT_IMPORTS),
        limits=limits,
        defaults=tuple(name for name in imports if name in DEFAULT_IMPORTS),
    )
    policy.verify(stacklevel=2)
    session = GuardedSession(policy, state)
    tools = {
        name: make_stub(name, tool) if callable(tool) else tool
        for name, tool in (static_tools or {}).items()
        if BASE_PYTHON_TOOLS.get(name) is not tool
    }
    if static_tools is not None:
        session.add_tools(MATHEMATICS)
    if "final_answer" in tools:
        session.on_final_answer = tools.pop("final_answer")
    tools |= {name: tool for name, tool in (custom_tools or {}).items() if name not in state}
    session.add_tools(tools)
    execution = session.run(code)
    state["_print_outputs"] = execution.logs
    if custom_tools is not None:
        custom_tools.update(
            {name: value for name, value in state.items() if isinstance(value, types.FunctionType)}
        )
    if execution.error is not None:
        raise _as_error(execution)
    return execution.value, execution.is_final_answer
