"""Every message of the protocol: its name, its sender, what answers it, and its fields.

On the wire a message is a JSON object with its fields and its name under "type": the name of the
class in lower case (`AddTools` is "add_tools"). A field of type `Node` holds a value in the form of
values.py; the bytes that it refers to are buffers of the same frame. docs/protocol.md describes the
order of messages.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, dataclass_transform

PROTOCOL = 1

# Signals that the host sends to a runner, by number, as both ends must agree. SIGRTMAX is 64 in
# every libc. SIGINT and SIGALRM belong to the code.
TIMEOUT_SIGNAL = 63
INTERRUPT_SIGNAL = 62

CHART = "application/vnd.fumehood.chart+json"
"""A format of our own in displays of a notebook: what a figure shows (worker/display.py)."""
TABLE = "application/vnd.fumehood.table+json"
"""The same for the columns of a table."""
STDIN = "<stdin>"
"""The tool that gives a cell the next line of its input. Code cannot spell it."""
CHECKPOINT_HEAD = struct.Struct("=IQ")
"""What a runner writes to the socket of a checkpoint it has made: the checkpoint's process id, as
the sandbox numbers it, and its mark."""

Node = Any
"""A value as the codec writes it; opaque to everything but the codec."""


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Message:
    """Methods are defined once, here: generated for each class, they would cost every zygote ten
    milliseconds."""

    type: ClassVar[str] = ""
    answered_by: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and as_object(self) == as_object(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({as_object(self)})"


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class Request(Message):
    """A message of the host with an answer."""

    answered_by: ClassVar[tuple[str, ...]] = ("done", "failed")
    id: int


FROM_HOST: list[type[Message]] = []
FROM_WORKER: list[type[Message]] = []
_Kind = TypeVar("_Kind", bound=Message)


@dataclass_transform(eq_default=False, kw_only_default=True)
def _from_host(kind: type[_Kind]) -> type[_Kind]:
    return _row(kind, FROM_HOST)


@dataclass_transform(eq_default=False, kw_only_default=True)
def _from_worker(kind: type[_Kind]) -> type[_Kind]:
    return _row(kind, FROM_WORKER)


def _row(kind: type[_Kind], table: list[type[Message]]) -> type[_Kind]:
    made = dataclass(eq=False, repr=False, slots=True, kw_only=True)(kind)
    made.type = re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
    table.append(made)
    return made


# -- host to worker: cells, tools, variables


@_from_host
class Confine(Message):
    """From here on another host speaks, which can never get more than `ceiling`. `policy` is the
    first policy."""

    ceiling: dict[str, Any]
    policy: dict[str, Any]


@_from_host
class Open(Request):
    """Use this policy from here on."""

    policy: dict[str, Any]


@_from_host
class Run(Request):
    """Run one cell. `released` are remote objects that the host no longer holds. `has_new_files`:
    the host has changed files since the last cell, so an earlier checkpoint is out of date.
    `shares_files`: another runner has the same files, so that none are restored.

    `notebook` asks for what a notebook shows: standard error is marked (output.py), and a display
    replaces the value of a last expression.

    `stdin` is the text that code reads from standard input. With `asks_for_input` it calls the tool
    STDIN for each line instead.
    """

    answered_by: ClassVar[tuple[str, ...]] = ("finished",)
    code: str
    released: list[int] = field(default_factory=list)
    has_new_files: bool = False
    shares_files: bool = False
    notebook: bool = False
    stdin: str | None = None
    asks_for_input: bool = False


@_from_host
class AddTools(Request):
    """Make stubs for functions of the host. `mathematics` adds functions that need no import.
    `shipped` is a dict of tools that run in the sandbox: name and pickle."""

    tools: list[dict[str, Any]]
    mathematics: bool = False
    shipped: Node = None


@_from_host
class Authorize(Request):
    """What code may import from here on besides the default list, and directories of packages."""

    imports: list[str]
    path: list[str]


@_from_host
class SetVariables(Request):
    """Add the items of a dict to the code's variables."""

    variables: Node


@_from_host
class GetVariable(Request):
    name: str


@_from_host
class DeleteVariable(Request):
    name: str


@_from_host
class ListVariables(Request):
    """Give the names of the code's variables, or only of its functions."""

    functions: bool = False


@_from_host
class SetEnvironment(Request):
    """Set variables of the environment, and remove those without a value."""

    variables: dict[str, str | None]


@_from_host
class SaveState(Request):
    """Give the code's variables as bytes, and what is not among them."""


@_from_host
class LoadState(Request):
    """Make variables of such bytes."""

    payload: Node


@_from_host
class ToolReturned(Message):
    call: int
    value: Node


@_from_host
class ToolRaised(Message):
    """The tool, or the check of its arguments, raised. Only plain arguments of the exception
    travel."""

    call: int
    error: str
    arguments: Node
    message: str


