"""The process that a session runs in: the host's, borrowed for the length of a cell, or one of its
own.

A borrowed process is given back as it was found: its event loop, its library state, its library
classes, its output streams, its signals. In a process of its own a session has nobody to give
anything back to.
"""

from __future__ import annotations

import contextlib
import copy
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from fumehood.language import seeding
from fumehood.language.clock import Clock
from fumehood.language.deadline import Deadline, DrivenDeadline
from fumehood.language.guarded.module_restore import LIBRARY
from fumehood.language.guarded.output import catching_output
from fumehood.wire.text import BoundedText


class Output(Protocol):
    """Where a cell's printed text goes."""

    def write(self, text: str, /) -> int: ...

    def getvalue(self) -> str: ...


class Surroundings(Protocol):
    seed: int | None
    """What random numbers begin with; None for anything."""
    clock: Clock | None
    """What code reads in the place of the machine's clock, if it does."""

    @property
    def deadline(self) -> Deadline: ...

    def new_output(self) -> Output:
        """Where the next cell's text goes."""

    def complain(self, text: str, output: Output) -> int:
        """Write what code writes to standard error, in a cell whose text goes to `output`."""

    def run(self, function: Callable[[], None], output: Output) -> list[str]:
        """Call the function as a cell; gives what it changed of the library and was put back. What
        it raises is its own to handle."""

    def run_aside(self, function: Callable[[], None], seconds: float) -> None:
        """Call a function that belongs to no cell and may be code's, with a time limit and its
        output thrown away."""

    def see(self, module: types.ModuleType) -> None:
        """A module is about to be shown to code."""

    def importing(self) -> contextlib.AbstractContextManager[None]:
        """Surrounds the import of a module for code."""

    def before_tool(self) -> None:
        """Called when code calls the host."""

    def be_random(self) -> None:
        """Draw random numbers that no other session draws."""

    def make_room(self) -> None:
        """No memory is left, and that is to be told."""


class BorrowedProcess:
    """The host's process."""

    seed: int | None = None
    clock: Clock | None = None

    def __init__(
        self,
        cell_seconds: float | None,
        output_characters: int,
        loop: Callable[[], Any],
        on_text: Callable[[str], Any] | None = None,
    ) -> None:
        self.deadline = Deadline(cell_seconds)
        self._on_text = on_text
        self._output_characters = output_characters
        self._loop = loop
        self._state = ProcessState()
        self._thread_loop: tuple[Any, Any, bool] | None = None
        self._seen = LIBRARY.see_shared()

    def new_output(self) -> Output:
        return BoundedText(self._output_characters, self._on_text)

    def complain(self, text: str, output: Output) -> int:
        return output.write(text)

    def run(self, function: Callable[[], None], output: Output) -> list[str]:
        changed: list[str] = []
        host_loop = _take_running_loop()
        self._state.enter()
        if "asyncio" in sys.modules:
            self._take_thread_loop()
        try:
            with LIBRARY.kept(self._seen, changed), catching_output(output):
                self.deadline.run(function)
        finally:
            self._state.leave()
            self._give_thread_loop()
            _give_running_loop(host_loop)
        return changed

    def run_aside(self, function: Callable[[], None], seconds: float) -> None:
        deadline = Deadline(seconds)
        with catching_output(BoundedText(1)):
            deadline.run(function)
        deadline.forward()

    def see(self, module: types.ModuleType) -> None:
        self._seen |= LIBRARY.see(module)
        self._state.see(module.__name__.partition(".")[0])
        if module.__name__ == "asyncio":
            self._take_thread_loop()

    def importing(self) -> contextlib.AbstractContextManager[None]:
        return LIBRARY.importing(self._seen)

    def make_room(self) -> None:
        """The host's memory is the host's."""

    def before_tool(self) -> None:
        """The host's functions find the library's classes and functions as they were."""
        LIBRARY.put_back(self._seen)

    def be_random(self) -> None:
        pass  # the host's generators are seeded as the host wants them

    def _take_thread_loop(self) -> None:
        """What asyncio makes while no loop runs belongs to the thread's loop, which must not be the
        host's."""
        local = _thread_loop()
        if local is not None and self._thread_loop is None:
            self._thread_loop = (local, local._loop, local._set_called)
            local._loop, local._set_called = self._loop(), True

    def _give_thread_loop(self) -> None:
        if self._thread_loop is not None:
            local, loop, was_set = self._thread_loop
            local._loop, local._set_called = loop, was_set
            self._thread_loop = None


