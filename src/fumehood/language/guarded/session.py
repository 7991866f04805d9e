"""A session: variables kept from cell to cell, and the way a cell is run among them.

    source → check → guard → compile → run, its output, value, answer and error collected →
    Execution

This is the same code in every place: the caller's process, a jailed worker, a container. It
isolates by rules only; what encloses it is the place's business.
"""

from __future__ import annotations

import calendar
import contextvars
import gc
import random
import sys
import types
import weakref
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from time import (
    perf_counter_ns,
    thread_time_ns,
)  # by name: code may have another clock, and has no say in this one
from typing import Any

from fumehood.errors import CellStopped, FinalAnswerException, Forbidden
from fumehood.language.faults import fault_of
from fumehood.language.guarded import access
from fumehood.language.guarded.builtins import make_builtins
from fumehood.language.guarded.compile import (
    CELL_FILE_PREFIX,
    Compiled,
    Refused,
    compile_cell,
    private_module,
    run_code,
)
from fumehood.language.guarded.modules import Modules
from fumehood.language.guarded.output import CellStream
from fumehood.language.guarded.replacements import replacement
from fumehood.language.guarded.surroundings import BorrowedProcess, Surroundings
from fumehood.language.hints import files_hint
from fumehood.language.outcome import Outcome
from fumehood.language.source import VALUE
from fumehood.language.sources import Sources
from fumehood.language.tracebacks import Traces
from fumehood.policy import Policy, in_words
from fumehood.results import ErrorInfo, Execution, Fault, Violation
from fumehood.wire.show import type_name

_DESCRIBING_SECONDS = 2.0
_MISSING = object()

# Variables of the machinery in the code's namespace; not part of its state.
_MACHINERY = ("__builtins__", "__name__", "__warningregistry__", VALUE)


class CompiledText:
    """What `compile` gives: usable by eval and exec only. A real code object has a `replace`
    method, which builds other code."""

    __slots__ = ("__weakref__", "mode")

    def __init__(self, mode: str) -> None:
        self.mode = mode


