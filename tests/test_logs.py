"""What happens, as lines of the standard `logging`."""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fumehood import events, logs
from fumehood.results import ErrorInfo, Execution, Finding, Usage

FAILED = ErrorInfo("ValueError", "the secret is 42", "")

# One event of each kind, with what somebody said in it.
EXAMPLES: dict[str, dict[str, Any]] = {
    "SessionOpened": {
        "place": "jail",
        "policy": {},
        "report": "my report",
        "options": {},
        "python": "3.11",
        "fumehood": "0.1",
    },
    "SessionClosed": {},
    "ToolsSent": {"names": ("look", "find")},
    "VariablesSent": {"variables": {"x": "my value"}},
    "VariableDeleted": {"name": "x"},
    "EnvironmentSet": {"variables": {"KEY": "my secret"}},
    "FileWritten": {"path": "/home/user/a", "content": b"my file"},
    "FileRemoved": {"path": "/home/user/a"},
    "CommandStarted": {
        "number": 3,
        "line": "echo my secret",
        "cwd": "/home/user",
        "environment": {"KEY": "my secret"},
        "stdin": False,
    },
    "CommandEnded": {
        "number": 3,
        "exit_code": 137,
        "error": "it was killed",
        "stdout_bytes": 5,
        "stderr_bytes": 0,
    },
    "FileRenamed": {"path": "/home/user/a", "to": "/home/user/b"},
    "DirectoryMade": {"path": "/home/user/d"},
    "SnapshotTaken": {"snapshot": 3, "label": "before"},
    "SnapshotRestored": {"snapshot": 3, "label": "before", "of": "s2"},
    "Forked": {"children": ("s3", "s4")},
    "OpenedBeside": {"child": "s5"},
    "StateSaved": {"path": "/a/b"},
    "PackagesInstalled": {"packages": ("a 1.0",), "modules": ("a",)},
    "StateLoaded": {"path": "/a/b"},
    "SandboxDied": {"kept": True},
    "CellSubmitted": {"code": "my code"},
    "Printed": {"text": "my output"},
    "Displayed": {"bundle": {"text/plain": "my display"}},
    "ToolCalled": {"call": 1, "tool": "look", "args": ("my argument",), "kwargs": {"b": 2}},
    "ToolReturned": {
        "call": 1,
        "tool": "look",
        "value": "my result",
        "error": None,
        "seconds": 0.5,
    },
    "OutputFlagged": {"findings": (Finding("logs", "email", "redact", 2),)},
    "CellFinished": {
        "execution": Execution(
            value="my value", logs="my output", error=FAILED, fault="timeout", usage=Usage(1.5)
        )
    },
    "AgentRunStarted": {"agent": "a", "model": "m", "task": "my task", "max_steps": 3},
    "ModelCalled": {"call": 1, "model": "m", "purpose": "step", "messages": ("my message",)},
    "ModelAnswered": {
        "call": 1,
        "model": "m",
        "purpose": "step",
        "text": "my answer",
        "input_tokens": 1,
        "output_tokens": 2,
        "finish_reason": "stop",
        "error": None,
        "seconds": 0.5,
    },
    "AgentStepFinished": {
        "step": 1,
        "observation": "my observation",
        "error": None,
        "is_final_answer": False,
    },
    "AgentRunFinished": {
        "agent": "a",
        "state": "error",
        "output": "my output",
        "error": FAILED,
        "metrics": {"steps_used": 2},
        "seconds": 1.0,
    },
}


def make(kind: str, **fields: Any) -> events.Event:
    return events.KINDS[kind](
        at=1.0, session="s1", cell=4, run="r1", **{**EXAMPLES[kind], **fields}
    )


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Callable[..., list[str]]:
    """The lines that an event gives at a level, with their logger and level."""

    def log(event: events.Event, level: int = logging.DEBUG) -> list[str]:
        caplog.clear()
        with caplog.at_level(level, "fumehood"):
            logs.log(event)
        return [
            f"{record.levelname} {record.name} {record.getMessage()}" for record in caplog.records
        ]

    return log


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """As in a program that has not said a word about logging. pytest has."""
    root = logging.getLogger()
    before, root.handlers = root.handlers, []
    try:
        yield
    finally:
        root.handlers = before


# -- lines


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_kind_gives_lines_from_the_loggers_it_should(
    kind: str, lines: Callable[..., list[str]]
) -> None:
    found = lines(make(kind))
    assert found
    for line in found:
        assert line.split()[1] in {
            f"fumehood.{part}" for part in ("session", "cell", "tool", "model", "agent")
        }
        assert "\n" not in line and "%(" not in line
        assert "s1" in line or "r1" in line


