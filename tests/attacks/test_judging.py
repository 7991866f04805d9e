"""The judges of what the host holds: each is shown something that it must notice, and something
that it must let pass."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import LocalPythonExecutor
from fumehood.attack import steps
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import read
from fumehood.attack.judging import danger_of, strangers_in
from fumehood.attack.outcomes import Outcome, judged
from fumehood.attack.steps import Audited, as_an_agent, take
from fumehood.attack.tools import plain_tools
from fumehood.wire.values import RemoteObject


class Text(str):
    """A text with methods of its own."""


@pytest.fixture
def executor() -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(isolation="inline") as made:
        yield made


def test_an_object_of_another_class_is_a_stranger_wherever_it_is() -> None:
    assert strangers_in(Text("x")) and strangers_in([{"a": (Text("x"),)}])
    assert strangers_in(print) and strangers_in(int)
    assert strangers_in([1, "a", {"b": (None, 1.5)}, ValueError("x")]) == []


def test_an_object_that_stayed_inside_is_known_by_what_it_shows() -> None:
    assert danger_of([RemoteObject(1, "frame", "<frame>")])
    assert danger_of(RemoteObject(1, "module", "<module 'os' from '/lib/os.py'>"))
    assert danger_of({"a": ["<code object f at 0x1>"]})
    assert danger_of(RemoteObject(1, "module", "<module 'os'>")) is None
    assert danger_of([1, "text", {"a": None}]) is None


@pytest.mark.parametrize(
    ("tool", "given"),
    [("greet", [Text("x")]), ("add", [1, "2"]), ("count", [(1, 2)]), ("keys", [{1: 2}])],
)
def test_a_tool_notices_what_it_does_not_take(tool: str, given: list[Any]) -> None:
    outcome = Outcome()
    with contextlib.suppress(TypeError):
        plain_tools(outcome)[tool](*given)
    assert outcome.findings


def test_a_log_that_somebody_wrote_to_is_not_whole(executor: LocalPythonExecutor) -> None:
    audited = Audited()
    audited.begin(executor)
    executor.run("1")
    executor.close()
    path: Path = audited._path
    path.write_text(path.read_text() + '{"event":"CellFinished"}\n')
    assert "ESCAPED" in audited.verdict()


def test_an_agent_that_answers_what_its_model_did_not_say_last_is_noticed(
    executor: LocalPythonExecutor,
) -> None:
    assert "ESCAPED" in as_an_agent(executor, "final_answer('forged')", {}, Outcome())


def test_what_a_terminal_would_obey_is_noticed(
    executor: LocalPythonExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = Outcome(logs="\x1b[2J")
    assert "ESCAPED" not in take("show", executor, outcome)
    monkeypatch.setattr("fumehood.wire.show.printable", lambda text: text)
    assert "ESCAPED" in take("show", executor, outcome)


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Outcome(faults=["refused"]), "refused"),
        (Outcome(ending="held", value="held: no"), "contained"),
        (Outcome(ending="escaped", value="ESCAPED: it"), "escaped"),
        (Outcome(leaks=["CANARY-file-0"]), "escaped"),
        (Outcome(findings=["the victim is gone"]), "escaped"),
        (Outcome(afterwards="raises"), "escaped"),
        (Outcome(steps=["ESCAPED: a step"]), "escaped"),
        (Outcome(loot=["a frame"]), "escaped"),
    ],
)
def test_a_verdict_is_the_worst_that_is_known(outcome: Outcome, verdict: str) -> None:
    assert judged(read("exec/a_shell"), outcome, Configuration())[0] == verdict


def test_objects_do_not_count_where_the_rules_are_off_or_undone() -> None:
    for configuration in (
        Configuration(guarded=False),
        Configuration(imports=("os",)),
        Configuration(imports=("*",)),
    ):
        assert (
            judged(read("exec/a_shell"), Outcome(loot=["a frame"]), configuration)[0] == "contained"
        )
    assert (
        judged(read("exec/a_shell"), Outcome(loot=["a frame"]), Configuration(imports=("numpy",)))[
            0
        ]
        == "escaped"
    )


def test_a_step_that_fills_the_descriptor_table_is_an_escape(monkeypatch):
    def leak(_executor, _outcome, _name):
        held = [open(os.devnull) for _ in range(200)]  # noqa: PTH123, SIM115
        until = time.monotonic() + 60
        while not watched.is_set() and time.monotonic() < until:
            time.sleep(0.01)
        for file in held:
            file.close()
        return "leaked"

    watched, count = threading.Event(), steps._descriptors
    before = count()

    def counted():
        found = count()
        if found > before + 150:
            watched.set()
        return found

    monkeypatch.setattr(steps, "_descriptors", counted)
    monkeypatch.setitem(steps._ACTIONS, "leak", leak)
    monkeypatch.setitem(steps._ACTIONS, "harmless", lambda *_: "fine")
    assert steps.take("harmless", None, None) == "fine"
    assert steps.take("leak", None, None).startswith("ESCAPED: the host had ")


def test_a_step_that_takes_too_long_is_an_escape(monkeypatch):
    monkeypatch.setattr(steps._Watch, "_MOST_SECONDS", 0.0)
    monkeypatch.setitem(steps._ACTIONS, "harmless", lambda *_: time.sleep(0.01))
    assert steps.take("harmless", None, None).startswith("ESCAPED: the host waited ")
