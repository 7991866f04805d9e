"""Every message of the protocol, in one table: its name, who sends it, what answers it, and its
fields.

A message is a dataclass that nobody changes; on the wire it is a JSON object with its fields and
its name under "type". A field typed `Node` holds a value in the form that `values.py` gives it; the
bytes it refers to travel as buffers of the same frame. docs/protocol.md tells the story.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar

PROTOCOL = 1

# Signals that the host sends to a runner, by number, as both ends must agree. SIGRTMAX is 64 in
# every libc. SIGINT and SIGALRM belong to the code.
TIMEOUT_SIGNAL = 63
INTERRUPT_SIGNAL = 62

CHART = "application/vnd.fumehood.chart+json"
"""A format of our own in displays of a notebook: what a figure shows (worker/figures.py)."""
TABLE = "application/vnd.fumehood.table+json"
"""The same for the columns of a table."""

Node = Any
"""A value as the codec writes it; opaque to everything but the codec."""


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Message:
    """Comparing and showing are for tests, and for all kinds here: made for each of them they would
    cost every zygote ten milliseconds."""

    type: ClassVar[str] = ""
    answered_by: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and as_object(self) == as_object(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({as_object(self)})"


# -- host to worker


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Confine(Message):
    """Whoever speaks from here on is somebody else, who may have no more than `ceiling`, for good.
    `policy` is what to begin with."""

    type: ClassVar[str] = "confine"
    ceiling: dict[str, Any]
    policy: dict[str, Any]


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Open(Message):
    """The rules and limits that hold from here on, if they are not those that the worker was
    started with."""

    type: ClassVar[str] = "open"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    policy: dict[str, Any]


STDIN = "<stdin>"
"""The tool that gives a cell the next line of its input. Code cannot spell it."""


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Run(Message):
    """Run one cell. `released` are remote objects that the host no longer holds. `has_new_files`
    says that the host has changed files, by way of a clerk, since the last: a base from before that
    is none to go back to. `shares_files` says that they are another runner's, too, so that none are
    to be put back.

    `notebook` asks for what a notebook shows: standard error marked (apart.py), and in the place of
    the cell's value a display of it, if its last statement is an expression.

    `stdin` is the text that code reads from standard input. With `asks_for_input` it calls the tool
    STDIN for each line instead.
    """

    type: ClassVar[str] = "run"
    answered_by: ClassVar[tuple[str, ...]] = ("finished",)
    id: int
    code: str
    released: list[int] = field(default_factory=list)
    has_new_files: bool = False
    shares_files: bool = False
    notebook: bool = False
    stdin: str | None = None
    asks_for_input: bool = False


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class AddTools(Message):
    """Make stubs for functions of the host; `mathematics` adds the functions that need no import.

    `shipped` is a dictionary of those that run in the sandbox itself: name and pickle.
    """

    type: ClassVar[str] = "add_tools"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    tools: list[dict[str, Any]]
    mathematics: bool = False
    shipped: Node = None


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Authorize(Message):
    """What may be imported from here on, beyond the default list, in the place of what the policy
    says; and directories of packages to import from."""

    type: ClassVar[str] = "authorize"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    imports: list[str]
    path: list[str]


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class SetVariables(Message):
    """Add the items of a dictionary to the code's variables."""

    type: ClassVar[str] = "set_variables"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    variables: Node


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class GetVariable(Message):
    type: ClassVar[str] = "get_variable"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    name: str


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class DeleteVariable(Message):
    type: ClassVar[str] = "delete_variable"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    name: str


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class ListVariables(Message):
    """Ask for the names of the code's variables, in their order; `functions` asks for those that
    hold functions only."""

    type: ClassVar[str] = "list_variables"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    functions: bool = False


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class SetEnvironment(Message):
    """Set variables of the environment, or remove those that have no value."""

    type: ClassVar[str] = "set_environment"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    variables: dict[str, str | None]


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class WriteFile(Message):
    """Write a file; the content is a value of bytes. From `at` on: what is before that
    stays, and all behind it goes."""

    type: ClassVar[str] = "write_file"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    path: str
    content: Node
    at: int = 0


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class ReadFile(Message):
    """Ask for up to `most` bytes of a regular file, from `at` on: (content, size of the
    file, its number)."""

    type: ClassVar[str] = "read_file"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    path: str
    most: int
    at: int = 0


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class ListFiles(Message):
    """Ask for all regular files in /home/user: a list of (path, size)."""

    type: ClassVar[str] = "list_files"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    most: int


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class LookAt(Message):
    """Ask what is under a path: (path, kind, size, mode, when changed, where a link leads),
    or None."""

    type: ClassVar[str] = "look_at"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    path: str


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class ListEntries(Message):
    """Ask for what is in a directory of /home/user, and so many directories down: a list of what
    `look_at` gives."""

    type: ClassVar[str] = "list_entries"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    path: str
    depth: int
    most: int


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class MakeDirectory(Message):
    """Make a directory in /home/user, and those it is in; True if it was not there."""

    type: ClassVar[str] = "make_directory"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    path: str


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class RenameFile(Message):
    """Give something in /home/user another name; what `look_at` gives for it then."""

    type: ClassVar[str] = "rename_file"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    path: str
    to: str


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class RemoveFile(Message):
    """Remove a file of /home/user, or a directory with all in it."""

    type: ClassVar[str] = "remove_file"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    path: str


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class WatchFiles(Message):
    """Tell from here on what happens in a directory of /home/user, and do nothing else."""

    type: ClassVar[str] = "watch_files"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    path: str
    recursive: bool = False


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Command(Message):
    """To a command server: start a program, and answer with its process id. Its three standard
    streams are attached; `terminal` gives it a terminal of so many columns and rows. When it has
    ended, a `done` with the id `end` gives its exit code, signal and process id. With `held`, that
    is the only answer if it ends soon."""

    type: ClassVar[str] = "command"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    end: int
    arguments: list[str]
    cwd: str
    environment: dict[str, str] = field(default_factory=dict)
    terminal: list[int] | None = None
    held: bool = False


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class SignalCommand(Message):
    """Send a signal to the process group of a command."""

    type: ClassVar[str] = "signal_command"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    command: int
    number: int


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class ResizeTerminal(Message):
    """Set the size of a command's terminal."""

    type: ClassVar[str] = "resize_terminal"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    command: int
    columns: int
    rows: int


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class KeepCheckpoint(Message):
    """What was done so far stays. Before the next cell, keep a copy of yourself that can replace
    you. It waits on the attached socket, which serves for one checkpoint only."""

    type: ClassVar[str] = "keep_checkpoint"


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Resume(Message):
    """To a checkpoint that has said `ready`: the original is dead. Restore the files if `files`,
    and be the runner."""

    type: ClassVar[str] = "resume"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    files: bool = True


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Branch(Message):
    """Make a copy of yourself, whose lab is a copy of yours in another place. Its wire and its
    output are attached. The answer is the copy's process id, as the sandbox numbers it. Open files
    are open in the copy too, in its own lab."""

    type: ClassVar[str] = "branch"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    place: int
    own_random: bool = False
    """Whether the copy draws random numbers of its own, and not those that the original will
    draw."""
    seed: int | None = None
    """What they begin with; anything, if not given."""


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class DropLabs(Message):
    """Remove copies of the lab whose owners are gone."""

    type: ClassVar[str] = "drop_labs"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    places: list[int]


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class SaveState(Message):
    """Ask for the code's variables as bytes that make them again elsewhere, and for what is not
    among them."""

    type: ClassVar[str] = "save_state"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class LoadState(Message):
    """Make variables of such bytes."""

    type: ClassVar[str] = "load_state"
    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int
    payload: Node


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class ToolReturned(Message):
    type: ClassVar[str] = "tool_returned"
    call: int
    value: Node


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class ToolRaised(Message):
    """The tool, or the check of its arguments, raised; only plain arguments of the exception
    travel."""

    type: ClassVar[str] = "tool_raised"
    call: int
    error: str
    arguments: Node
    message: str