@pytest.mark.parametrize(
    ("kind", "fields", "line"),
    [
        ("SessionOpened", {}, "INFO fumehood.session session s1 opened: jail"),
        ("SessionClosed", {}, "INFO fumehood.session session s1 closed"),
        ("SnapshotTaken", {}, "INFO fumehood.session session s1: snapshot 3 taken before"),
        (
            "SnapshotRestored",
            {},
            "INFO fumehood.session session s1: back at snapshot 3 of s2 before",
        ),
        (
            "SandboxDied",
            {},
            (
                "WARNING fumehood.session session s1: the sandbox died between cells, its variables"
                " are kept"
            ),
        ),
        ("CellFinished", {}, "WARNING fumehood.cell cell 4 of s1: fault: timeout, after 1.500 s"),
        (
            "CellFinished",
            {"execution": Execution(rolled_back=True, error=FAILED)},
            "WARNING fumehood.cell cell 4 of s1: raised ValueError, rolled back, after 0.000 s",
        ),
        (
            "OutputFlagged",
            {},
            "WARNING fumehood.cell cell 4 of s1 gave out: email in logs, 2 times (redact)",
        ),
        (
            "ModelAnswered",
            {"error": ErrorInfo("ModelError", "no route", "")},
            "WARNING fumehood.model run r1: m gave no answer after 0.500 s: ModelError: no route",
        ),
        ("AgentRunStarted", {}, "INFO fumehood.agent run r1 of agent a started, with m"),
        (
            "AgentRunFinished",
            {},
            "INFO fumehood.agent run r1 of agent a: error ValueError, 2 steps, 1.000 s",
        ),
    ],
)
def test_what_matters_is_said_in_a_line_at_its_level(
    kind: str, fields: Any, line: str, lines: Callable[..., list[str]]
) -> None:
    assert lines(make(kind, **fields), logging.INFO) == [line]


@pytest.mark.parametrize("kind", EXAMPLES)
def test_what_somebody_said_is_in_lines_for_debugging_only(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "fumehood"):
        logs.log(make(kind))
    assert caplog.records
    for record in caplog.records:
        if record.levelno > logging.DEBUG:
            told = record.getMessage() + repr(record.__dict__["fumehood"])
            assert "my " not in told and "secret" not in told


def test_a_record_carries_what_it_says_as_data(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "fumehood"):
        logs.log(make("CellFinished"))
    data = caplog.records[0].__dict__["fumehood"]
    assert {
        "event": "CellFinished",
        "session": "s1",
        "cell": 4,
        "run": "r1",
        "fault": "timeout",
        "seconds": 1.5,
    }.items() <= data.items()


# -- hostile text


@pytest.mark.parametrize(
    "evil",
    [
        "a\nFAKE LINE",
        "\x1b[2J\x07",
        "\u202eabc\u2028",
        "\ud800",
        "\x9b31m",
        "%s %(x)s {0}",
        "x" * 1_000_000,
    ],
)
@pytest.mark.parametrize(
    "kind",
    ["CellSubmitted", "Printed", "ToolCalled", "AgentRunStarted", "ModelAnswered", "CellFinished"],
)
def test_hostile_text_stays_on_one_short_line(
    evil: str, kind: str, lines: Callable[..., list[str]]
) -> None:
    fields: dict[str, Any] = {
        "CellSubmitted": {"code": evil},
        "Printed": {"text": evil},
        "ToolCalled": {"tool": evil, "args": (evil, [evil]), "kwargs": {evil: {evil: evil}}},
        "AgentRunStarted": {"agent": evil, "model": evil, "task": evil},
        "ModelAnswered": {"text": evil, "model": evil, "error": ErrorInfo(evil, evil, evil)},
        "CellFinished": {
            "execution": Execution(
                value=[evil], logs=evil, error=ErrorInfo(evil, evil, evil), fault="crash"
            )
        },
    }[kind]
    found = lines(make(kind, **fields))
    assert found
    for line in found:
        assert line.isprintable() and len(line) < 3_000
        line.encode()


def test_values_are_shown_without_running_their_code_or_without_end(
    lines: Callable[..., list[str]],
) -> None:
    class Hostile:
        def __repr__(self) -> str:
            raise AssertionError("asked")

    many: list[Any] = ["x"]
    for _ in range(200):
        many = [many] * 100
    args = (Hostile(), {1: Hostile()}, 10**100_000, b"abc", float("nan"), {Hostile()}, many)
    (line,) = lines(make("ToolCalled", args=args))
    assert (
        "<Hostile>" in line
        and "<int of 332,193 bits>" in line
        and "<3 bytes>" in line
        and len(line) < 3_000
    )


# -- on and off


@pytest.mark.parametrize(
    "name",
    [
        "",
        "fumehood",
        "fumehood.cell",
        "fumehood.session",
        "fumehood.tool",
        "fumehood.model",
        "fumehood.agent",
    ],
)
def test_it_is_on_as_soon_as_somebody_listens_anywhere(name: str) -> None:
    logger, handler = logging.getLogger(name), logging.StreamHandler()
    level = logger.level
    with silence():
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
        try:
            assert logs.is_on()
        finally:
            logger.removeHandler(handler)
            logger.setLevel(level)
        assert not logs.is_on()


RUN = """
import logging, sys
{setup}
from fumehood import LocalPythonExecutor
with LocalPythonExecutor(isolation="inline", timeout_seconds=1.5) as executor:
    executor.run("print('said')")
    executor.run("while True: pass")
"""


def test_nothing_is_printed_unless_it_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(setup="")],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_a_program_that_asks_is_told() -> None:
    code = RUN.format(
        setup=(
            "logging.basicConfig(level=logging.INFO, stream=sys.stdout, format='%(levelname)s"
            " %(name)s %(message)s')"
        )
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["INFO", "fumehood.session"],
        ["WARNING", "fumehood.cell"],
        ["INFO", "fumehood.session"],
    ]
    assert "fault: timeout" in done.stdout and "said" not in done.stdout
