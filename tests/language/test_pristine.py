"""What is put back after a cell is what the cell has changed, and nothing of the host's."""

from __future__ import annotations

import weakref

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