# -- worker to host


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Ready(Message):
    """The first message: the worker is closed off, and waits. `mark` is the last message of the
    host's that has changed anything here, for whoever comes back to a base: it may be older than
    what the host was told of."""

    type: ClassVar[str] = "ready"
    protocol: int
    mark: int = 0


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Broken(Message):
    """The worker could not enter its jail or serve; it ends after this."""

    type: ClassVar[str] = "broken"
    message: str


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class CallTool(Message):
    """Code calls a function of the host. `parallel` says that other code may go on meanwhile."""

    type: ClassVar[str] = "call_tool"
    answered_by: ClassVar[tuple[str, ...]] = ("tool_returned", "tool_raised")
    call: int
    name: str
    arguments: Node
    parallel: bool = False


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Display(Message):
    """A rich result: a dictionary from mime type to text or bytes. `is_value` says that it is the
    cell's value, in a notebook."""

    type: ClassVar[str] = "display"
    bundle: Node
    is_value: bool = False


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class CodeEnded(Message):
    """The cell's code has ended. Its displays and its value follow, and have a time limit of their
    own (`Limits.display_seconds`). Left out where they take no time."""

    type: ClassVar[str] = "code_ended"


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Finished(Message):
    """The cell is over. `error` is [type, message, traceback, line], each of `violations` [line,
    column, rule, name, reason, hint]. `wall` and `cpu` are nanoseconds."""

    type: ClassVar[str] = "finished"
    id: int
    value: Node = None
    is_final_answer: bool = False
    error: list[Any] | None = None
    fault: str | None = None
    violations: list[list[Any]] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    wall: int = 0
    cpu: int = 0
    peak_memory: int = 0


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Done(Message):
    type: ClassVar[str] = "done"
    id: int
    value: Node = None


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Failed(Message):
    type: ClassVar[str] = "failed"
    id: int
    error: str
    message: str


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class FilesChanged(Message):
    """What has happened to files, by somebody who was asked to watch them: a node of a list of
    (path, kind)."""

    type: ClassVar[str] = "files_changed"
    happened: Node


