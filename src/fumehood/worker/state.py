"""Saved variables: the variables of a session as bytes for a file, and back in another session.

cloudpickle carries the code's functions and classes by value. A function refers to the variables
of its session as a whole, so that it sees later changes of them. The host keeps the bytes and
never unpickles them.
"""

from __future__ import annotations

import io
import pickle
import sys
import types
from typing import Any

from fumehood.errors import CellStopped
from fumehood.wire.show import safe_str, type_name

_MOST_REASON = 300
_VARIABLES = "variables"
_FUNCTION_PARTS = (
    "__defaults__",
    "__kwdefaults__",
    "__dict__",
    "__annotations__",
    "__qualname__",
    "__module__",
    "__doc__",
)


class StateUnreadable(ValueError):
    """The bytes cannot be made into variables; the text says why."""


def save(session: Any) -> dict[str, Any]:
    """The state as bytes (`payload`), the kind of each variable in it, the reason for each that is
    not, and the modules that it needs."""
    variables = {
        name: value
        for name, value in session.variables().items()
        if type(name) is str and name.isidentifier()
    }
    refused: dict[str, str] = {}
    try:
        payload = _dumped(session, variables)
    except MemoryError:
        raise ValueError("there is not enough memory for a second copy of them") from None
    except Exception:
        for name, value in [*variables.items()]:
            try:
                _dumped(session, {name: value})
            except Exception as error:
                refused[name] = f"{type_name(error)}: {safe_str(error, _MOST_REASON)}"
                del variables[name]
        payload = _dumped(session, variables)
    return {
        "payload": payload,
        "saved": {name: _kind(value) for name, value in variables.items()},
        "not_saved": refused,
        "modules": sorted({*filter(None, map(_module, variables.values()))}),
    }


def load(session: Any, payload: bytes) -> None:
    """Give a session that has run nothing the variables of a payload. Raises StateUnreadable."""
    try:
        state = _loaded(session, payload)
        variables, sources, cells = state["variables"], state["sources"], state["cells"]
        names = {*map(type, variables)} <= {str} and {*map(type, sources.values())} <= {str}
    except CellStopped:
        raise
    except MemoryError:
        raise StateUnreadable("it needs more memory than there is") from None
    except Exception as error:
        text = f"{type_name(error)}: {safe_str(error, _MOST_REASON)}"
        raise StateUnreadable(f"its variables cannot be made again: {text}") from None
    if not names or type(cells) is not int:
        raise StateUnreadable("what it holds is not a state")
    session.go_on_after(cells, sources)
    session.namespace.update(variables)


def _dumped(session: Any, variables: dict[str, Any]) -> bytes:
    import cloudpickle  # type: ignore[import-not-found, import-untyped, unused-ignore]  # late

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        def persistent_id(self, value: Any) -> Any:
            if value is session.namespace:
                return _VARIABLES
            name = getattr(value, "__name__", None) if callable(value) else None
            return ("tool", name) if name and session.tools.get(name) is value else None

        def reducer_override(self, value: Any) -> Any:
            if type(value) is types.CodeType:
                files.add(value.co_filename)
            if type(value) is types.FunctionType and value.__globals__ is session.namespace:
                return _reduced(value)
            return super().reducer_override(value)

    files: set[str] = set()
    pickled = io.BytesIO()
    Pickler(pickled, protocol=5).dump(variables)
    sources = {file: "\n".join(session.sources.lines(file) or ()) for file in sorted(files)}
    head = pickle.dumps({"sources": sources, "cells": session.cells}, protocol=5)
    return head + pickled.getvalue()


def _loaded(session: Any, payload: bytes) -> dict[str, Any]:
    """Reads what `_dumped` wrote: two pickles."""

    class Unpickler(pickle.Unpickler):
        def persistent_load(self, what: Any) -> Any:
            return session.namespace if what == _VARIABLES else session.tools[what[1]]

    file = io.BytesIO(payload)
    state: dict[str, Any] = pickle.load(file)
    return {**state, "variables": Unpickler(file).load()}


def _reduced(function: types.FunctionType) -> tuple[Any, ...]:
    cells = function.__closure__ or ()
    state = {name: getattr(function, name) for name in _FUNCTION_PARTS}
    filled = [_contents(cell) for cell in cells]
    arguments = (function.__code__, function.__globals__, function.__name__, len(cells))
    return _new_function, arguments, (state, filled), None, None, _fill_function


def _contents(cell: types.CellType) -> tuple[Any, ...]:
    try:
        return (cell.cell_contents,)
    except ValueError:
        return ()


def _new_function(
    code: types.CodeType, variables: dict[str, Any], name: str, cells: int
) -> types.FunctionType:
    closure = tuple(types.CellType() for _ in range(cells)) or None
    return types.FunctionType(code, variables, name, None, closure)


def _fill_function(function: types.FunctionType, parts: tuple[Any, list[Any]]) -> None:
    state, filled = parts
    for name, value in state.items():
        setattr(function, name, value)
    for cell, contents in zip(function.__closure__ or (), filled, strict=True):
        if contents:
            cell.cell_contents = contents[0]


def _kind(value: Any) -> str:
    return "class" if issubclass(type(value), type) else type_name(value)


def _module(value: Any) -> str | None:
    """The module that a variable is, or needs if that is not of the standard library."""
    if isinstance(value, types.ModuleType):
        return "os.path" if value.__name__ == "posixpath" else value.__name__
    name = type(value).__module__
    top = name.partition(".")[0] if isinstance(name, str) else "__main__"
    return None if top == "__main__" or top in sys.stdlib_module_names else top
