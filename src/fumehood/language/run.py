"""A session: variables that persist from cell to cell, and how a cell runs among them.

    text → split and compile → check imports → run in __main__ → Outcome

Cells run in a real module `__main__` with the real builtins. Tools are builtins too, so that
variables of the code hide them.
"""

from __future__ import annotations

import asyncio
import atexit
import builtins
import concurrent.futures.thread
import errno
import inspect
import io
import linecache
import os
import posix
import pty
import random
import re
import selectors
import subprocess
import sys
import threading
import types
from _thread import _count as count_threads  # besides the main one
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from opcode import opmap
from time import perf_counter_ns, sleep, thread_time_ns  # by name: code may replace them
from typing import Any, Final

from fumehood.errors import CellStopped, FinalAnswerException, Forbidden
from fumehood.language import determinism, magics
from fumehood.language.deadline import DrivenDeadline
from fumehood.language.imports import ImportRules
from fumehood.language.source import FILE_PREFIX, VALUE, Cell, compile_cell
from fumehood.language.tracebacks import Sources, Traces, last_traceback
from fumehood.policy import Policy, in_words
from fumehood.results import ErrorInfo, Execution, Fault, Usage, Violation
from fumehood.wire.output import BoundedText
from fumehood.wire.show import type_name

_RECENT_CELLS = 32
_LOOKS, _LOOK_SECONDS = 3, 0.001
_RECENT_CHARACTERS = 20_000
_DESCRIBING_SECONDS = 2.0
_MISSING = object()
_BUILTIN_NAMES = frozenset(vars(builtins))


@dataclass(slots=True)
class Outcome:
    """An Execution that is made quickly and can be changed. `wall` and `cpu` are nanoseconds."""

    value: Any
    logs: str
    error: ErrorInfo | None
    fault: Fault | None
    violations: tuple[Violation, ...]
    is_final_answer: bool
    imports: tuple[str, ...]
    wall: int
    cpu: int

    def without_value(self, kind: str, text: str, fault: Fault) -> Outcome:
        """The same, with an error in the place of a value that cannot be told."""
        self.value, self.error, self.fault = None, _plain_error(kind, text), fault
        return self


