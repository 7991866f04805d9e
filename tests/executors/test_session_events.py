"""What an executor tells of its session, wherever code runs."""

from __future__ import annotations

import asyncio
import contextvars
from contextlib import contextmanager
from typing import Any

import pytest

from fumehood import (
    Limits,
    LocalPythonExecutor,
    Policy,
    events,
)
from fumehood.events import Event
from fumehood.observing import add_context

from ..seen import Seen
from .conftest import MakeExecutor


def test_a_session_is_told_from_its_beginning_to_its_end(
    make_executor: MakeExecutor, place: str
) -> None:
    seen = Seen()
    executor = make_executor(audit=seen, policy=Policy(imports=("json",)), on_fault="keep")
    executor("import json\nprint('hello')\n6 * 7")
    executor.run("1 / 0")
    executor.run("import subprocess")
    executor.close()
    executor.close()
    cell = ["CellSubmitted", "CellFinished"]
    assert [kind for kind in seen.kinds() if kind != "Printed"] == [
        "SessionOpened",
        *cell,
        *cell,
        *cell,
        "SessionClosed",
    ]
    opened, first, second, third = seen[0], *seen.of(events.CellFinished)
    assert (opened.place, opened.report, opened.policy["imports"]) == (
        place,
        executor_report(opened, place),
        ["json"],
    )
    assert (
        opened.options == {"on_fault": "keep", "on_error": "keep", "redacts": False}
        and opened.cells == 0
    )
    assert {event.session for event in seen} == {opened.session} and [
        event.cell for event in seen.of(events.CellSubmitted)
    ] == [1, 2, 3]
    assert (
        "".join(event.text for event in seen.of(events.Printed))
        == first.execution.logs
        == "hello\n"
    )
    assert (first.execution.value, first.execution.imports) == (42, ("json",))
    assert second.execution.error.type == "ZeroDivisionError"
    assert (
        third.execution.fault == "refused"
        and third.execution.violations[0].name == "import subprocess"
    )
    assert seen[-1].cell == 0 and [event.at for event in seen] == sorted(event.at for event in seen)


def executor_report(opened: Any, place: str) -> str:
    assert ("seccomp" in opened.report) is (place != "inline")
    return str(opened.report)


def test_whoever_comes_later_is_told_of_the_session_and_how_much_was_missed(
    executor: LocalPythonExecutor,
) -> None:
    executor("x = 1")
    executor("x = 2")
    with executor.observe(seen := Seen()):
        executor("x")
    executor("x = 3")
    assert seen.kinds() == ["SessionOpened", "CellSubmitted", "CellFinished"]
    assert seen[0].cells == 2 and seen[1].cell == 3


def test_calls_of_tools_are_told_with_arguments_and_results(make_executor: MakeExecutor) -> None:
    seen = Seen()
    executor = make_executor(audit=seen)

    def add(a: int, b: int = 1) -> int:
        return a + b

    async def later(text: str) -> str:
        await asyncio.sleep(0)
        return text.upper()

    def fails() -> None:
        raise LookupError("nothing there")

    executor.send_tools({"add": add, "later": later, "fails": fails})
    executor(
        "add(2, b=3), later('x')\ntry: fails()\nexcept LookupError: pass\ntry: add('no')\nexcept"
        " TypeError: pass"
    )
    sent = seen.of(events.ToolsSent)[0]
    assert (sent.names, sent.asynchronous, sent.in_sandbox, sent.mathematics) == (
        ("add", "later", "fails"),
        ("later",),
        (),
        True,
    )
    called, returned = seen.of(events.ToolCalled), seen.of(events.ToolReturned)
    assert [(event.tool, event.args, event.kwargs) for event in called] == [
        ("add", (2,), {"b": 3}),
        ("later", ("x",), {}),
        ("fails", (), {}),
        ("add", ("no",), {}),
    ]
    assert [event.call for event in called] == [event.call for event in returned] == [1, 2, 3, 4]
    assert [event.value for event in returned] == [5, "X", None, None]
    assert [event.error and event.error.type for event in returned] == [
        None,
        None,
        "LookupError",
        "TypeError",
    ]
    assert all(event.cell == 1 and event.seconds >= 0 for event in returned)
    assert seen.kinds().index("ToolReturned") == seen.kinds().index("ToolCalled") + 1


