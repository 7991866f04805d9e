"""A session of the guarded language: in the sandbox's process, or in that of the host."""

from __future__ import annotations

import asyncio
import builtins
import contextvars
import math
import random
import sys
import threading
import types
import weakref
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fumehood.errors import Forbidden
from fumehood.language.deadline import Deadline
from fumehood.language.determinism import CellLoop, Clock
from fumehood.language.guarded import access
from fumehood.language.guarded.compile import Compiled, compile_cell, private_module, run_code
from fumehood.language.guarded.modules import Modules, catching_output, end_cell
from fumehood.language.guarded.rules import BUILTINS, LOOP_METHODS
from fumehood.language.run import Outcome
from fumehood.language.run import Session as PlainSession
from fumehood.language.source import FILE_PREFIX, VALUE, Cell
from fumehood.policy import Policy
from fumehood.results import Violation
from fumehood.wire.output import BoundedText

_MACHINERY = ("__builtins__", "__name__", "__file__", "__warningregistry__", VALUE)
"""Variables of the machinery in the code's namespace, while a cell runs."""
_MATHEMATICS = (
    "acos asin atan atan2 ceil comb cos degrees e exp factorial floor gcd hypot isclose isfinite"
    " isinf isnan lcm log log10 log2 perm pi prod radians sin sqrt tan trunc"
)
MATHEMATICS: dict[str, Any] = {name: getattr(math, name) for name in _MATHEMATICS.split()}
"""Mathematics that code may use without importing it, once tools were sent."""


_ABSTRACT = {name: getattr(asyncio.AbstractEventLoop, name) for name in LOOP_METHODS.split()}
GuardedLoop: Any = type("GuardedLoop", (CellLoop,), _ABSTRACT)  # what reaches the machine raises


class CompiledText:
    """What `compile` gives: only for eval and exec. A real code object has `replace`."""

    __slots__ = ("__weakref__",)


class Session(PlainSession):
    def __init__(
        self,
        policy: Policy,
        namespace: dict[str, Any] | None = None,
        *,
        clock: Clock | None = None,
        make_room: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(replace(policy, language="guarded"), clock=clock, make_room=make_room)
        self.namespace = {} if namespace is None else namespace
        self.machinery = frozenset(_MACHINERY)
        self.is_running = False
        self._private_copies: dict[str, types.ModuleType] = {}
        self.random: random.Random = random.Random()
        self._compiled_texts: Any = weakref.WeakKeyDictionary()
        self._context = contextvars.Context()  # empty: that of the host is not for code
        self._known = ChainMap(self.namespace, self.tools)
        self._modules = Modules(self)
        plain = (name for name, row in BUILTINS.items() if row.verdict == "plain")
        self.builtins: dict[str, Any] = {name: getattr(builtins, name) for name in plain}
        own = {"exit": end_cell, "quit": end_cell, "final_answer": self._make_final_answer()}
        self.builtins |= access.BUILTINS | own | self._make_builtins()

    def add_tools(self, tools: Mapping[str, Any]) -> None:
        """Make functions callable by name. Code may use their names for its own variables."""
        self.tools.update(tools)
        self.builtins.update(tools)

    def private_copy(self, module: str, replaced: Mapping[str, Any]) -> types.ModuleType:
        """The session's own copy of a pure-Python module, in which some builtins are replaced."""
        if module not in self._private_copies:
            self._private_copies[module] = private_module(module, replaced)
        return self._private_copies[module]

    def draw_anew(self, seed: int | None = None) -> None:
        self.random.seed(seed)
        super().draw_anew(seed)

    def see_module(self, module: types.ModuleType) -> None:
        """A module is about to be shown to code."""
        name = module.__name__
        if name == "asyncio":
            module.set_event_loop(self.loop)
        elif name == "random":
            self.random.seed(self.seed)  # this process may be a copy of another
        elif name == "decimal":
            module.setcontext(module.getcontext().copy())  # contexts are shared by reference
        elif name.partition(".")[0] not in sys.stdlib_module_names:
            super().draw_anew(self.seed)

    # -- a cell

    def _compiled(self, source: str, file: str) -> tuple[Cell, list[Violation]]:
        self.sources.remember(file, source)
        cell = compile_cell(source, file, self.policy, access.GUARDS, known=self._known)
        if cell.warnings:
            with catching_output(self.output):
                print(*cell.warnings, sep="\n", file=sys.stderr)
        return cell, cell.findings.violations

    def _run(self, cell: Cell) -> tuple[Any, BaseException | None]:
        self.namespace["__builtins__"] = self.builtins
        self.namespace.setdefault("__name__", "__main__")
        self.is_running = True
        try:
            with catching_output(self.output):
                return super()._run(cell)
        finally:
            self.is_running = False
            for name in _MACHINERY:
                self.namespace.pop(name, None)

    def _execute(self, cell: Cell) -> Any:
        return self._context.run(self._execute_alone, cell)

    def _execute_alone(self, cell: Any) -> Any:
        """Without an exception that the host is handling, which would be the context of every
        exception in the cell. This one stands before it: the error of a bare `raise`."""
        if sys.exc_info()[1] is not None and self.traces.ignored is not sys.exc_info()[1]:
            nothing = RuntimeError("No active exception to reraise")
            try:
                raise nothing
            except RuntimeError:
                nothing.__context__ = nothing.__traceback__ = None
                self.traces.ignored = nothing
                return self._execute_alone(cell)
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

    def _make_builtins(self) -> dict[str, Callable[..., Any]]:
        modules = self._modules

        def print(*args: Any, file: Any = None, **kwargs: Any) -> None:
            if file is None and "sys" in modules.views:
                file = vars(modules.views["sys"]).get("stdout")  # code may have put its own there
            builtins.print(*args, file=file, **kwargs)

        def __import__(
            name: Any, globals: Any = None, locals: Any = None, fromlist: Any = (), level: Any = 0
        ) -> Any:
            return modules.import_module(name, fromlist, level)

        def compile(source: Any, filename: Any = "text", mode: Any = "exec", *ignored: Any) -> Any:
            if mode not in ("exec", "eval"):
                raise ValueError("compile() mode must be 'exec' or 'eval'")
            text = CompiledText()
            self._compiled_texts[text] = self._compile_text(source, mode)
            return text

        def eval(source: Any, globals: Any = None, locals: Any = None, /) -> Any:
            return self.evaluate(source, globals, locals)

        def exec(
            source: Any, globals: Any = None, locals: Any = None, /, *, closure: Any = None
        ) -> None:
            self.evaluate(source, globals, locals, "exec")

        return {made.__name__: made for made in (print, __import__, compile, eval, exec)}

    def _compile_text(self, source: Any, mode: Any) -> Compiled:
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
            source, file, self.policy, access.GUARDS, known=self._known, mode=mode, is_cell=False
        )
        if compiled.findings.violations:
            raise Forbidden("\n".join(map(str, compiled.findings.violations)))
        return compiled

    def evaluate(
        self, source: Any, globals: Any = None, locals: Any = None, mode: Any = "eval"
    ) -> Any:
        """Run text, or what `compile` gave, checked as a cell, with the session's builtins."""
        if globals is None:
            globals = access.own_frame().f_globals
            locals = access.guarded_locals() if locals is None else locals
        elif not isinstance(globals, dict):
            raise TypeError(f"{mode}() globals must be a dict, not {type(globals).__name__}")
        if not dict.__contains__(globals, "__builtins__"):
            dict.__setitem__(globals, "__builtins__", self.builtins)
        is_compiled = type(source) is CompiledText
        compiled = self._compiled_texts[source] if is_compiled else self._compile_text(source, mode)
        return run_code(compiled, globals, locals)

    def new_loop(self) -> Any:
        return self._cell_loop(GuardedLoop)


