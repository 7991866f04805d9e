"""What is put back after a cell is what the cell has changed, and nothing of the host's."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Sequence

from fumehood import LocalPythonExecutor


class Thing:
    """Something that can be finalized."""


def test_a_finalizer_that_has_run_while_a_cell_ran_does_not_come_back() -> None:
    things, finalized = [Thing()], []
    finalizer = weakref.finalize(things[0], finalized.append, 1)
    with LocalPythonExecutor(["weakref"], isolation="inline") as executor:
        executor.send_tools({"drop": things.clear})
        executor("import weakref\ndrop()")
    assert finalized == [1]
    assert not finalizer.alive


def test_a_finalizer_that_is_made_while_a_cell_runs_stays() -> None:
    thing, finalizers = Thing(), []
    with LocalPythonExecutor(["weakref"], isolation="inline") as executor:
        executor.send_tools({"make": lambda: finalizers.append(weakref.finalize(thing, print))})
        executor("import weakref\nmake()")
    assert finalizers[0].alive
    finalizers[0].detach()


def test_finalizers_of_the_host_are_not_shown() -> None:
    with LocalPythonExecutor(["weakref"], isolation="inline") as executor:
        assert executor.run("import weakref\nweakref.finalize").fault == "refused"


def test_a_library_that_registers_its_classes_while_a_cell_runs_is_not_the_cell_s_doing() -> None:
    with LocalPythonExecutor(["collections.abc"], isolation="inline") as executor:
        executor.send_tools(
            {"load": lambda: bool(Sequence.register(sqlite3.Blob))}
        )  # as sqlite3 does with its Row when it is loaded
        assert executor.run("import collections.abc\nload()").error is None
    assert issubclass(sqlite3.Blob, Sequence)


def test_a_class_that_code_can_reach_is_not_left_registered() -> None:
    with LocalPythonExecutor(["collections.abc"], isolation="inline") as executor:
        executor.run("import collections.abc\ncollections.abc.Sequence.register(set)")
    assert not issubclass(set, Sequence)
