"""Tools that run in the sandbox itself."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

import pytest

from fumehood import LocalPythonExecutor
from fumehood.errors import ToolError
from fumehood.tools.adopting import as_tools
from fumehood.tools.tool import Tool, tool

pytest.importorskip("cloudpickle")

FACTOR = 10
LOCK = threading.Lock()


def scaled(x: int) -> int:
    return x * FACTOR


@tool(runs="sandbox")
def process(x: int, *, by: int = 1) -> tuple[int, int]:
    """Its process, and a number.

    Args:
        x: The number.
    """
    import os

    return os.getpid(), scaled(x) + by


@tool(runs="sandbox")
async def later(x: int) -> int:
    """Later."""
    import asyncio

    await asyncio.sleep(0)
    return x + 1


@tool(runs="sandbox")
def fails(kind: str) -> None:
    """Fails."""
    if kind == "own":
        raise Trouble("own trouble")
    raise LookupError("no", 3)


class Trouble(Exception):
    pass


class Counting(Tool):
    """Counts."""

    name = "counting"
    runs = "sandbox"

    def __init__(self, start: int) -> None:
        self.start = start

    def setup(self) -> None:
        self.count = self.start

    def forward(self, by: int = 1) -> int:
        self.count += by
        return self.count


@tool(runs="sandbox")
def holds_a_lock(x: int) -> bool:
    """Holds what cannot be sent."""
    return LOCK.locked()


def test_it_runs_in_the_sandbox_s_process_with_what_its_module_has(
    jailed: LocalPythonExecutor,
) -> None:
    jailed.send_tools(as_tools([process]))
    number, value = jailed("process(3, by=2)").output
    assert value == 32
    assert number != os.getpid()


def test_code_sees_its_name_its_signature_and_its_documentation_and_nothing_else(
    jailed: LocalPythonExecutor,
) -> None:
    jailed.send_tools({"process": process})
    assert jailed("process.__name__, process.__doc__").output == (
        "process",
        "Its process, and a number.\n\nArgs:\n    x: The number.",
    )
    assert jailed.run("process.forward").error is not None


def test_a_tool_of_a_class_is_set_up_there_and_keeps_what_it_has(
    jailed: LocalPythonExecutor,
) -> None:
    here = Counting(5)
    jailed.send_tools({"counting": here})
    assert jailed("counting(), counting(10)").output == (6, 16)
    assert not hasattr(here, "count")


def test_its_exceptions_are_raised_in_the_code(jailed: LocalPythonExecutor) -> None:
    jailed.send_tools({"fails": fails})
    assert jailed(
        "try:\n    fails('plain')\nexcept LookupError as e:\n    r = e.args\nr"
    ).output == ("no", 3)
    error = jailed.run("fails('own')").error
    assert error is not None and error.type.endswith("Trouble") and error.message == "own trouble"
    assert "test_shipping" not in error.traceback
    assert "takes 1 positional argument" in str(jailed.run("fails(1, 2)").error)


def test_it_is_held_to_the_cell_s_time() -> None:
    @tool(runs="sandbox")
    def spins(x: int) -> int:
        """Spins."""
        while True:
            x += 1

    with LocalPythonExecutor(timeout_seconds=0.3) as executor:
        executor.send_tools({"spins": spins})
        assert executor.run("spins(1)").fault == "timeout"


def test_it_is_there_again_after_a_crash_and_in_forks(jailed: LocalPythonExecutor) -> None:
    @tool(runs="sandbox")
    def crashes(x: int) -> None:
        """Ends the process."""
        import os

        os._exit(1)

    jailed.send_tools({"process": process, "crashes": crashes})
    assert jailed.run("crashes(1)").fault == "crash"
    assert jailed("process(1)[1]").output == 11
    with jailed.fork() as other:
        assert other("process(1)[1]").output == 11


@pytest.mark.parametrize("name", ["holds_a_lock", "needs_a_module"])
def test_what_cannot_be_sent_is_said_and_the_executor_stays_as_it_was(
    jailed: LocalPythonExecutor, name: str
) -> None:
    jailed.send_tools({"process": process})
    bad = {"holds_a_lock": lambda: holds_a_lock, "needs_a_module": _needs_a_module}[name]()
    with pytest.raises(
        ToolError, match=r"^tool '\w+' cannot (?:be sent into|run in) the sandbox: [^\n]+$"
    ):
        jailed.send_tools({"process": bad, "bad": bad})
    assert jailed("process(1)[1]").output == 11
    assert jailed.run("bad(1)").error is not None


def _needs_a_module() -> Tool:
    """A tool that refers to a module which only this process has."""
    import types

    module = types.ModuleType("only_here")
    exec("def help_me(x):\n    return x", module.__dict__)
    sys.modules["only_here"] = module
    helper: Any = module.help_me  # type: ignore[attr-defined]

    @tool(runs="sandbox")
    def needs(x: int) -> int:
        """Needs it."""
        return int(helper(x))

    return needs
