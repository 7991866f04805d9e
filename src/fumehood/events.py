"""Everything that happens to code, as typed events: what an observer is told (observing.py), and
what an audit log is made of.

    SessionOpened                                                 an executor is there; an observer
                                                                  that comes later is told too
        ToolsSent, VariablesSent, VariableDeleted, EnvironmentSet,
        PackagesInstalled                                         what the host puts into the
                                                                  sandbox between cells
        FileWritten, FileRemoved, FileRenamed, DirectoryMade      the same, of files, and in a cell
                                                                  too
        CommandStarted, CommandEnded                              a command line, beside cells
        CellSubmitted                                             a cell, with its code
            Printed, Displayed                                    as they come; after the cell if
                                                                  output is validated first
            ToolCalled, ToolReturned                              any number, in parallel
        OutputFlagged                                             what validators found in what the
                                                                  cell gave out
        CellFinished                                              always, whatever the cell did
        SnapshotTaken, SnapshotRestored, Forked, OpenedBeside, StateSaved, StateLoaded, SandboxDied
    SessionClosed

    AgentRunStarted                                               with a task; events of the
                                                                  executor meanwhile have the same
                                                                  `run`
        ModelCalled, ModelAnswered
        AgentStepFinished
    AgentRunFinished

Values are the host's own objects, by reference: an observer must not change them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fumehood.results import ErrorInfo, Execution, Finding
from fumehood.wire.show import fields_repr


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What all have: when it was, in seconds since the epoch, and where: which session, which cell
    of it (0 between cells), on behalf of which run of an agent ("" if of none)."""

    at: float
    session: str = ""
    cell: int = 0
    run: str = ""

    def __repr__(self) -> str:
        return fields_repr(self, self.__struct_fields__)


# -- a session


class SessionOpened(Event, frozen=True, kw_only=True):
    """An executor is there. `report` says what isolates code there; `parent` is the session that it
    was forked from. `cells` have run before anybody listened, and are not among what follows."""

    place: str
    policy: dict[str, Any]
    report: str
    options: dict[str, Any]
    """What else it was made with that decides how cells go: on_fault, on_error; and whether
    validators may redact what comes out."""
    python: str
    fumehood: str
    parent: str = ""
    cells: int = 0


class SessionClosed(Event, frozen=True, kw_only=True):
    """An executor was closed."""


class ToolsSent(Event, frozen=True, kw_only=True):
    """Code can call these from now on. Some are awaited, and some run in the sandbox itself, where
    nobody sees them called. `mathematics` says that sqrt and the like came with them."""

    names: tuple[str, ...]
    asynchronous: tuple[str, ...] = ()
    in_sandbox: tuple[str, ...] = ()
    mathematics: bool = False


class VariablesSent(Event, frozen=True, kw_only=True):
    """The host has set variables."""

    variables: dict[str, Any]


class VariableDeleted(Event, frozen=True, kw_only=True):
    """The host has deleted a variable."""

    name: str


class EnvironmentSet(Event, frozen=True, kw_only=True):
    """The host has set variables of the environment that code runs in; None removes one."""

    variables: dict[str, str | None]


class FileWritten(Event, frozen=True, kw_only=True):
    """The host has written a file into the sandbox: from the byte `at_byte` on, behind which
    nothing of what it was is left."""

    path: str
    content: bytes
    at_byte: int = 0


class FileRemoved(Event, frozen=True, kw_only=True):
    """The host has removed a file, or a directory with all in it."""

    path: str


class FileRenamed(Event, frozen=True, kw_only=True):
    """The host has given a file or a directory another name."""

    path: str
    to: str


class DirectoryMade(Event, frozen=True, kw_only=True):
    """The host has made a directory."""

    path: str


class CommandStarted(Event, frozen=True, kw_only=True):
    """A command line runs in the sandbox. Those that run at the same time are told apart by their
    numbers."""

    number: int
    line: str
    cwd: str
    environment: dict[str, str]
    stdin: bool
    """Whether it is sent input, of which nothing is told."""


class CommandEnded(Event, frozen=True, kw_only=True):
    number: int
    exit_code: int
    error: str | None
    """Why it did not come to its own end, if it did not."""
    stdout_bytes: int
    stderr_bytes: int


class PackagesInstalled(Event, frozen=True, kw_only=True):
    """The host has installed packages, each told with its version; code can import these modules
    from now on."""

    packages: tuple[str, ...]
    modules: tuple[str, ...]


