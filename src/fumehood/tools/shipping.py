"""Tools that run inside the sandbox: the function as bytes, which are unpickled in the jail and
nowhere else.

What belongs to the program itself goes along by value, because the sandbox does not have its files:
the function, what it refers to in its own module, and its class. Installed packages are only named,
and imported there.
"""

from __future__ import annotations

import contextlib
import sys
import sysconfig
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from fumehood.errors import ToolError
from fumehood.tools.tool import Tool

_LOCK = threading.Lock()
"""Which modules go by value is said to cloudpickle for the process as a whole."""


def runs_in_sandbox(tool: Any) -> bool:
    return isinstance(tool, Tool) and tool.runs == "sandbox"


def packed(tool: Tool) -> bytes:
    """What is sent of a tool that runs in the sandbox. Raises ToolError if it holds what cannot be
    sent, a lock or an open file."""
    import cloudpickle  # type: ignore[import-untyped, unused-ignore]  # late: few tools need it

    while isinstance(tool.adopted, Tool):
        tool = tool.adopted  # the same one, under another name
    # A tool made of a function is that function; one that has a class of its own goes whole, with
    # `setup` and what it holds.
    function: Any = tool.forward if type(tool) is Tool else tool
    module = getattr(function if type(tool) is Tool else type(tool), "__module__", None)
    with _by_value(cloudpickle, sys.modules.get(module) if isinstance(module, str) else None):
        try:
            data: bytes = cloudpickle.dumps(function)
        except Exception as error:
            raise ToolError(
                f"tool {tool.name!r} cannot be sent into the sandbox: {type(error).__name__}:"
                f" {error}"
            ) from None
    return data


@contextlib.contextmanager
def _by_value(cloudpickle: Any, module: ModuleType | None) -> Iterator[None]:
    if module is None or _is_installed(module):
        yield
        return
    with _LOCK:
        is_mine = module.__name__ not in cloudpickle.list_registry_pickle_by_value()
        if is_mine:
            cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            if is_mine:
                cloudpickle.unregister_pickle_by_value(module)


def _is_installed(module: ModuleType) -> bool:
    """Whether a module is there for a sandbox too: Python's own, an installed one, or ours."""
    file = getattr(module, "__file__", None)
    if file is None or module.__name__.partition(".")[0] == "fumehood":
        return module.__name__ != "__main__"
    places = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    path = Path(file).resolve()
    return any(path.is_relative_to(Path(place).resolve()) for place in places if place)