def test_what_surrounds_a_tool_is_there_while_it_runs(make_executor: MakeExecutor) -> None:
    current: contextvars.ContextVar[str] = contextvars.ContextVar("current", default="nothing")

    @contextmanager
    def around(event: Event) -> Any:
        token = current.set(getattr(event, "tool", ""))
        yield
        current.reset(token)

    def plain() -> str:
        return current.get()

    async def later() -> str:
        await asyncio.sleep(0)
        return current.get()

    executor = make_executor()
    executor.send_tools({"plain": plain, "later": later})
    undo = add_context(around)
    try:
        assert executor("plain(), later()").output == ("plain", "later")
    finally:
        undo()
    assert executor("plain(), later()").output == ("nothing", "nothing")


def test_variables_and_files_that_the_host_changes_are_told(make_jailed: MakeExecutor) -> None:
    jailed = make_jailed(files=True)
    jailed.observe(seen := Seen())
    jailed.send_variables({"x": [1]})
    jailed.state["y"] = 2
    del jailed.state["y"]
    jailed.files.write("a/b.txt", "text")
    jailed.files.write("c", iter([b"12", b"34"]))
    assert [jailed.files.make_directory("d"), jailed.files.make_directory("d")] == [True, False]
    jailed.files.rename("c", "d/e")
    jailed.files.remove("d")
    assert [event.variables for event in seen.of(events.VariablesSent)] == [{"x": [1]}, {"y": 2}]
    assert [event.name for event in seen.of(events.VariableDeleted)] == ["y"]
    written = [(event.path, event.content, event.at_byte) for event in seen.of(events.FileWritten)]
    assert written == [("a/b.txt", b"text", 0), ("c", b"12", 0), ("c", b"34", 2)]
    assert [event.path for event in seen.of(events.DirectoryMade)] == ["d"]
    assert [(event.path, event.to) for event in seen.of(events.FileRenamed)] == [("c", "d/e")]
    assert [event.path for event in seen.of(events.FileRemoved)] == ["d"]