class SnapshotTaken(Event, frozen=True, kw_only=True):
    """The sandbox was kept as it is, to go back to."""

    snapshot: int
    label: str


class SnapshotRestored(Event, frozen=True, kw_only=True):
    """The sandbox is as it was at a snapshot; `of` is the session that took it."""

    snapshot: int
    label: str
    of: str


class Forked(Event, frozen=True, kw_only=True):
    """Other sessions begin here."""

    children: tuple[str, ...]


class OpenedBeside(Event, frozen=True, kw_only=True):
    """Another session begins, with variables of its own and the same files."""

    child: str


class StateSaved(Event, frozen=True, kw_only=True):
    """The variables were written to a file of the host."""

    path: str


class StateLoaded(Event, frozen=True, kw_only=True):
    """The session began with the variables of such a file."""

    path: str


class SandboxDied(Event, frozen=True, kw_only=True):
    """The sandbox's process died between cells. `kept` says whether another has its variables."""

    kept: bool


# -- a cell


class CellSubmitted(Event, frozen=True, kw_only=True):
    """A cell is handed to the sandbox."""

    code: str


class Printed(Event, frozen=True, kw_only=True):
    """A piece of what code prints. Untrusted text."""

    text: str


class Displayed(Event, frozen=True, kw_only=True):
    """A plot, a table: the same thing in one or more formats, by their mime types."""

    bundle: dict[str, str | bytes]


class ToolCalled(Event, frozen=True, kw_only=True):
    """Code calls one of the host's tools, which runs now. `call` numbers the calls of a session."""

    call: int
    tool: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class ToolReturned(Event, frozen=True, kw_only=True):
    """A tool is done: with a value, or with an error, if that is not None."""

    call: int
    tool: str
    value: Any
    error: ErrorInfo | None
    seconds: float


class OutputFlagged(Event, frozen=True, kw_only=True):
    """Validators have found something in what a cell gave out. What it was is not told again."""

    findings: tuple[Finding, ...]


class CellFinished(Event, frozen=True, kw_only=True):
    """A cell is over: value, output, error, fault, violations, imports, usage, and whether it was
    undone."""

    execution: Execution


# -- an agent


class AgentRunStarted(Event, frozen=True, kw_only=True):
    """An agent begins a task. `lead` is the run of another agent that it works for."""

    agent: str
    model: str
    task: str
    max_steps: int
    lead: str = ""


class ModelCalled(Event, frozen=True, kw_only=True):
    """A model is asked: for a `step`, a `plan`, a `summary`. `call` numbers the calls of a run."""

    call: int
    model: str
    purpose: str
    messages: tuple[Any, ...]


class ModelAnswered(Event, frozen=True, kw_only=True):
    """A model has answered, or has not: then `error` is not None."""

    call: int
    model: str
    purpose: str
    text: str
    input_tokens: int
    output_tokens: int
    finish_reason: str
    error: ErrorInfo | None
    seconds: float


class AgentStepFinished(Event, frozen=True, kw_only=True):
    """A step of a run is over. `observation` is what the model is told of it; `error` why it
    failed, if it did."""

    step: int
    observation: str
    error: ErrorInfo | None
    is_final_answer: bool


class AgentRunFinished(Event, frozen=True, kw_only=True):
    """A run is over. `state` is success, max_steps, timeout, interrupted or error; `metrics` what
    it took (agent/metrics.py)."""

    agent: str
    state: str
    output: Any
    error: ErrorInfo | None
    metrics: dict[str, Any]
    seconds: float


KINDS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        SessionOpened,
        SessionClosed,
        ToolsSent,
        VariablesSent,
        VariableDeleted,
        EnvironmentSet,
        FileWritten,
        FileRemoved,
        FileRenamed,
        DirectoryMade,
        CommandStarted,
        CommandEnded,
        PackagesInstalled,
        SnapshotTaken,
        SnapshotRestored,
        Forked,
        OpenedBeside,
        StateSaved,
        StateLoaded,
        SandboxDied,
        CellSubmitted,
        Printed,
        Displayed,
        ToolCalled,
        ToolReturned,
        OutputFlagged,
        CellFinished,
        AgentRunStarted,
        ModelCalled,
        ModelAnswered,
        AgentStepFinished,
        AgentRunFinished,
    )
}
"""Every kind of event, by its name."""