class OwnProcess:
    """A process that is the session's alone. Output goes to a stream as it is written; whoever
    started the process keeps the time."""

    seed: int | None = None

    def __init__(
        self,
        output: Output,
        loop: Callable[[], Any],
        clock: Clock | None = None,
        complain: Callable[[str], int] | None = None,
        make_room: Callable[[], None] = lambda: None,
    ) -> None:
        """`complain` is what writes to standard error, where that is not the same as output;
        `make_room` lets go of memory."""
        self.deadline = DrivenDeadline()
        self.clock = clock
        self._output = output
        self._complain = complain or output.write
        self.make_room = make_room
        self._loop = loop
        self._is_random = False

    def new_output(self) -> Output:
        return self._output

    def complain(self, text: str, output: Output) -> int:
        return self._complain(text)

    def run(self, function: Callable[[], None], output: Output) -> list[str]:
        self.deadline.run(function)
        return []

    def run_aside(self, function: Callable[[], None], seconds: float) -> None:
        self.deadline.run(function, seconds)

    def see(self, module: types.ModuleType) -> None:
        if module.__name__ == "asyncio":
            local = _thread_loop()
            if local is not None:
                local._loop, local._set_called = self._loop(), True
        elif (
            not self._is_random and module.__name__.partition(".")[0] not in sys.stdlib_module_names
        ):
            self.be_random()

    def be_random(self) -> None:
        """Draw numbers of one's own: the process is a copy of another."""
        self._is_random = True
        if self.seed is not None:
            seeding.fix(self.seed)
            return
        for name in ("random", "numpy.random"):
            if name in sys.modules:
                sys.modules[name].seed(None)

    def importing(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def before_tool(self) -> None:
        pass


def _thread_loop() -> Any:
    """Where asyncio keeps this thread's loop; None where it keeps it elsewhere."""
    return getattr(sys.modules["asyncio"].get_event_loop_policy(), "_local", None)


def _take_running_loop() -> Any:
    """A host may run its own event loop in this thread; a cell must not see it, and may run one of
    its own meanwhile."""
    events = sys.modules.get("asyncio.events")
    if events is None:
        return None
    loop = events._get_running_loop()
    if loop is not None:
        events._set_running_loop(None)
    return loop


def _give_running_loop(loop: Any) -> None:
    if loop is not None:
        sys.modules["asyncio.events"]._set_running_loop(loop)


# -- state of the whole process that code may change: each session has its own, put in place for its
# cells and taken out after them. A row says where the state is, how to read it and how to set it; a
# module that is not loaded has none.


@dataclass(frozen=True, slots=True)
class StateRow:
    module: str
    what: str
    get: Callable[[Any], Any]
    set: Callable[[Any, Any], Any]


def _set_dialects(csv: Any, dialects: dict[str, Any]) -> None:
    for name in csv.list_dialects():
        csv.unregister_dialect(name)
    for name, dialect in dialects.items():
        csv.register_dialect(name, dialect)


def _pandas_options(pandas: Any) -> Any:
    config = getattr(sys.modules.get("pandas._config.config"), "_global_config", None)
    return copy.deepcopy(config) if type(config) is dict else None


def _set_pandas_options(pandas: Any, options: Any) -> None:
    config = getattr(sys.modules.get("pandas._config.config"), "_global_config", None)
    if type(config) is dict and options is not None:
        config.clear()
        config.update(copy.deepcopy(options))


ROWS = (
    StateRow(
        "csv",
        "dialects",
        lambda csv: {name: csv.get_dialect(name) for name in csv.list_dialects()},
        _set_dialects,
    ),
    StateRow(
        "csv",
        "field size limit",
        lambda csv: csv.field_size_limit(),
        lambda csv, limit: csv.field_size_limit(limit),
    ),
    StateRow(
        "numpy",
        "print options",
        lambda np: np.get_printoptions(),
        lambda np, options: np.set_printoptions(**options),
    ),
    StateRow(
        "numpy",
        "error handling",
        lambda np: np.geterr(),
        lambda np, handling: np.seterr(**handling),
    ),
    StateRow("pandas", "options", _pandas_options, _set_pandas_options),
    StateRow(
        "sys",
        "recursion limit",
        lambda sys: sys.getrecursionlimit(),
        lambda sys, limit: sys.setrecursionlimit(limit),
    ),
)


class ProcessState:
    """One session's share of the process's state."""

    def __init__(self) -> None:
        self._own: dict[StateRow, Any] = {}
        self._hosts: dict[StateRow, tuple[Any, Any]] = {}

    def enter(self) -> None:
        """Remember the host's state and put the session's in place."""
        self._hosts.clear()
        for row in ROWS:
            self._remember(row)
            if row in self._own and row in self._hosts:
                row.set(self._hosts[row][0], self._own[row])

    def see(self, module: str) -> None:
        """A module was loaded or first seen while a cell runs: its state is still the host's."""
        for row in ROWS:
            if row.module == module and row not in self._hosts:
                self._remember(row)

    def leave(self) -> None:
        """Remember the session's state where it differs and put the host's back."""
        for row, (module, host) in self._hosts.items():
            now = row.get(module)
            if now != host:
                self._own[row] = now
                row.set(module, host)
            else:
                self._own.pop(row, None)

    def _remember(self, row: StateRow) -> None:
        module = sys.modules.get(row.module)
        if (
            module is not None
            and getattr(getattr(module, "__spec__", None), "_initializing", False) is False
        ):
            self._hosts[row] = (module, row.get(module))
