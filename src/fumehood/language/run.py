"""A session: variables that persist from cell to cell, and how a cell runs among them.

    text → split and compile → check imports → run in __main__ → Outcome

Cells run in a real module `__main__` with the real builtins. Tools are builtins too, so that
variables of the code hide them.
"""

from __future__ import annotations

import builtins
import concurrent.futures.thread
import io
import linecache
import os
import random
import selectors
import sys
import threading
import types
from collections.abc import Callable, Collection, Mapping
from time import perf_counter_ns, thread_time_ns  # by name: code may replace them
from typing import Any

from fumehood.errors import CellStopped, FinalAnswerException, Forbidden
from fumehood.language import magics
from fumehood.language.faults import fault_of
from fumehood.language.guarded.surroundings import OwnProcess
from fumehood.language.hints import explain_programs, hint
from fumehood.language.imports import ImportRules
from fumehood.language.outcome import Outcome
from fumehood.language.source import FILE_PREFIX, VALUE, Cell, compile_cell, is_coroutine
from fumehood.language.sources import Sources
from fumehood.language.tracebacks import Traces
from fumehood.policy import Policy, in_words
from fumehood.results import ErrorInfo, Fault, Violation
from fumehood.wire.show import type_name

_RECENT_CELLS = 32
_LOOK_SECONDS = 0.002
_RECENT_CHARACTERS = 20_000
_DESCRIBING_SECONDS = 2.0
_MISSING = object()
_BUILTIN_NAMES = frozenset(vars(builtins))