FROM_HOST: tuple[type[Message], ...] = (
    Confine,
    Open,
    Run,
    AddTools,
    Authorize,
    SetVariables,
    GetVariable,
    DeleteVariable,
    ListVariables,
    SetEnvironment,
    WriteFile,
    ReadFile,
    ListFiles,
    LookAt,
    ListEntries,
    MakeDirectory,
    RenameFile,
    RemoveFile,
    WatchFiles,
    Command,
    SignalCommand,
    ResizeTerminal,
    KeepCheckpoint,
    Resume,
    Branch,
    DropLabs,
    SaveState,
    LoadState,
    ToolReturned,
    ToolRaised,
)
FROM_WORKER: tuple[type[Message], ...] = (
    Ready,
    Broken,
    CallTool,
    Display,
    CodeEnded,
    Finished,
    Done,
    Failed,
    FilesChanged,
)


CHECKPOINT_HEAD = struct.Struct("=IQ")
"""What a runner writes to the socket of a checkpoint it has made: the checkpoint's process id, as
the sandbox numbers it, and its mark."""

CHANGING = frozenset(
    {
        "run",
        "open",
        "add_tools",
        "authorize",
        "set_variables",
        "delete_variable",
        "set_environment",
        "load_state",
    }
)
"""Messages of the host's after which variables, tools, rules or files are not what they were."""


def as_object(message: Message) -> dict[str, Any]:
    """A message as the JSON object that travels. Fields that have their default are left out."""
    body: dict[str, Any] = {"type": message.type}
    rows, values = FIELDS[type(message)]
    for (name, default), value in zip(rows, values(message), strict=True):
        if value is not default and value != default:
            body[name] = value
    return body


def _default(item: Field[Any]) -> Any:
    if item.default is not MISSING:
        return item.default
    return item.default_factory() if item.default_factory is not MISSING else MISSING


def _reader(names: list[str]) -> Callable[[Message], tuple[Any, ...]]:
    """What reads these fields of a message, all at once."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda message: tuple(getattr(message, name) for name in names)


FIELDS: dict[
    type[Message], tuple[tuple[tuple[str, Any], ...], Callable[[Message], tuple[Any, ...]]]
] = {
    kind: (
        tuple((item.name, _default(item)) for item in fields(kind)),
        _reader([item.name for item in fields(kind)]),
    )
    for kind in (*FROM_HOST, *FROM_WORKER)
}
"""The fields of each kind with their defaults, and what reads them all."""
