"""What happens, as lines of the standard `logging`, under `fumehood.*`. Nothing is printed unless
the program asks for it:

    logging.basicConfig(level=logging.INFO)                     sessions, runs, snapshots; and what
                                                                went wrong
    logging.getLogger("fumehood.cell").setLevel(logging.DEBUG)  every cell, with the beginning of
    its code and output

Each record also carries what it says as data, in `record.fumehood`. What code, models and tools say
is in records of level DEBUG only, cut, on one line and without control characters: a log is read in
terminals, and by programs that take a line for a record.
"""

from __future__ import annotations

import logging
import re
import reprlib
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from fumehood import events
from fumehood.errors import ObserverFailed
from fumehood.results import ErrorInfo

_LONGEST = 500
"""Characters of one thing that somebody said."""

_TOP = logging.getLogger("fumehood")
_ROOT = logging.getLogger()
SESSION = logging.getLogger("fumehood.session")
CELL = logging.getLogger("fumehood.cell")
TOOL = logging.getLogger("fumehood.tool")
MODEL = logging.getLogger("fumehood.model")
AGENT = logging.getLogger("fumehood.agent")

_NULL = logging.NullHandler()
_NOBODY = [_NULL]
_TOP.addHandler(_NULL)  # without any handler, `logging` would print warnings by itself

Facts = dict[str, Any]


class Row(NamedTuple):
    """One line that a kind of event gives: by whom, how loud, its words with places for facts, the
    facts, and when, if not always."""

    logger: logging.Logger
    level: int
    words: str
    facts: Callable[[Any], Facts] = lambda event: {}
    when: Callable[[Any], bool] = lambda event: True


def is_on() -> bool:
    """Whether there is anybody to read what `log` would write. Asked for every event, so it costs
    next to nothing while there is not."""
    if (
        not _ROOT.handlers
        and _TOP.handlers == _NOBODY
        and not (
            CELL.handlers or TOOL.handlers or SESSION.handlers or MODEL.handlers or AGENT.handlers
        )
    ):
        return False
    warning = logging.WARNING  # the loudest that is used here
    return (
        CELL.isEnabledFor(warning)
        or TOOL.isEnabledFor(logging.DEBUG)
        or SESSION.isEnabledFor(warning)
        or MODEL.isEnabledFor(warning)
        or AGENT.isEnabledFor(logging.INFO)
    )


def log(event: events.Event) -> None:
    """Write an event to whoever reads it. Never raises: a filter or a handler that does is reported
    once."""
    global _has_failed
    try:
        for row in TABLE.get(type(event), ()):
            if row.logger.isEnabledFor(row.level) and row.when(event):
                facts = {
                    "event": type(event).__name__,
                    "session": event.session,
                    "cell": event.cell,
                    "run": event.run,
                    **row.facts(event),
                }
                row.logger.log(row.level, row.words, facts, extra={"fumehood": facts})
    except Exception as error:
        if not _has_failed:
            _has_failed = True
            try:
                warnings.warn(
                    f"what fumehood does cannot be logged: {type(error).__name__}: {error}",
                    ObserverFailed,
                    stacklevel=2,
                )
            except (
                Exception
            ):  # a filter may turn warnings into errors, and this is not the place for one
                return


_has_failed = False


# -- words

# Control characters of both sets, line ends of every kind, what turns the direction of text around,
# and halves of characters, which no file can be written with.
_NOT_PLAIN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_NAMES = {"\n": "\\n", "\t": "\\t"}


def plain(text: object, most: int = _LONGEST) -> str:
    """A text, or a name, on one line, without what could harm a reader."""
    if not isinstance(text, str):
        return f"<{type(text).__name__}>"
    cut = _NOT_PLAIN.sub(lambda found: _NAMES.get(found[0], "�"), text[:most])
    return cut if len(text) <= most else f"{cut}… ({len(text) - most:,} more characters)"