class Session:
    """The session of a process of its own. Not safe for use from two threads at once."""

    def __init__(self, policy: Policy, *, surroundings: OwnProcess) -> None:
        self.policy = policy
        self.surroundings = surroundings
        surroundings.seed = policy.seed
        self.main = types.ModuleType("__main__")
        self.namespace: dict[str, Any] = self.main.__dict__
        self.namespace.update(__builtins__=builtins, __file__=f"{FILE_PREFIX}1>")
        self.machinery = frozenset(self.namespace)
        """Variables that every module has; not part of the code's state."""
        self.tools: dict[str, Any] = {}
        self.on_final_answer: Callable[..., Any] = final_answer
        self.loop_waits: Callable[[float], bool] = lambda seconds: False
        self.sources = Sources(linecache.cache)
        self.traces = Traces(self.sources, policy.limits.traceback_frames)
        self.imports = ImportRules(policy)
        self._magics = magics.Magics(self.namespace, self._run_text)
        self.cells = 0
        """How many cells have run."""
        self._answer: Any = _MISSING
        self._loop: Any = None
        self._loop_process = 0
        self._recent: dict[str, Cell] = {}
        """The last cells, compiled: the same text often runs again, over other data."""
        self._has_begun = False

    def begin(self) -> None:
        """Make this process the session's: its `__main__`, its builtins, its import hook. From
        here on there is no other session in it."""
        self._has_begun = True
        linecache.cache.clear()
        sys.modules["__main__"] = self.main
        sys.argv = ["cell"]
        if self.policy.files:
            sys.path.insert(0, "")  # modules in the working directory
        if not self.policy.programs:
            explain_programs()
        sys.stdin = text_input()
        if "*" not in self.policy.imports:
            self.imports.install()
        if self.policy.seed is None:
            random.seed()  # the process is a copy of another
        self.add_tools({"final_answer": self._make_final_answer(), magics.NAME: self._magics})
        self._put_tools(self.tools)

    def obey(self, policy: Policy) -> None:
        """Go on under a policy that authorizes other imports."""
        self.policy = policy
        self.imports.obey(policy)

    def add_tools(self, tools: Mapping[str, Any]) -> None:
        """Make functions callable by name."""
        self.tools.update(tools)
        if self._has_begun:
            self._put_tools(tools)

    def _put_tools(self, tools: Mapping[str, Any]) -> None:
        for name, tool in tools.items():
            if name in _BUILTIN_NAMES:  # libraries must find Python's own
                self.namespace[name] = tool
            else:
                setattr(builtins, name, tool)

    def variables(self) -> dict[str, Any]:
        """The code's own variables."""
        return {
            name: value
            for name, value in self.namespace.items()
            if name not in self.machinery
            and (name not in _BUILTIN_NAMES or self.tools.get(name, _MISSING) is not value)
        }

    def go_on_after(self, cells: int, sources: Mapping[str, str]) -> None:
        """Number the next cells after those of a session whose variables were loaded."""
        self.cells = max(self.cells, cells)
        for file, source in sources.items():
            self.sources.remember(file, source)

    # -- a cell

    def outcome(self, source: str) -> Outcome:
        """Run one cell. Raises nothing for what the code does."""
        started, cpu = perf_counter_ns(), thread_time_ns()
        self.cells += 1
        file = f"{FILE_PREFIX}{self.cells}>"
        self._answer = _MISSING
        self.imports.imported.clear()
        value: Any = None
        error: BaseException | None = None
        violations: list[Violation] = []
        stopped: str | None = None
        try:
            cell = self._compiled(source, file)
            file = cell.file  # that of the first time, if the same text has run before
            violations = self.imports.violations(cell.codes)
        except SyntaxError as syntax_error:
            error = syntax_error.with_traceback(None)
        else:
            if not violations:
                value, error = self._run(cell)
                stopped = self.surroundings.deadline.reason
        spent = perf_counter_ns() - started, thread_time_ns() - cpu
        return self._outcome(file, value, error, violations, stopped, spent)

    def tidy(self) -> None:
        """Forget cells that ran long ago. For after a cell, when the host has its outcome."""
        self.sources.tidy()
        while len(self._recent) > _RECENT_CELLS:
            del self._recent[next(iter(self._recent))]

    def _compiled(self, source: str, file: str) -> Cell:
        cell = self._recent.pop(source, None)
        if cell is None:
            most = self.policy.limits.source_characters
            if len(source) > most:
                raise SyntaxError(
                    f"the source has {len(source):,} characters; the limit is {most:,}"
                )
            self.sources.remember(file, source)
            cell = compile_cell(source, file)
        if len(source) <= _RECENT_CHARACTERS:
            self._recent[source] = cell
        return cell

    def _run(self, cell: Cell) -> tuple[Any, BaseException | None]:
        value: Any = None
        error: BaseException | None = None
        older = _busy_threads() if threading.active_count() > 1 else ()

        def run() -> None:
            nonlocal value, error
            try:
                value = self._execute(cell)
                if threading.active_count() > 1:
                    _join_threads(older)
            except SystemExit as left:
                if left.code not in (None, 0):
                    error = left
            except BaseException as raised:
                if isinstance(raised, MemoryError):
                    self.surroundings.make_room()
                error = raised
                if isinstance(raised, CellStopped):
                    raise

        self.namespace["__file__"] = cell.file
        self.surroundings.deadline.run(run)
        self.namespace.pop(VALUE, None)  # a cell that raised leaves it
        return value, error

    def _execute(self, cell: Cell) -> Any:
        namespace = self.namespace
        if cell.first is not None:
            result = eval(cell.first, namespace)
            if is_coroutine(cell.first):
                self.loop.run_until_complete(result)
        value = None
        if cell.last is not None:
            value = eval(cell.last, namespace)
            if is_coroutine(cell.last):
                value = self.loop.run_until_complete(value)
            if cell.variable is VALUE:
                value = namespace.pop(VALUE, None)
            elif cell.variable is not None:
                value = namespace.get(cell.variable)
        self._magics.end_cell()
        return value

    def _run_text(self, text: str) -> Any:
        """Run Python text that a magic command has as its argument."""
        self.cells += 1
        file = f"{FILE_PREFIX}{self.cells}>"
        self.sources.remember(file, text)
        return self._execute(compile_cell(text, file))

    def _outcome(
        self,
        file: str,
        value: Any,
        error: BaseException | None,
        violations: list[Violation],
        stopped: str | None,
        spent: tuple[int, int],
    ) -> Outcome:
        info: ErrorInfo | None = None
        fault: Fault | None = None
        answered = self._answer is not _MISSING
        if answered:  # the answer stands, whatever the code did after it
            value, self._answer = self._answer, _MISSING
        elif stopped == "timeout":
            seconds = self.policy.limits.cell_seconds
            longer = "its time" if seconds is None else in_words(seconds)
            message = f"the cell ran longer than {longer} and was stopped"
            info, fault = _plain_error("TimeLimit", message), "timeout"
        elif stopped is not None:
            info, fault = _plain_error("Interrupted", "the cell was interrupted"), "killed"
        elif violations:
            message = "\n".join(map(str, violations))
            message += f"\n{self.imports.advice(violations[0].name.removeprefix('import '))}"
            text = f"ForbiddenImport: {message}"
            info = ErrorInfo("ForbiddenImport", message, text, violations[0].line)
            fault = "refused"
        elif error is not None:
            info = self._describe(error, file)
            fault = "refused" if isinstance(error, Forbidden) else fault_of(error)
        imported = tuple(self.imports.imported)
        told = value if info is None else None
        return Outcome(told, "", info, fault, tuple(violations), answered, imported, *spent)

    def _describe(self, error: BaseException, file: str) -> ErrorInfo:
        """The error as text. An exception's own `__str__` is code, so it has a time limit."""
        info = _plain_error(type_name(error), "its message could not be read")

        def describe() -> None:
            nonlocal info
            try:
                info = self.traces.info(error, file)
                advice = hint(error, self.policy)
                if advice is not None:
                    info = ErrorInfo(
                        info.type,
                        f"{info.message}\n{advice}",
                        f"{info.traceback}\n{advice}",
                        info.line,
                    )
            except CellStopped:
                raise
            except BaseException:
                pass  # an exception can be made so that nothing about it can be read

        self.surroundings.run_aside(describe, _DESCRIBING_SECONDS)
        return info

    def _make_final_answer(self) -> Callable[..., None]:
        def final_answer(*args: Any, **kwargs: Any) -> None:
            """Give the final answer and stop."""
            answer = self.on_final_answer(*args, **kwargs)
            if self._answer is _MISSING:
                self._answer = answer
            raise FinalAnswerException(self._answer)

        return final_answer

    # -- event loops and random numbers

    @property
    def loop(self) -> Any:
        """The loop of cells that await at their top level. A task may live on in the next cell, and
        in a copy of this process."""
        if self._loop is None:
            self._loop, self._loop_process = self.new_loop(), os.getpid()
            sys.modules["asyncio"].set_event_loop(self._loop)
        elif self._loop_process != os.getpid() and self.surroundings.clock is None:
            self._loop_process = os.getpid()
            self._loop._close_self_pipe()  # it is shared with the original
            self._loop._make_self_pipe()
        return self._loop

    def new_loop(self) -> Any:
        """A loop of asyncio; one that goes by the session's own clock, if there is one."""
        import asyncio

        if self.surroundings.clock is None:
            # Copies of a process share what epoll watches; poll keeps it in the process.
            return asyncio.SelectorEventLoop(selectors.PollSelector())
        from fumehood.language.loop import CellLoop

        return CellLoop(  # type: ignore[abstract]  # it has no sockets and starts no programs
            self._halted, lambda seconds: self.loop_waits(seconds), self.surroundings.clock
        )

    def _halted(self) -> BaseException | None:
        if self.surroundings.deadline.stopped:
            return CellStopped()
        return FinalAnswerException(self._answer) if self._answer is not _MISSING else None

    def draw_anew(self, seed: int | None = None) -> None:
        """Draw other random numbers than the process that this one is a copy of."""
        self.surroundings.seed = seed
        self.surroundings.be_random()


