"""A session of the guarded language.

    source → check → guard → compile → run → Outcome

It differs from a session of plain Python in how a cell is compiled, in its builtins and in its
modules. It runs in a process of its own or in that of the host.
"""

from __future__ import annotations

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
from typing import Any, Literal

from fumehood.errors import Forbidden
from fumehood.language.guarded import access
from fumehood.language.guarded.builtins import make_builtins
from fumehood.language.guarded.compile import Compiled, compile_cell, private_module, run_code
from fumehood.language.guarded.host_process import BorrowedProcess
from fumehood.language.guarded.modules import Modules
from fumehood.language.guarded.output import SWITCHES, catching_output
from fumehood.language.guarded.replacements import replacement
from fumehood.language.run import Outcome, ProcessEnvironment
from fumehood.language.run import Session as PlainSession
from fumehood.language.source import FILE_PREFIX, VALUE, Cell
from fumehood.policy import Policy
from fumehood.results import Violation

_MISSING = object()
_MACHINERY = ("__builtins__", "__name__", "__file__", "__warningregistry__", VALUE)
"""Variables of the machinery in the code's namespace, while a cell runs."""


class CompiledText:
    """What `compile` gives: usable by eval and exec only. A real code object has a `replace`
    method, which builds other code."""

    __slots__ = ("__weakref__", "mode")

    def __init__(self, mode: str) -> None:
        self.mode = mode