class InlineSession(Session):
    """A session in the host's process, whose signals, streams, loop and limits are put back."""

    deadline: Deadline  # type: ignore[assignment]

    def __init__(
        self,
        policy: Policy,
        namespace: dict[str, Any] | None = None,
        on_text: Callable[[str], Any] | None = None,
    ) -> None:
        super().__init__(policy, namespace)
        self.deadline = Deadline(policy.limits.cell_seconds)
        self._on_text = on_text
        self._recursion_limit: int | None = None

    def outcome(self, source: str) -> Outcome:
        self.output = BoundedText(self.policy.limits.output_characters, self._on_text)
        outcome = super().outcome(source)
        if self.deadline.reason is not None:
            # A cycle through code is never collected, and a coroutine could go on when it is.
            self._kept = InlineSession.outcome.__code__.replace(co_consts=(self,))
        self.deadline.forward()  # a signal that was meant for the host
        return outcome

    def draw_anew(self, seed: int | None = None) -> None:
        """All but the session's own random numbers are the host's."""
        self.random.seed(seed)

    def _run_limited(self, function: Callable[[], None]) -> None:
        # The host may run its own event loop in this thread; a cell may run one meanwhile, and what
        # asyncio makes while no loop runs belongs to our loop and not to the host's.
        host_loop, host_limit = asyncio._get_running_loop(), sys.getrecursionlimit()
        asyncio._set_running_loop(None)
        local: Any = getattr(asyncio.get_event_loop_policy(), "_local", None) or threading.local()
        host_state = {**vars(local)}
        local._loop, local._set_called = self.loop, True
        sys.setrecursionlimit(self._recursion_limit or host_limit)
        try:
            super()._run_limited(function)
        finally:
            limit = sys.getrecursionlimit()
            self._recursion_limit = None if limit == host_limit else limit
            sys.setrecursionlimit(host_limit)
            vars(local).clear()
            vars(local).update(host_state)
            asyncio._set_running_loop(host_loop)

    def _run_aside(self, function: Callable[[], None], seconds: float) -> None:
        deadline = Deadline(seconds)
        with catching_output(BoundedText(1)):
            deadline.run(function)
        deadline.forward()