def text_input(text: str | None = "") -> io.TextIOWrapper:
    """A standard input with so much in it."""
    data = (text or "").encode("utf-8", "surrogateescape")
    return _Input(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")


class _Input(io.TextIOWrapper):
    def close(self) -> None:
        """Stay open: `exit()` closes standard input, and later cells read from it."""


def _busy_threads() -> list[threading.Thread]:
    """Threads that a script waits for at its end. Threads of a pool stay for later cells: one that
    waits for work in `_worker` is not busy."""
    pools, frames = concurrent.futures.thread, sys._current_frames()

    def is_busy(thread: threading.Thread) -> bool:
        if thread.daemon or thread is threading.main_thread() or not thread.is_alive():
            return False
        queue, frame = pools._threads_queues.get(thread), frames.get(thread.ident or 0)
        return queue is None or not (
            queue.empty() and frame and frame.f_code is pools._worker.__code__
        )

    return [thread for thread in threading.enumerate() if is_busy(thread)]


def _join_threads(older: Collection[threading.Thread]) -> None:
    """Wait for the threads of a cell, so that their output belongs to the cell. Do not wait for
    `older` threads, which a cell left that was stopped."""
    pools = concurrent.futures.thread._threads_queues
    while busy := [thread for thread in _busy_threads() if thread not in older]:
        busy[0].join(_LOOK_SECONDS if busy[0] in pools else None)


def final_answer(answer: Any = None) -> Any:
    """Its name is what code reads when it gives more than one."""
    return answer


def _plain_error(kind: str, message: str) -> ErrorInfo:
    return ErrorInfo(kind, message, f"{kind}: {message}")