class Session:
    """The session of a process of its own. Not safe for use from two threads at once."""

    deadline: DrivenDeadline
    output: BoundedText | None = None
    """Where a cell's text goes, if not to the standard streams."""

    def __init__(
        self,
        policy: Policy,
        *,
        clock: determinism.Clock | None = None,
        make_room: Callable[[], None] = lambda: None,
    ) -> None:
        """`clock` is read instead of the machine's. `make_room` releases memory when none is left
        and the error must be described."""
        self.policy = policy
        self.deadline = DrivenDeadline()
        self.clock = clock
        self.seed = policy.seed
        self._make_room = make_room
        self.main = types.ModuleType("__main__")
        self.namespace: dict[str, Any] = self.main.__dict__
        self.namespace.update(__builtins__=builtins, __file__=f"{FILE_PREFIX}1>")
        self.machinery = frozenset(self.namespace)
        """Variables that every module has; not part of the code's state."""
        self.tools: dict[str, Any] = {}
        self.on_final_answer: Callable[..., Any] = final_answer
        self.loop_waits: Callable[[float], bool] = lambda seconds: False
        self.sources = Sources()
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
        self._older_threads: Collection[threading.Thread] = ()
        self._has_begun = False

    def begin(self) -> None:
        """Make this process the session's, for good: its `__main__`, builtins and import hook."""
        self._has_begun = True
        linecache.cache.clear()
        self.sources.lines_by_file = linecache.cache
        sys.modules["__main__"] = self.main
        sys.argv = ["cell"]
        if self.policy.files:
            sys.path.insert(0, "")  # modules in the working directory
        if not self.policy.programs:
            explain_programs()
        explain_atexit()
        sys.stdin = text_input()
        if "*" not in self.policy.imports:
            self.imports.install()
        if self.policy.seed is None:
            random.seed()  # the process is a copy of another
        own = {"final_answer": self._make_final_answer(), magics.NAME: self._magics}
        self.add_tools({**self.tools, **own})

    def obey(self, policy: Policy) -> None:
        """Go on under a policy that authorizes other imports."""
        self.policy = policy
        self.imports.obey(policy)

    def add_tools(self, tools: Mapping[str, Any]) -> None:
        """Make functions callable by name."""
        self.tools.update(tools)
        for name, tool in tools.items() if self._has_begun else ():
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

    def run(self, source: str) -> Execution:
        """Run one cell. Raises nothing for what the code does."""
        outcome = self.outcome(source)
        parts = {name: getattr(outcome, name) for name in outcome.__slots__}
        usage = Usage(parts.pop("wall") * 1e-9, parts.pop("cpu") * 1e-9)
        return Execution(**parts, usage=usage)

    def interrupt(self) -> bool:
        """Stop the running cell, from any thread. False if none is running."""
        return self.deadline.stop("interrupt")

    def outcome(self, source: str) -> Outcome:
        """As `run`; the worker encodes the outcome itself."""
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
            if not isinstance(source, str):
                raise SyntaxError(f"code must be a string, not {type(source).__name__}")
            length, most = len(source), self.policy.limits.source_characters
            if length > most:
                raise SyntaxError(f"the source has {length:,} characters; the limit is {most:,}")
            cell, violations = self._compiled(source, file)
            file = cell.file  # that of the first time, if the same text has run before
        except SyntaxError as syntax_error:
            error = syntax_error.with_traceback(None)
            error.__context__ = None  # what the host may be handling
        else:
            if not violations:
                value, error = self._run(cell)
                stopped = self.deadline.reason
        wall, cpu = perf_counter_ns() - started, thread_time_ns() - cpu
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
            info, fault = self._refusal(violations), "refused"
        elif error is not None:
            info = self._describe(error, file)
            fault = "refused" if isinstance(error, Forbidden) else fault_of(error)
        value = value if info is None else None
        logs = "" if self.output is None else self.output.getvalue()
        refused, imports = tuple(violations), tuple(self.imports.imported)
        return Outcome(value, logs, info, fault, refused, answered, imports, wall, cpu)

    def _compiled(self, source: str, file: str) -> tuple[Cell, list[Violation]]:
        cell = self._recent.pop(source, None)
        if cell is None:
            self.sources.remember(file, source)
            cell = compile_cell(source, file)
        if len(source) <= _RECENT_CHARACTERS:
            self._recent[source] = cell
            if len(self._recent) > _RECENT_CELLS:
                del self._recent[next(iter(self._recent))]
        return cell, self.imports.violations(cell.imports) if cell.imports else []

    def _run(self, cell: Cell) -> tuple[Any, BaseException | None]:
        value: Any = None
        error: BaseException | None = None
        self._older_threads = _busy_threads() if count_threads() else ()

        def run() -> None:
            nonlocal value, error
            try:
                try:
                    value = self._execute(cell)
                finally:
                    while self._magics.at_end:
                        self._magics.at_end.pop().__exit__(None, None, None)
            except SystemExit as left:
                if left.code not in (None, 0):
                    error = left
            except BaseException as raised:
                if isinstance(raised, MemoryError):
                    self._make_room()
                error = raised
                if isinstance(raised, CellStopped):
                    raise

        self.namespace["__file__"] = cell.file
        self._run_limited(run)
        self.namespace.pop(VALUE, None)
        return value, error

    def _run_limited(self, function: Callable[[], None]) -> None:
        """Call a function that runs a cell and handles its exceptions."""
        self.deadline.run(function)
        if self.deadline.reason is not None:
            # The stop may have come in the middle of a loop's beginning or end.
            asyncio._set_running_loop(None)
            if self._loop is not None:
                self._loop._stopping, self._loop._thread_id = False, None

    def _run_aside(self, function: Callable[[], None], seconds: float) -> None:
        """Call a function that may run code outside of a cell."""
        self.deadline.run(function, seconds)

    def _execute(self, cell: Cell) -> Any:
        if cell.awaits:
            _ = self.loop  # created now, so that tasks of the first part belong to it
        value = None
        for code in cell.codes:
            value = eval(code, self.namespace)
            if cell.awaits and code.co_flags & inspect.CO_COROUTINE:
                value = self.loop.run_until_complete(value)
        if value is None:
            value = self.namespace.get(cell.variable)
        if count_threads():
            _join_threads(self._older_threads)
        return value

    def _run_text(self, text: str) -> Any:
        """Run Python text that a magic command has as its argument."""
        self.cells += 1
        file = f"{FILE_PREFIX}{self.cells}>"
        self.sources.remember(file, text)
        return self._execute(compile_cell(text, file))

    def _refusal(self, violations: list[Violation]) -> ErrorInfo:
        message = "\n".join(map(str, violations))
        imports = [each.name for each in violations if each.rule == "import"]
        if imports:
            message += f"\n{self.imports.advice(imports[0].removeprefix('import '))}"
        kind = "ForbiddenImport" if len(imports) == len(violations) else "Forbidden"
        return _plain_error(kind, message, violations[0].line)

    def _describe(self, error: BaseException, file: str) -> ErrorInfo:
        """The error as text. An exception's own `__str__` is code, so it has a time limit."""
        info = _plain_error(type_name(error), "its message could not be read")

        def describe() -> None:
            nonlocal info
            try:
                info = self.traces.info(error, file)
                if (advice := hint(error, self.policy)) is not None:
                    message, traceback = f"{info.message}\n{advice}", f"{info.traceback}\n{advice}"
                    info = ErrorInfo(info.type, message, traceback, info.line)
            except CellStopped:
                raise
            except BaseException:
                pass  # an exception can be made so that nothing about it can be read

        self._run_aside(describe, _DESCRIBING_SECONDS)
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
        """The loop of cells that await at their top level. Tasks live on, also in a copy."""
        if self._loop is None:
            self._loop, self._loop_process = self.new_loop(), os.getpid()
            asyncio.set_event_loop(self._loop)
        elif self._loop_process != os.getpid() and not isinstance(self._loop, determinism.CellLoop):
            self._loop_process = os.getpid()
            self._loop._close_self_pipe()  # it is shared with the original
            self._loop._make_self_pipe()
        return self._loop

    def new_loop(self) -> Any:
        """A loop of asyncio; one that goes by the session's own clock, if there is one."""
        if self.clock is None:
            # Copies of a process share what epoll watches; poll keeps it in the process.
            return asyncio.SelectorEventLoop(selectors.PollSelector())
        return self._cell_loop(determinism.CellLoop)

    def _cell_loop(self, kind: Any) -> Any:
        # Not the bound methods: guarded code can reach the loop, and a method has an owner.
        return kind(lambda: self._halted(), lambda seconds: self.loop_waits(seconds), self.clock)

    def _halted(self) -> BaseException | None:
        if self.deadline.reason is not None:
            return CellStopped()
        return FinalAnswerException(self._answer) if self._answer is not _MISSING else None

    def draw_anew(self, seed: int | None = None) -> None:
        """Draw other random numbers than the process that this one is a copy of."""
        self.seed = seed
        if seed is not None:
            determinism.fix_random(seed)
            return
        for name in ("random", "numpy.random"):
            if name in sys.modules:
                sys.modules[name].seed(None)


