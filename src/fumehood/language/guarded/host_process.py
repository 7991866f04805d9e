"""The host's process, borrowed for the length of a cell and given back as it was: its event loop,
its library state, its library classes, its signals."""

from __future__ import annotations

import copy
import sys
import types
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from fumehood.language.deadline import Deadline
from fumehood.language.guarded.module_restore import LIBRARY
from fumehood.language.guarded.output import catching_output
from fumehood.language.run import ProcessEnvironment
from fumehood.wire.output import BoundedText


class BorrowedProcess(ProcessEnvironment):
    """The process environment of one inline session."""

    def __init__(
        self,
        cell_seconds: float | None,
        output_characters: int,
        loop: Callable[[], Any],
        on_text: Callable[[str], Any] | None = None,
    ) -> None:
        super().__init__(Deadline(cell_seconds))
        self._on_text = on_text
        self._output_characters = output_characters
        self.begin_cell()
        self._loop = loop
        self._state = ProcessState()
        self._thread_loop: tuple[Any, Any, bool] | None = None
        LIBRARY.see_shared()

    def begin_cell(self) -> None:
        """Begin a cell: its text is its own."""
        self.output = BoundedText(self._output_characters, self._on_text)

    def run(self, function: Callable[[], None]) -> None:
        changed: list[str] = []
        self.changed = changed
        events: Any = sys.modules.get("asyncio.events")
        # The host may run its own event loop in this thread; a cell may run one meanwhile.
        host_loop = events and events._get_running_loop()
        if host_loop is not None:
            events._set_running_loop(None)
        self._state.enter()
        self._take_thread_loop()
        try:
            with LIBRARY.kept(changed):
                self.deadline.run(function)
        finally:
            self._state.leave()
            self._give_thread_loop()
            if host_loop is not None:
                events._set_running_loop(host_loop)

    def run_aside(self, function: Callable[[], None], seconds: float) -> None:
        deadline = Deadline(seconds)
        with catching_output(BoundedText(1)):
            deadline.run(function)
        deadline.forward()

    def see(self, module: types.ModuleType) -> None:
        LIBRARY.see(module)
        self._state.see(module.__name__.partition(".")[0])
        self._take_thread_loop()

    def importing(self) -> AbstractContextManager[None]:
        return LIBRARY.importing()

    def before_tool(self) -> None:
        """The host's functions find the library's classes and functions as they were."""
        LIBRARY.put_back()

    def _take_thread_loop(self) -> None:
        """What asyncio makes while no loop runs belongs to the thread's loop, which must not be the
        host's."""
        if "asyncio" not in sys.modules or self._thread_loop is not None:
            return
        local = getattr(sys.modules["asyncio"].get_event_loop_policy(), "_local", None)
        if local is not None:
            self._thread_loop = (local, local._loop, local._set_called)
            local._loop, local._set_called = self._loop(), True

    def _give_thread_loop(self) -> None:
        if self._thread_loop is not None:
            local, loop, was_set = self._thread_loop
            local._loop, local._set_called = loop, was_set
            self._thread_loop = None


# -- state of the whole process that code may change: each session has its own, which is in place
# while its cells run


@dataclass(frozen=True, slots=True)
class StateRow:
    """State that a module keeps: how to read it and how to set it."""

    module: str
    what: str
    get: Callable[[Any], Any]
    set: Callable[[Any, Any], Any]


def _dialects(csv: Any) -> dict[str, Any]:
    return {name: csv.get_dialect(name) for name in csv.list_dialects()}


def _set_dialects(csv: Any, dialects: dict[str, Any]) -> None:
    for name in csv.list_dialects():
        csv.unregister_dialect(name)
    for name, dialect in dialects.items():
        csv.register_dialect(name, dialect)


def _pandas_options(pandas: Any) -> dict[str, Any]:
    config = getattr(sys.modules.get("pandas._config.config"), "_global_config", {})
    return copy.deepcopy(config)


def _set_pandas_options(pandas: Any, options: dict[str, Any]) -> None:
    sys.modules["pandas._config.config"]._global_config.update(copy.deepcopy(options))


def _called(getter: str, setter: str) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]:
    """State that a module has functions to read and to set."""

    def set_state(module: Any, state: Any) -> None:
        call = getattr(module, setter)
        call(**state) if isinstance(state, dict) else call(state)

    return lambda module: getattr(module, getter)(), set_state


ROWS = (
    StateRow("calendar", "first day of the week", *_called("firstweekday", "setfirstweekday")),
    StateRow("csv", "dialects", _dialects, _set_dialects),
    StateRow("csv", "field size limit", *_called("field_size_limit", "field_size_limit")),
    StateRow("decimal", "context", *_called("getcontext", "setcontext")),
    StateRow("numpy", "print options", *_called("get_printoptions", "set_printoptions")),
    StateRow("numpy", "error handling", *_called("geterr", "seterr")),
    StateRow("pandas", "options", _pandas_options, _set_pandas_options),
    StateRow("sys", "recursion limit", *_called("getrecursionlimit", "setrecursionlimit")),
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
        if module is not None and not getattr(module.__spec__, "_initializing", False):
            self._hosts[row] = (module, row.get(module))