# -- host to worker: files of /home/user. A file server answers these.


@_from_host
class WriteFile(Request):
    """Write a file from the offset `at` on. Nothing remains after the new content."""

    path: str
    content: Node
    at: int = 0


@_from_host
class ReadFile(Request):
    """Give up to `most` bytes of a regular file, from `at` on: (content, file size, inode)."""

    path: str
    most: int
    at: int = 0


@_from_host
class ListFiles(Request):
    """Give all regular files: a list of (path, size)."""

    most: int


@_from_host
class LookAt(Request):
    """Give (path, kind, size, mode, modification time, link target), or None."""

    path: str


@_from_host
class ListEntries(Request):
    """Give the entries of a directory, `depth` levels down: a list of what `look_at` gives."""

    path: str
    depth: int
    most: int


@_from_host
class MakeDirectory(Request):
    """Make a directory and its parents. Gives whether it is new."""

    path: str


@_from_host
class RenameFile(Request):
    """Give a file or directory another name. Gives what `look_at` gives for it."""

    path: str
    to: str


@_from_host
class RemoveFile(Request):
    """Remove a file, or a directory and all in it."""

    path: str


@_from_host
class WatchFiles(Request):
    """Report changes in a directory from here on, and do nothing else."""

    path: str
    recursive: bool = False


# -- host to worker: commands. A command server answers these.


@_from_host
class Command(Request):
    """Start a program and give its process id. Its three standard streams are attached; `terminal`
    gives it a terminal of so many columns and rows. When it has ended, a `done` with the id `end`
    gives its exit code, signal and process id. With `held`, that is the only answer if it ends
    soon."""

    end: int
    arguments: list[str]
    cwd: str
    environment: dict[str, str] = field(default_factory=dict)
    terminal: list[int] | None = None
    held: bool = False


@_from_host
class SignalCommand(Request):
    """Send a signal to the process group of a command."""

    command: int
    number: int


@_from_host
class ResizeTerminal(Request):
    """Set the size of a command's terminal."""

    command: int
    columns: int
    rows: int


# -- host to worker: copies of a runner


@_from_host
class KeepCheckpoint(Message):
    """Keep all that was done so far. Before the next cell, make a copy of this process that can
    replace it. The copy waits on the attached socket, which serves for one checkpoint only."""


@_from_host
class Resume(Request):
    """To a checkpoint that has said `ready`: replace the runner, which is dead. `files` says
    whether to restore the files."""

    files: bool = True


@_from_host
class Branch(Request):
    """Make a copy of this process, with a copy of its files in another place. Its wire and its
    output are attached. Gives the process id of the copy, as the sandbox numbers it. `own_random`:
    the copy draws other random numbers than the original, from `seed` if there is one."""

    place: int
    own_random: bool = False
    seed: int | None = None


@_from_host
class DropLabs(Request):
    """Remove copies of the files whose runners are gone."""

    places: list[int]


# -- worker to host


@_from_worker
class Ready(Message):
    """The first message: the worker is in its jail, and waits. `mark` is the last message of the
    host that changed anything in this process; for a checkpoint it can be an older one."""

    protocol: int
    mark: int = 0


@_from_worker
class Broken(Message):
    """The worker could not enter its jail or serve, and ends after this."""

    message: str


@_from_worker
class CallTool(Message):
    """Code calls a function of the host. `parallel`: other code may continue meanwhile."""

    answered_by: ClassVar[tuple[str, ...]] = ("tool_returned", "tool_raised")
    call: int
    name: str
    arguments: Node
    parallel: bool = False


@_from_worker
class Display(Message):
    """A rich result: a dict from MIME type to text or bytes. `is_value`: it is the value of the
    cell, in a notebook."""

    bundle: Node
    is_value: bool = False


@_from_worker
class CodeEnded(Message):
    """The cell's code has ended. Its displays and its value follow, with a time limit of their own
    (`Limits.display_seconds`). Not sent if they take no time."""


@_from_worker
class Finished(Message):
    """The cell has ended. `error` is [type, message, traceback, line], each of `violations` [line,
    column, rule, name, reason, hint]. `wall` and `cpu` are nanoseconds."""

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


@_from_worker
class Done(Message):
    id: int
    value: Node = None


@_from_worker
class Failed(Message):
    id: int
    error: str
    message: str


@_from_worker
class FilesChanged(Message):
    """After `watch_files`: a list of (path, kind of change)."""

    happened: Node


CHANGING = frozenset(
    kind.type
    for kind in (Run, Open, AddTools, Authorize, SetVariables, DeleteVariable, SetEnvironment)
) | {LoadState.type}
"""Messages of the host after which variables, tools, rules or files are different."""


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
    """A function that reads these fields of a message."""
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
"""The fields of each kind with their defaults, and a function that reads them all."""