class _Input(io.TextIOWrapper):
    def close(self) -> None:
        """Stay open: `exit()` closes standard input, and later cells read from it."""


def text_input(text: str | None = "") -> io.TextIOWrapper:
    """A standard input with so much in it."""
    data = (text or "").encode("utf-8", "surrogateescape")
    return _Input(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")


def _busy_threads() -> list[threading.Thread]:
    """Threads that a script waits for at its end; not those of a pool that wait for work."""
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
    """Wait for the threads of a cell and their output, but not for those of a stopped one."""
    pools = concurrent.futures.thread._threads_queues
    looks = _LOOKS if pools else 1  # a thread of a pool that has just taken work looks idle
    while looks:
        busy = [thread for thread in _busy_threads() if thread not in older]
        if busy:
            looks = _LOOKS
            busy[0].join(_LOOK_SECONDS if busy[0] in pools else None)
        elif looks := looks - 1:
            sleep(_LOOK_SECONDS)


def final_answer(answer: Any = None) -> Any:
    """Its name is what code reads when it gives more than one."""
    return answer


def _plain_error(kind: str, message: str, line: int | None = None) -> ErrorInfo:
    return ErrorInfo(kind, message, f"{kind}: {message}", line)


# -- what an uncaught error means: a limit that was reached, a capability that is missing

FILES_HINT = "this sandbox has no files: reading and writing files needs files=True"
PROGRAMS_HINT = "this sandbox has no programs: starting one needs programs=True"
SOCKETS_HINT = "this sandbox has no sockets: opening one needs programs=True"
ATEXIT_NOTE = "atexit: no capability ends a sandbox by itself, so registered functions do not run"

_NUMBERS = (errno.EACCES, errno.EROFS, errno.ENOENT, errno.EPERM, errno.EFBIG, errno.ENOTDIR)
# Calls that are not about files fail with the other numbers, too.
_NUMBERS_WITHOUT_NAME = (errno.EROFS, errno.ENOENT, errno.EFBIG)
# What libraries say that do not set a number.
_TEXTS = re.compile(
    "unable to open database file|non-existent directory|[Nn]o such file|Read-only file system"
    r"|\(os error (2|13|30)\)|^\S+ not found\.$"
)
_SYSTEM = ("/usr", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev", "/packages", "/bin", "/sbin")
_LONGEST_CHAIN = 20

# What the kernel raises when a limit is reached.
_BY_ERRNO: Final[dict[int, Fault]] = {
    errno.ENOMEM: "memory",
    errno.EAGAIN: "processes",  # what fork gives
    errno.EMFILE: "files",
    errno.ENFILE: "files",
    errno.ENOSPC: "disk",
    errno.EFBIG: "disk",
    errno.EDQUOT: "disk",
}


def fault_of(error: BaseException) -> Fault | None:
    """The fault that an uncaught exception of code means, or None for an ordinary one."""
    if isinstance(error, MemoryError):
        return "memory"
    if type(error) is RuntimeError and error.args == ("can't start new thread",):
        return "processes"
    if isinstance(error, OSError):
        number = vars(OSError)["errno"].__get__(error)  # past what a subclass of code's says
        return _BY_ERRNO.get(number) if type(number) is int else None
    return None


def hint(error: BaseException, policy: Policy) -> str | None:
    """One line that says what is missing; None if nothing is."""
    if isinstance(error, EOFError) and error.args == ("EOF when reading a line",):
        return "this cell has no more input: give it with run(code, stdin=...)"
    trace = last_traceback(error)
    file = "" if trace is None else trace.tb_frame.f_code.co_filename
    is_socket = isinstance(error, PermissionError) and file.endswith("/socket.py")
    is_process = isinstance(error, EOFError) and "/multiprocessing/" in file  # without its socket
    if not policy.programs and (is_socket or is_process):
        return SOCKETS_HINT
    if isinstance(error, FileNotFoundError):
        name = vars(OSError)["filename"].__get__(error)
        if isinstance(name, str) and name.startswith(("/proc/", "/sys/")):
            return f"no capability shows a sandbox {name}: it is about the machine"
    follows: BaseException | None = None if policy.files else error
    for _ in range(_LONGEST_CHAIN):
        if follows is None:
            break
        if _is_about_files(follows):
            return FILES_HINT
        hides = follows.__suppress_context__
        follows = follows.__cause__ or (None if hides else follows.__context__)
    return None


def _is_about_files(error: BaseException) -> bool:
    arguments = vars(BaseException)["args"].__get__(error)
    number = name = None
    if isinstance(error, OSError):
        number, name = (vars(OSError)[field].__get__(error) for field in ("errno", "filename"))
    elif not isinstance(error, RuntimeError) and type(error).__module__ != "sqlite3":
        return False
    if number is None:
        is_said = any(type(text) is str and _TEXTS.search(text) for text in arguments)
        return is_said and not _is_raised_by_cell(error)
    if name is None:
        return number in _NUMBERS_WITHOUT_NAME and not _is_raised_by_cell(error)
    path = os.path.normpath(os.fsdecode(name)) + "/" if type(name) in (str, bytes) else ""
    roots = tuple(f"{root}/" for root in (*_SYSTEM, sys.prefix, sys.base_prefix))
    # What is missing in a directory of the system is missing with files, too.
    return number in _NUMBERS and (path.startswith("/dev/shm") or not path.startswith(roots))


def _is_raised_by_cell(error: BaseException) -> bool:
    """Whether the code itself raised it, and not a function that it called."""
    if (trace := last_traceback(error)) is None:
        return False
    code = trace.tb_frame.f_code
    is_raise = code.co_code[trace.tb_lasti] == opmap["RAISE_VARARGS"]
    return is_raise and code.co_filename.startswith(FILE_PREFIX)


def explain_programs() -> None:
    """Have every attempt to start a program fail with the line that names the capability; the
    kernel's own error is less helpful. An audit hook would slow down `copy.deepcopy`."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise PermissionError(errno.EPERM, PROGRAMS_HINT)

    for name in ("execv", "execve", "posix_spawn", "posix_spawnp", "system"):
        setattr(os, name, refuse)
        setattr(posix, name, refuse)
    pty.spawn = refuse
    subprocess.Popen._execute_child = refuse  # type: ignore[attr-defined]


def explain_atexit() -> None:
    """Have a cell that registers a function with atexit say that it will not be called."""
    register = atexit.register

    def register_and_explain(function: Any, /, *args: Any, **kwargs: Any) -> Any:
        if sys._getframe(1).f_code.co_filename.startswith(FILE_PREFIX):
            print(ATEXIT_NOTE, file=sys.stderr)
        return register(function, *args, **kwargs)

    register_and_explain.__name__ = register_and_explain.__qualname__ = "register"
    atexit.register = register_and_explain