class _Values(reprlib.Repr):
    """Values in few words. Of types that are not Python's own only the name is given: to ask them
    is to run their code."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 80
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = 5
        self.maxlevel = 3

    def repr1(self, x: Any, level: int) -> str:
        kind = type(x)
        if kind in (str, list, tuple, dict, set, frozenset):
            return super().repr1(x, level)
        if kind is int:
            return repr(x) if x.bit_length() < 200 else f"<int of {x.bit_length():,} bits>"
        if kind in (bool, float, complex, type(None)):
            return repr(x)
        if kind in (bytes, bytearray):
            return f"<{len(x):,} bytes>"
        return f"<{kind.__name__}>"


_values = _Values()


def _shown(value: object) -> str:
    return plain(_values.repr(value))


def _why(error: ErrorInfo | None) -> str:
    return "" if error is None else plain(str(error))


def _kind_of(error: ErrorInfo | None) -> str:
    return "" if error is None else plain(error.type, 100)


def _outcome(event: events.CellFinished) -> str:
    """How a cell ended, without a word of its own."""
    done = event.execution
    how = (
        f"fault: {done.fault}"
        if done.fault
        else f"raised {_kind_of(done.error)}"
        if done.error
        else "ok"
    )
    return f"{how}, rolled back" if done.rolled_back else how


# -- the table

_DEBUG, _INFO, _WARNING = logging.DEBUG, logging.INFO, logging.WARNING


def _finished(event: events.CellFinished) -> Facts:
    usage = event.execution.usage
    return {
        "outcome": _outcome(event),
        "fault": event.execution.fault,
        "rolled_back": event.execution.rolled_back,
        "seconds": usage.wall_seconds,
        "cpu_seconds": usage.cpu_seconds,
        "peak_memory_bytes": usage.peak_memory_bytes,
        "imports": [plain(name, 100) for name in event.execution.imports[:50]],
    }


def _called(event: events.ToolCalled) -> Facts:
    arguments = [_shown(value) for value in event.args[:10]]
    arguments += [
        f"{plain(name, 50)}={_shown(value)}" for name, value in [*event.kwargs.items()][:10]
    ]
    return {
        "tool": plain(event.tool, 100),
        "call": event.call,
        "arguments": plain(", ".join(arguments)),
    }


def _returned(event: events.ToolReturned) -> Facts:
    how = f"raised {_why(event.error)}" if event.error else f"gave {_shown(event.value)}"
    return {
        "tool": plain(event.tool, 100),
        "call": event.call,
        "outcome": how,
        "seconds": event.seconds,
    }


def _asked(event: events.ModelCalled) -> Facts:
    return {
        "model": plain(event.model, 100),
        "call": event.call,
        "purpose": plain(event.purpose, 100),
        "messages": len(event.messages),
    }


def _answered(event: events.ModelAnswered) -> Facts:
    return {
        "model": plain(event.model, 100),
        "call": event.call,
        "purpose": plain(event.purpose, 100),
        "seconds": event.seconds,
        "input_tokens": event.input_tokens,
        "output_tokens": event.output_tokens,
        "finish_reason": plain(event.finish_reason or "", 100),
        "error": _why(event.error),
    }


def _run_finished(event: events.AgentRunFinished) -> Facts:
    return {
        "agent": plain(event.agent, 100),
        "state": plain(event.state, 100),
        "seconds": event.seconds,
        "steps": event.metrics.get("steps_used", 0),
        "error": _kind_of(event.error),
    }


def _opened(event: events.SessionOpened) -> Facts:
    return {
        "place": plain(event.place, 100),
        "parent": event.parent,
        "python": event.python,
        "version": event.fumehood,
    }


def _snapshot(event: events.SnapshotTaken | events.SnapshotRestored) -> Facts:
    return {"snapshot": event.snapshot, "label": plain(event.label, 100)}


TABLE: dict[type[events.Event], tuple[Row, ...]] = {
    events.SessionOpened: (
        Row(SESSION, _INFO, "session %(session)s opened: %(place)s", _opened),
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: %(report)s",
            lambda event: {"report": plain(event.report, 2_000)},
        ),
    ),
    events.SessionClosed: (Row(SESSION, _INFO, "session %(session)s closed"),),
    events.ToolsSent: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: tools %(names)s",
            lambda event: {"names": plain(", ".join(event.names))},
        ),
    ),
    events.VariablesSent: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: variables %(names)s",
            lambda event: {"names": plain(", ".join([*event.variables]))},
        ),
    ),
    events.VariableDeleted: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: variable %(name)s deleted",
            lambda event: {"name": plain(event.name, 100)},
        ),
    ),
    events.FileWritten: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: file %(path)s written, %(size)d bytes",
            lambda event: {"path": plain(event.path), "size": len(event.content)},
        ),
    ),
    events.EnvironmentSet: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: environment %(names)s",
            lambda event: {"names": plain(", ".join([*event.variables]))},
        ),
    ),
    events.FileRemoved: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: %(path)s removed",
            lambda event: {"path": plain(event.path)},
        ),
    ),
    events.FileRenamed: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: %(path)s renamed to %(to)s",
            lambda event: {"path": plain(event.path), "to": plain(event.to)},
        ),
    ),
    events.DirectoryMade: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: directory %(path)s made",
            lambda event: {"path": plain(event.path)},
        ),
    ),
    events.CommandStarted: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: command %(number)d: %(line)s",
            lambda event: {"number": event.number, "line": plain(event.line)},
        ),
    ),
    events.CommandEnded: (
        Row(
            SESSION,
            _DEBUG,
            "session %(session)s: command %(number)d ended with %(exit_code)d, having printed"
            " %(size)d bytes %(error)s",
            lambda event: {
                "number": event.number,
                "exit_code": event.exit_code,
                "size": event.stdout_bytes + event.stderr_bytes,
                "error": plain(event.error or ""),
            },
        ),
    ),
    events.PackagesInstalled: (
        Row(
            SESSION,
            _INFO,
            "session %(session)s: installed %(packages)s",
            lambda event: {
                "packages": plain(", ".join(event.packages)),
                "modules": plain(", ".join(event.modules)),
            },
        ),
    ),
    events.SnapshotTaken: (
        Row(
            SESSION, _INFO, "session %(session)s: snapshot %(snapshot)s taken %(label)s", _snapshot
        ),
    ),
    events.SnapshotRestored: (
        Row(
            SESSION,
            _INFO,
            "session %(session)s: back at snapshot %(snapshot)s of %(of)s %(label)s",
            lambda event: {**_snapshot(event), "of": event.of},
        ),
    ),
    events.Forked: (
        Row(
            SESSION,
            _INFO,
            "session %(session)s forked: %(children)s",
            lambda event: {"children": plain(", ".join(event.children))},
        ),
    ),
    events.OpenedBeside: (
        Row(
            SESSION,
            _INFO,
            "session %(session)s: session %(child)s beside it",
            lambda event: {"child": plain(event.child)},
        ),
    ),
    events.StateSaved: (
        Row(
            SESSION,
            _INFO,
            "session %(session)s: variables saved to %(path)s",
            lambda event: {"path": plain(event.path)},
        ),
    ),
    events.StateLoaded: (
        Row(
            SESSION,
            _INFO,
            "session %(session)s: variables loaded from %(path)s",
            lambda event: {"path": plain(event.path)},
        ),
    ),
    events.SandboxDied: (
        Row(
            SESSION,
            _WARNING,
            "session %(session)s: the sandbox died between cells, its variables %(fate)s",
            lambda event: {"kept": event.kept, "fate": "are kept" if event.kept else "are lost"},
        ),
    ),
    events.CellSubmitted: (
        Row(
            CELL,
            _DEBUG,
            "cell %(cell)d of %(session)s: %(code)s",
            lambda event: {"code": plain(event.code)},
        ),
    ),
    events.Printed: (
        Row(
            CELL,
            _DEBUG,
            "cell %(cell)d of %(session)s printed: %(text)s",
            lambda event: {"text": plain(event.text)},
        ),
    ),
    events.Displayed: (
        Row(
            CELL,
            _DEBUG,
            "cell %(cell)d of %(session)s displayed %(kinds)s",
            lambda event: {"kinds": plain(", ".join(map(str, event.bundle)))},
        ),
    ),
    events.OutputFlagged: (
        Row(
            CELL,
            _WARNING,
            "cell %(cell)d of %(session)s gave out: %(findings)s",
            lambda event: {
                "findings": plain(
                    "; ".join(f"{finding} ({finding.action})" for finding in event.findings)
                )
            },
        ),
    ),
    events.CellFinished: (
        Row(
            CELL,
            _WARNING,
            "cell %(cell)d of %(session)s: %(outcome)s, after %(seconds).3f s",
            _finished,
            lambda event: event.execution.fault is not None or event.execution.rolled_back,
        ),
        Row(
            CELL,
            _DEBUG,
            "cell %(cell)d of %(session)s finished: %(outcome)s, %(seconds).3f s, value %(value)s"
            " %(error)s",
            lambda event: {
                **_finished(event),
                "value": _shown(event.execution.value),
                "error": _why(event.execution.error),
            },
        ),
    ),
    events.ToolCalled: (
        Row(TOOL, _DEBUG, "cell %(cell)d of %(session)s calls %(tool)s(%(arguments)s)", _called),
    ),
    events.ToolReturned: (
        Row(
            TOOL,
            _DEBUG,
            "%(tool)s %(outcome)s, for cell %(cell)d of %(session)s, %(seconds).3f s",
            _returned,
        ),
    ),
    events.AgentRunStarted: (
        Row(
            AGENT,
            _INFO,
            "run %(run)s of agent %(agent)s started, with %(model)s",
            lambda event: {
                "agent": plain(event.agent, 100),
                "model": plain(event.model, 100),
                "lead": event.lead,
            },
        ),
        Row(
            AGENT,
            _DEBUG,
            "run %(run)s: the task: %(task)s",
            lambda event: {"task": plain(event.task)},
        ),
    ),
    events.ModelCalled: (
        Row(
            MODEL,
            _DEBUG,
            "run %(run)s asks %(model)s for a %(purpose)s, %(messages)d messages",
            _asked,
        ),
    ),
    events.ModelAnswered: (
        Row(
            MODEL,
            _WARNING,
            "run %(run)s: %(model)s gave no answer after %(seconds).3f s: %(error)s",
            _answered,
            lambda event: event.error is not None,
        ),
        Row(
            MODEL,
            _DEBUG,
            "run %(run)s: %(model)s answered in %(seconds).3f s, %(input_tokens)d +"
            " %(output_tokens)d tokens: %(text)s",
            lambda event: {**_answered(event), "text": plain(event.text)},
            lambda event: event.error is None,
        ),
    ),
    events.AgentStepFinished: (
        Row(
            AGENT,
            _DEBUG,
            "run %(run)s: step %(step)d: %(observation)s %(error)s",
            lambda event: {
                "step": event.step,
                "observation": plain(event.observation),
                "error": _why(event.error),
            },
        ),
    ),
    events.AgentRunFinished: (
        Row(
            AGENT,
            _INFO,
            "run %(run)s of agent %(agent)s: %(state)s %(error)s, %(steps)d steps, %(seconds).3f s",
            _run_finished,
        ),
        Row(
            AGENT,
            _DEBUG,
            "run %(run)s: the answer: %(output)s %(message)s",
            lambda event: {"output": _shown(event.output), "message": _why(event.error)},
        ),
    ),
}
"""Every kind of event and the lines it gives. What failed, was undone or refused is a warning;
sessions, runs and snapshots are information; the rest, and all that holds what somebody said, is
for debugging."""