class Session(PlainSession):
    """Not safe for use from two threads at once; executors see to that."""

    def __init__(
        self,
        policy: Policy,
        namespace: dict[str, Any] | None = None,
        process_environment: ProcessEnvironment | None = None,
    ) -> None:
        """The session runs in the host's own process if no `process_environment` is given."""
        limits = policy.limits
        process = process_environment or BorrowedProcess(
            limits.cell_seconds, limits.output_characters, lambda: self.loop
        )
        super().__init__(replace(policy, language="guarded"), process_environment=process)
        self.namespace = {} if namespace is None else namespace
        self.machinery = frozenset(_MACHINERY)
        self.is_running = False
        self._private_copies: dict[str, dict[str, Any]] = {}
        self.random = random.Random()
        self.warning_filters: list[tuple[str, type]] = []
        self.caught_warnings: list[list[Any]] = []
        self._compiled_texts: weakref.WeakKeyDictionary[CompiledText, Compiled] = (
            weakref.WeakKeyDictionary()
        )
        self._context = contextvars.Context()  # empty: that of the host is not for code
        self._has_finalizers = False
        self._known = ChainMap(self.namespace, self.tools)
        self._modules = Modules(
            self.policy,
            self.imports,
            replace=lambda module, name: replacement(self, module, name),
            see=self._see_module,
            importing=process.importing,
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
        self.builtins = make_builtins(
            {
                "print": self._make_print(),
                "compile": self._make_compile(),
                **self._make_evaluators(),
                "__import__": self._make_import(),
                "final_answer": self._make_final_answer(),
            }
        )

    def obey(self, policy: Policy) -> None:
        super().obey(policy)
        self._modules.policy = policy

    def add_tools(self, tools: Mapping[str, Any]) -> None:
        """Make functions callable by name. Code may use their names for its own variables."""
        self.tools.update(tools)
        self.builtins.update(tools)

    def private_copy(self, module: str, replaced: Mapping[str, Any]) -> dict[str, Any]:
        """The variables of the session's own copy of a pure-Python module, in which some builtins
        are replaced: where a library function is right in all but one builtin that it calls."""
        if module not in self._private_copies:
            self._private_copies[module] = private_module(module, replaced)
        return self._private_copies[module]

    def before_tool(self) -> None:
        """Called when code calls the host."""
        self.process_environment.before_tool()

    def draw_anew(self, seed: int | None = None) -> None:
        self.random.seed(seed)
        super().draw_anew(seed)

    def _see_module(self, module: types.ModuleType) -> None:
        """A module is about to be shown to code."""
        name = module.__name__
        self.process_environment.see(module)
        if name == "asyncio":
            module.set_event_loop(self.loop)
        if name.partition(".")[0] not in sys.stdlib_module_names:
            self.process_environment.be_random()
        if name == "random":
            self.random.seed(self.process_environment.seed)  # this process may be a copy of another
        if name == "decimal":
            module.setcontext(module.getcontext().copy())  # contexts are shared by reference

    # -- a cell

    def outcome(self, source: str) -> Outcome:
        if isinstance(self.process_environment, BorrowedProcess):
            self.process_environment.begin_cell()
        outcome = super().outcome(source)
        self.process_environment.deadline.forward()  # a signal that was meant for the host
        return outcome

    def _compiled(self, source: str, file: str) -> tuple[Cell, list[Violation]]:
        self.sources.remember(file, source)
        cell = compile_cell(source, file, self.policy, self._guards, known=self._known)
        with catching_output(self.process_environment.output):
            for note in cell.warnings:
                print(note, file=sys.stderr)
        return cell, cell.findings.violations

    def _run(self, cell: Cell) -> tuple[Any, BaseException | None]:
        self.namespace["__builtins__"] = self.builtins
        self.namespace.setdefault("__name__", "__main__")
        self.is_running = True
        try:
            with catching_output(self.process_environment.output):
                value, error = super()._run(cell)
        finally:
            self.is_running = False
            for name in _MACHINERY:
                self.namespace.pop(name, None)
        changed = self.process_environment.changed
        if changed and error is None:
            names = ", ".join(sorted(changed)[:10])
            error = Forbidden(f"library code cannot be changed; put back: {names}")
        return value, error

    def _execute(self, cell: Cell) -> Any:
        assert isinstance(cell, Compiled)
        self._has_finalizers = self._has_finalizers or cell.findings.defines_finalizers
        try:
            return self._context.run(self._execute_alone, cell)
        finally:
            if self._has_finalizers and not self.process_environment.deadline.stopped:
                gc.collect()  # what finalizers do belongs to this cell

    def _execute_alone(self, cell: Compiled) -> Any:
        """Without an exception that the host is handling, which would be the context of every
        exception in the cell. This one stands before it: the error of a bare `raise`."""
        if sys.exc_info()[1] is None:
            return self._execute_code(cell)
        nothing = RuntimeError("No active exception to reraise")
        try:
            raise nothing
        except RuntimeError:
            nothing.__context__ = None
            nothing.__traceback__ = None
            self.traces.ignored = nothing
            return self._execute_code(cell)

    def _execute_code(self, cell: Compiled) -> Any:
        result = run_code(cell, self.namespace)
        if result is not None:  # the coroutine of a cell that awaits at its top level
            self.loop.run_until_complete(result)
        return self.namespace.get(VALUE)

    # -- what code calls: plain functions, whose closures hold the session. A closure cannot be
    # spelled.

    def handled(self) -> BaseException | None:
        """The exception that code is handling, which is not one of the host's."""
        error = sys.exc_info()[1]
        return error if self.is_running and error is not self.traces.ignored else None

    def _import_star(self, module: str) -> None:
        access.own_frame().f_globals.update(self._modules.import_star(module))

    def _make_print(self) -> Callable[..., None]:
        host_print = print

        def print_(*args: Any, file: Any = None, **kwargs: Any) -> None:
            if file is None:
                file = self._modules.changed("sys", "stdout", SWITCHES["stdout"])
            host_print(*args, file=file, **kwargs)

        print_.__name__ = print_.__qualname__ = "print"
        return print_

    def _make_import(self) -> Callable[..., Any]:
        modules = self._modules

        def __import__(
            name: Any, globals: Any = None, locals: Any = None, fromlist: Any = (), level: Any = 0
        ) -> Any:
            return modules.builtin_import(name, globals, locals, fromlist, level)

        return __import__

    def _make_compile(self) -> Callable[..., CompiledText]:
        def compile(source: Any, filename: Any = "text", mode: Any = "exec", *ignored: Any) -> Any:
            if mode not in ("exec", "eval"):
                raise ValueError("compile() mode must be 'exec' or 'eval'")
            text = CompiledText(mode)
            self._compiled_texts[text] = self._compile_text(source, mode)
            return text

        return compile

    def _compile_text(self, source: Any, mode: Literal["exec", "eval"]) -> Compiled:
        if isinstance(source, (bytes, bytearray)):
            source = bytes(source).decode()
        if not isinstance(source, str):
            raise TypeError(f"{mode}() arg 1 must be a string, bytes or code object")
        self.cells += 1
        file = f"{FILE_PREFIX}{self.cells}>"
        source = str.__str__(source)
        if mode == "eval":
            source = source.lstrip(" \t")
        self.sources.remember(file, source)
        compiled = compile_cell(
            source, file, self.policy, self._guards, known=self._known, mode=mode, is_cell=False
        )
        if compiled.findings.violations:
            raise Forbidden("\n".join(map(str, compiled.findings.violations)))
        return compiled

    def evaluate(
        self,
        source: Any,
        globals: Any = None,
        locals: Any = None,
        mode: Literal["exec", "eval"] = "eval",
    ) -> Any:
        """Run text, or what `compile` gave, held to the rules of a cell: as in CPython in the
        caller's variables, or in those given, with the session's builtins."""
        if globals is None:
            globals = access.own_frame().f_globals
            locals = access.guarded_locals() if locals is None else locals
        elif not isinstance(globals, dict):
            raise TypeError(f"{mode}() globals must be a dict, not {type(globals).__name__}")
        if dict.get(globals, "__builtins__", _MISSING) is _MISSING:
            dict.__setitem__(globals, "__builtins__", self.builtins)
        is_compiled = type(source) is CompiledText
        compiled = self._compiled_texts[source] if is_compiled else self._compile_text(source, mode)
        return run_code(compiled, globals, locals)

    def _make_evaluators(self) -> dict[str, Callable[..., Any]]:
        def eval(source: Any, globals: Any = None, locals: Any = None, /) -> Any:
            return self.evaluate(source, globals, locals)

        def exec(
            source: Any, globals: Any = None, locals: Any = None, /, *, closure: Any = None
        ) -> None:
            self.evaluate(source, globals, locals, "exec")

        return {"eval": eval, "exec": exec}

    # -- event loops

    def new_loop(self) -> Any:
        from fumehood.language.loop import CellLoop

        # Not the bound methods: code can reach the loop, and a method has an owner.
        return CellLoop(  # type: ignore[abstract]  # what it must not do is abstract
            lambda: self._halted(),
            lambda seconds: self.loop_waits(seconds),
            self.process_environment.clock,
        )

    @cached_property
    def loop(self) -> Any:
        """The loop that cells awaiting at their top level share, so that a task may live on from
        one to the next."""
        return self.new_loop()
