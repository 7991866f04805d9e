"""State of the whole process that code may change: each session has its own, put in place for its
cells and taken out after them.

A row says where the state is, how to read it and how to set it. A module that is not loaded has
none.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


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