class Session:
    """Not safe for use from two threads at once; executors see to that."""

    def __init__(
        self,
        policy: Policy,
        namespace: dict[str, Any] | None = None,
        surroundings: Surroundings | None = None,
    ) -> None:
        """`surroundings` is the process the session runs in; the host's own if none is given."""
        if policy.language != "guarded":
            policy = replace(policy, language="guarded")
        self.policy = policy
        limits = policy.limits
        self.surroundings: Surroundings = surroundings or BorrowedProcess(
            limits.cell_seconds, limits.output_characters, lambda: self.loop
        )
        self.surroundings.seed = policy.seed
        self.namespace: dict[str, Any] = {} if namespace is None else namespace
        self.tools: dict[str, Any] = {}
        self.on_final_answer: Callable[..., Any] = final_answer
        self.loop_waits: Callable[[float], bool] = lambda seconds: False
        self.sources = Sources()
        self.traces = Traces(self.sources, policy.limits.traceback_frames)
        self.stdout = CellStream(lambda text: self._write("redirect_stdout", text), "<stdout>")
        self.stderr = CellStream(lambda text: self._write("redirect_stderr", text), "<stderr>")
        self.random = random.Random()
        self.calendar = calendar.TextCalendar()
        self.is_running = False
        self._private_copies: dict[str, dict[str, Any]] = {}
        self.warning_filters: list[tuple[str, type]] = []
        self.caught_warnings: list[list[Any]] = []
        self._redirected: dict[str, Any] = {}
        self._output = self.surroundings.new_output()
        self.cells = 0
        self._answer: Any = _MISSING
        self._value: Any = None
        self._compiled_texts: weakref.WeakKeyDictionary[CompiledText, Compiled] = (
            weakref.WeakKeyDictionary()
        )
        self._context = (
            contextvars.Context()
        )  # empty: what the host keeps in its own is not for code
        self._has_finalizers = False
        self._known = ChainMap(self.namespace, self.tools)
        self._modules = Modules(
            policy,
            replace=lambda module, name: replacement(self, module, name),
            on_view=self._see_module,
            importing=self.surroundings.importing,
        )
        self._guards: dict[str, Callable[..., Any]] = {
            "attribute": access.guarded_attribute,
            "augment": access.augment,
            "class_pattern": access.look_at_class_pattern,
            "import": self._modules.import_top,
            "import_as": self._modules.import_as,
            "import_from": self._modules.import_from,
            "import_star": self._import_star,
        }
        own = {
            "print": self._make_print(),
            "eval": self._make_eval(),
            "exec": self._make_exec(),
            "compile": self._make_compile(),
            "__import__": self._make_import(),
        }
        self.builtins = make_builtins(own)
        self.builtins["final_answer"] = self._make_final_answer()

    def obey(self, policy: Policy) -> None:
        """Go on under a policy that authorizes other imports, and else says what the one before
        said."""
        self.policy = policy
        self._modules.obey(policy)

    # -- tools

    def add_tools(self, tools: Mapping[str, Any]) -> None:
        """Make functions callable by name. They lie below variables: code may use their names for
        its own."""
        self.tools.update(tools)
        self.builtins.update(tools)

    def variables(self) -> dict[str, Any]:
        """The code's own variables."""
        return {name: value for name, value in self.namespace.items() if name not in _MACHINERY}

    def go_on_after(self, cells: int, sources: Mapping[str, str]) -> None:
        """Number the next cells after those of a session whose variables were loaded."""
        self.cells = max(self.cells, cells)
        for file, source in sources.items():
            self.sources.remember(file, source)

    def private_copy(self, module: str, replaced: Mapping[str, Any]) -> dict[str, Any]:
        """The variables of the session's own copy of a pure-Python module, in which some builtins
        are replaced: where a library function is right in all but one builtin that it calls."""
        if module not in self._private_copies:
            self._private_copies[module] = private_module(module, replaced)
        return self._private_copies[module]

    # -- a cell

    def run(self, source: str) -> Execution:
        """Run one cell. Raises nothing for what the code does; a signal meant for the host is
        passed on to it at the end."""
        return self.outcome(source).as_execution()

    def outcome(self, source: str) -> Outcome:
        """As `run`, for whoever tells of it in another way."""
        started, cpu = perf_counter_ns(), thread_time_ns()
        self.cells += 1
        cell = f"{CELL_FILE_PREFIX}{self.cells}>"
        self._output = self.surroundings.new_output()
        self._answer, self._value = _MISSING, None
        self._modules.imported.clear()
        error: BaseException | None = None
        violations: tuple[Violation, ...] = ()
        stopped: str | None = None
        try:
            compiled = self._compile(source, cell)
        except Refused as refused:
            violations = tuple(refused.violations)
        except SyntaxError as syntax_error:
            error = syntax_error.with_traceback(None)
            error.__context__ = (
                None  # what the host was handling; its text would be told as the cell's
            )
        else:
            error = self._run_compiled(compiled)
            stopped = self.surroundings.deadline.reason
        spent = perf_counter_ns() - started, thread_time_ns() - cpu
        outcome = self._outcome(cell, error, violations, stopped, spent)
        self.surroundings.deadline.forward()
        return outcome

    def before_tool(self) -> None:
        """Called when code calls the host."""
        self.surroundings.before_tool()

    def _see_module(self, module: types.ModuleType) -> None:
        self.surroundings.see(module)
        if module.__name__ == "random":
            self.random.seed(
                self.surroundings.seed
            )  # the process may be a copy of another, and would draw its numbers
        if module.__name__ == "decimal":
            module.setcontext(
                module.getcontext().copy()
            )  # contexts are shared by reference; this session's is its own

    def draw_anew(self, seed: int | None = None) -> None:
        """Draw other random numbers than the process that this one is a copy of."""
        self.surroundings.seed = seed
        self.random.seed(seed)
        self.surroundings.be_random()

    def interrupt(self) -> bool:
        """Stop the running cell, from any thread. False if none is running."""
        return self.surroundings.deadline.stop("interrupt")

    def _compile(self, source: str, cell: str) -> Compiled:
        if not isinstance(source, str):
            raise SyntaxError(f"code must be a string, not {type(source).__name__}")
        self.sources.remember(cell, source)
        compiled = compile_cell(source, cell, self.policy, self._guards, known=self._known)
        for note in compiled.warnings:
            self._output.write(note + "\n")
        return compiled

    def tidy(self) -> None:
        """Release the sources of cells that ran long ago; for after a cell."""
        self.sources.tidy()

    def _run_compiled(self, compiled: Compiled) -> BaseException | None:
        error: BaseException | None = None
        self._has_finalizers = self._has_finalizers or compiled.findings.defines_finalizers

        def run_contained() -> None:
            nonlocal error
            try:
                self._context.run(self._run_code, compiled)
            except BaseException as raised:
                if isinstance(raised, MemoryError):
                    self.surroundings.make_room()
                error = raised
                if isinstance(raised, CellStopped):
                    raise
            if self._has_finalizers:
                # what they do belongs to this cell, not to whoever runs when they happen to be
                # called
                gc.collect()

        namespace = self.namespace
        namespace["__builtins__"] = self.builtins
        namespace.setdefault("__name__", "__main__")
        changed: list[str] = []
        self.is_running = True
        try:
            changed = self.surroundings.run(run_contained, self._output)
        finally:
            self.is_running = False
            self._redirected.clear()
            self._value = namespace.get(VALUE, self._value)
            for name in _MACHINERY:
                namespace.pop(name, None)
        if changed and error is None:
            error = Forbidden(
                f"library code cannot be changed; put back: {', '.join(sorted(changed)[:10])}"
            )
        return error

    def _run_code(self, compiled: Compiled) -> None:
        if sys.exc_info()[1] is None:
            self._run_unobserved(compiled)
            return
        # The host is handling an exception of its own, which would be the context of every
        # exception in the cell. This one stands before it: the error that a bare `raise` gives
        # where nothing is being handled, with nothing of the host's in it.
        nothing = RuntimeError("No active exception to reraise")
        try:
            raise nothing
        except RuntimeError:
            nothing.__context__ = None
            nothing.__traceback__ = None
            self.traces.ignored = nothing
            self._run_unobserved(compiled)

    def _run_unobserved(self, compiled: Compiled) -> None:
        result = run_code(compiled, self.namespace)
        if compiled.is_coroutine:
            self.loop.run_until_complete(result)

    def _outcome(
        self,
        cell: str,
        error: BaseException | None,
        violations: tuple[Violation, ...],
        stopped: str | None,
        spent: tuple[int, int],
    ) -> Outcome:
        info: ErrorInfo | None = None
        fault: Fault | None = None
        value, self._value = self._value, None
        answered = self._answer is not _MISSING
        if answered:
            value, self._answer = (
                self._answer,
                _MISSING,
            )  # the answer stands, whatever the code did after giving it
        elif stopped == "timeout":
            seconds = (
                self.policy.limits.cell_seconds
            )  # None if whoever stopped it has a limit of his own
            longer = "its time" if seconds is None else in_words(seconds)
            info, fault = (
                _plain_error("TimeLimit", f"the cell ran longer than {longer} and was stopped"),
                "timeout",
            )
        elif stopped is not None:
            info, fault = _plain_error("Interrupted", "the cell was interrupted"), "killed"
        elif violations:
            info, fault = _refusal_info(violations, self.policy), "refused"
        elif error is not None:
            info = self._describe(error, cell)
            why = self._modules.why_missing(error)
            if why is not None:
                info = ErrorInfo("ForbiddenName", why, f"{info.traceback}\n{why}", info.line)
            fault = (
                "refused" if why is not None or isinstance(error, Forbidden) else fault_of(error)
            )
        if info is not None:
            value = None
        return Outcome(
            value,
            self._output.getvalue(),
            info,
            fault,
            violations,
            answered,
            tuple(self._modules.imported),
            *spent,
        )

    def _describe(self, error: BaseException, cell: str) -> ErrorInfo:
        """The error as text. An exception's own `__str__` is code too, so it gets a time limit and
        no output."""
        info = _plain_error(type_name(error), "its message could not be read")

        def describe() -> None:
            nonlocal info
            try:
                info = self.traces.info(error, cell)
                if not self.policy.files and (hint := files_hint(error)):
                    message, traceback = f"{info.message}; {hint}", f"{info.traceback}\n{hint}"
                    info = ErrorInfo(info.type, message, traceback, info.line)
            except CellStopped:
                raise
            except BaseException:
                pass  # an exception can be made so that nothing about it can be read

        self.surroundings.run_aside(describe, _DESCRIBING_SECONDS)
        return info

    # -- what code calls

    def _import_star(self, module: str) -> None:
        access.own_frame().f_globals.update(self._modules.import_star(module))

    def _write(self, stream: str, text: str) -> int:
        target = self._redirected.get(stream)
        if target is None:
            return (
                self._output.write(text)
                if stream == "redirect_stdout"
                else self.surroundings.complain(text, self._output)
            )
        written: int = target.write(text)
        return written

    def redirect(self, stream: str, target: Any) -> Any:
        """Send what the cell writes to a stream somewhere else; gives where it went before."""
        before = self._redirected.get(stream)
        self._redirected[stream] = target
        return before

    # The functions that code gets are plain functions: their closures hold the session, and a
    # closure cannot be spelled.

    def _make_print(self) -> Callable[..., None]:
        host_print = print

        def print_(
            *args: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: Any = False
        ) -> None:
            if file is None:
                file = self._modules.changed("sys", "stdout", self.stdout)
            host_print(*args, sep=sep, end=end, file=file, flush=flush)

        print_.__name__ = print_.__qualname__ = "print"
        return print_

    def _make_import(self) -> Callable[..., Any]:
        modules = self._modules

        def __import__(
            name: Any, globals: Any = None, locals: Any = None, fromlist: Any = (), level: Any = 0
        ) -> Any:
            return modules.builtin_import(name, globals, locals, fromlist, level)

        return __import__

    def _make_final_answer(self) -> Callable[..., None]:
        def final_answer(*args: Any, **kwargs: Any) -> None:
            """Give the final answer and stop."""
            answer = self.on_final_answer(*args, **kwargs)
            if self._answer is _MISSING:
                self._answer = answer
            raise FinalAnswerException(self._answer)

        return final_answer

    def _make_compile(self) -> Callable[..., CompiledText]:
        def compile(
            source: Any,
            filename: Any = "text",
            mode: Any = "exec",
            flags: Any = 0,
            dont_inherit: Any = False,
            optimize: Any = -1,
        ) -> CompiledText:
            if mode not in ("exec", "eval"):
                raise ValueError("compile() mode must be 'exec' or 'eval'")
            text = CompiledText(mode)
            self._compiled_texts[text] = self._compile_text(source, mode)
            return text

        return compile

    def _compile_text(self, source: Any, mode: Any) -> Compiled:
        if isinstance(source, (bytes, bytearray)):
            source = bytes(source).decode()
        if not isinstance(source, str):
            raise TypeError(f"{mode}() arg 1 must be a string, bytes or code object")
        self.cells += 1
        file = f"{CELL_FILE_PREFIX}{self.cells}>"
        source = str.__str__(source)
        if mode == "eval":
            source = source.lstrip(" \t")
        self.sources.remember(file, source)
        try:
            return compile_cell(
                source,
                file,
                self.policy,
                self._guards,
                known=self._known,
                mode=mode,
                keeps_value=False,
                top_level_await=False,
            )
        except Refused as refused:
            raise Forbidden(str(refused)) from None

    def _compiled_of(self, source: Any, mode: Any) -> Compiled:
        if type(source) is CompiledText:
            return self._compiled_texts[source]
        return self._compile_text(source, mode)

    def evaluate(self, text: str, globals: Any = None, locals: Any = None) -> Any:
        """The value of an expression given as text, held to the rules of a cell."""
        namespace, local = self._namespaces("eval", globals, locals)
        return run_code(self._compile_text(text, "eval"), namespace, local)

    def _make_eval(self) -> Callable[..., Any]:
        def eval(source: Any, globals: Any = None, locals: Any = None, /) -> Any:
            namespace, local = self._namespaces("eval", globals, locals)
            return run_code(self._compiled_of(source, "eval"), namespace, local)

        return eval

    def _make_exec(self) -> Callable[..., None]:
        def exec(
            source: Any, globals: Any = None, locals: Any = None, /, *, closure: Any = None
        ) -> None:
            namespace, local = self._namespaces("exec", globals, locals)
            run_code(self._compiled_of(source, "exec"), namespace, local)

        return exec

    def _namespaces(self, function: str, globals: Any, locals: Any) -> tuple[dict[str, Any], Any]:
        """Where eval and exec run: as in CPython in the caller's variables, or in those given, with
        the session's builtins."""
        if globals is None:
            frame = access.own_frame()
            return frame.f_globals, access.guarded_locals() if locals is None else locals
        if not isinstance(globals, dict):
            raise TypeError(f"{function}() globals must be a dict, not {type(globals).__name__}")
        if dict.get(globals, "__builtins__", _MISSING) is _MISSING:
            dict.__setitem__(globals, "__builtins__", self.builtins)
        return globals, globals if locals is None else locals

    # -- event loops

    def new_loop(self) -> Any:
        from fumehood.language.loop import CellLoop

        # Not the bound methods: code can reach the loop, and a method has an owner.
        return CellLoop(  # type: ignore[abstract]  # what is abstract in it is what it must not do
            lambda: self._halted(),
            lambda seconds: self.loop_waits(seconds),
            self.surroundings.clock,
        )

    @cached_property
    def loop(self) -> Any:
        """The loop that cells awaiting at their top level share, so that a task may live on from
        one to the next."""
        return self.new_loop()

    def _halted(self) -> BaseException | None:
        if self.surroundings.deadline.stopped:
            return CellStopped()
        return FinalAnswerException(self._answer) if self._answer is not _MISSING else None


def final_answer(answer: Any = None) -> Any:
    """Its name is what code reads when it gives more than one."""
    return answer


def _plain_error(kind: str, message: str) -> ErrorInfo:
    return ErrorInfo(kind, message, f"{kind}: {message}")


def _refusal_info(violations: tuple[Violation, ...], policy: Policy) -> ErrorInfo:
    message = "\n".join(map(str, violations))
    if any(violation.rule == "import" for violation in violations):
        message += f"\nauthorized imports: {', '.join(policy.authorized_imports)}"
    return ErrorInfo("Forbidden", message, f"Forbidden: {message}", violations[0].line)