@pytest.mark.long
def test_a_fault_and_what_is_undone_are_told(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(
        audit=(seen := Seen()),
        policy=Policy(limits=Limits(cell_seconds=3), files=True, language="off"),
    )
    executor.run("import os; os._exit(3)")
    executor.run("while True: pass")
    assert [
        (event.execution.fault, event.execution.rolled_back)
        for event in seen.of(events.CellFinished)
    ] == [
        ("crash", True),
        ("timeout", True),
    ]


def test_branches_are_told_and_forks_have_the_same_observers(
    make_jailed: MakeExecutor, tmp_path: Any
) -> None:
    executor = make_jailed(audit=(seen := Seen()))
    executor("x = 1")
    snapshot = executor.snapshot("here")
    fork = executor.fork()
    fork("x = 2")
    executor.restore(snapshot)
    executor.save(tmp_path / "state")
    fork.close()
    session, other = executor.events.session, fork.events.session
    assert [(event.snapshot, event.label) for event in seen.of(events.SnapshotTaken)] == [
        (snapshot.number, "here")
    ]
    assert [(event.snapshot, event.of) for event in seen.of(events.SnapshotRestored)] == [
        (snapshot.number, session)
    ]
    assert seen.of(events.Forked)[0].children == (other,)
    born = seen.of(events.SessionOpened)[1]
    assert (born.session, born.parent, born.cells) == (other, session, 1)
    assert [(event.session, event.cell) for event in seen.of(events.CellSubmitted)] == [
        (session, 1),
        (other, 2),
    ]
    assert seen.of(events.StateSaved)[0].path == str(tmp_path / "state")
    with LocalPythonExecutor.load(tmp_path / "state", audit=(again := Seen())):
        assert again.kinds() == ["SessionOpened", "StateLoaded"]


def test_a_sandbox_that_dies_between_cells_is_told(jailed: LocalPythonExecutor) -> None:
    jailed("x = 1")
    jailed("x = 2")
    jailed.observe(seen := Seen())
    worker: Any = jailed._session
    worker._runner.signal(9)
    worker._runner.wait()
    with pytest.raises(Exception, match="the sandbox died"):
        _ = jailed.state["x"]
    assert len(seen.of(events.SandboxDied)) == 1


# -- output that is checked first


def test_what_is_redacted_is_redacted_for_everybody(make_executor: MakeExecutor) -> None:
    from fumehood.validation import Pattern

    shown: list[str] = []
    executor = make_executor(
        audit=(seen := Seen()),
        on_output=shown.append,
        validators=[Pattern("code word", "xyzzy", action="redact")],
    )
    executor.send_tools({"look": lambda text: text})
    execution = executor.run(
        "look('xyzzy')\nprint('the word is xy', end='')\nprint('zzy')\n{'word': 'xyzzy'}"
    )
    assert execution.findings
    told = [event for event in seen if not isinstance(event, events.CellSubmitted)]
    assert "xyzzy" not in repr(told) + repr(execution) + repr(shown)
    assert "the word is" in "".join(shown) and shown == [
        event.text for event in seen.of(events.Printed)
    ]
    assert [type(event).__name__ for event in told[-3:]] == [
        "OutputFlagged",
        "Printed",
        "CellFinished",
    ]


def test_what_is_refused_is_withheld_and_the_model_can_repair_it(
    make_executor: MakeExecutor,
) -> None:
    from fumehood.validation import Pattern

    executor = make_executor(validators=[Pattern("code word", "xyzzy", action="refuse")])
    execution = executor.run("print('xyzzy')\nfinal_answer('done')")
    assert (execution.value, execution.logs, execution.is_final_answer, execution.fault) == (
        None,
        "",
        False,
        "refused",
    )
    assert (
        execution.error is not None
        and execution.error.type == "OutputRefused"
        and "code word" in execution.error.message
    )
    assert executor("'fine'").output == "fine"


def test_what_is_too_large_to_be_checked_is_told_in_the_form_that_events_have(
    make_executor: MakeExecutor, tmp_path: Any
) -> None:
    from fumehood.audit import AuditLog, read
    from fumehood.validation import PersonalData, Validation

    def fail(text: str, more: str = "") -> None:
        raise LookupError("long " * 100)

    with AuditLog(tmp_path / "log") as log:
        executor = make_executor(
            audit=[seen := Seen(), log], validators=Validation([PersonalData()], characters=100)
        )
        executor.send_tools({"fail": fail})
        executor.send_variables({"long": "x" * 200, "short": "y"})
        executor("try: fail('x' * 200, more='y' * 200)\nexcept LookupError: pass")
        executor.close()
    called, returned, sent = (
        seen.of(events.ToolCalled)[0],
        seen.of(events.ToolReturned)[0],
        seen.of(events.VariablesSent)[0],
    )
    assert (
        len(called.args) == 1
        and called.args[0].startswith("[withheld")
        and called.kwargs["more"].startswith("[withheld")
    )
    assert returned.error.type == "LookupError" and returned.error.message.startswith("[withheld")
    assert sent.variables.keys() == {"long", "short"} and sent.variables["long"].startswith(
        "[withheld"
    )
    assert [record.event for record in read(tmp_path / "log")].count("ToolCalled") == 1
    for record in read(tmp_path / "log"):
        record.decoded()
