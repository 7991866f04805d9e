"""The bodies of the native API: what requests bring and answers give. The OpenAPI document is made
from these.

Values of Python are *typed JSON* (audit/values.py): a plain value is itself, anything else
`{"$wire": …}`, and what is too large `{"$cut": …}`, with its type and the beginning of its repr.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Seconds = Annotated[float, Meta(gt=0, le=31_536_000, description="A number of seconds.")]
Name = Annotated[str, Meta(max_length=200)]
Path = Annotated[
    str,
    Meta(
        max_length=4096,
        description="Relative to /home/user, or beginning with /home/user or /tmp.",
    ),
]
Metadata = Annotated[
    dict[Annotated[str, Meta(max_length=256)], Annotated[str, Meta(max_length=4096)]],
    Meta(max_length=64),
]
Environment = Annotated[
    dict[Annotated[str, Meta(max_length=256)], Annotated[str, Meta(max_length=32_768)]],
    Meta(max_length=256),
]
Typed = Annotated[
    Any, Meta(description='Typed JSON: plain JSON, or {"$wire": …} for what JSON has no form for.')
]


class Body(Struct, forbid_unknown_fields=True, kw_only=True):
    """A request. A field that is not known is an error, as it is most likely a misspelling."""


class Query(Struct, forbid_unknown_fields=True, kw_only=True):
    """A query string, likewise."""


class Answer(Struct, kw_only=True):
    """An answer."""


class Problem(Answer):
    """Every refusal has this body."""

    code: int
    error: str
    message: str


# -- sandboxes


class Narrower(Body):
    """Limits below those of the key, for one sandbox."""

    cell_seconds: Seconds | None = None
    memory_bytes: Annotated[int, Meta(ge=16 << 20, lt=1 << 62)] | None = None
    processes: Annotated[int, Meta(ge=1, lt=1 << 31)] | None = None
    output_characters: Annotated[int, Meta(ge=1, lt=1 << 31)] | None = None


class Create(Body):
    template: Name | None = None
    """A policy that the operator has made; without one, the key's own."""
    timeout_seconds: Seconds | None = None
    metadata: Metadata = {}
    environment: Environment = {}
    limits: Narrower | None = None
    on_fault: Literal["rollback", "keep"] | None = None
    """Whether a cell that runs out of time or memory, or crashes, is undone, at the price of a copy
    of the process for each cell. Without it, as the operator has set."""
    snapshot: Name | None = None
    """Begin as a snapshot is."""


class SandboxInfo(Answer):
    id: str
    template: str
    state: str
    """`running` or `paused`."""
    created: float
    expires: float
    metadata: dict[str, str]
    contexts: list[str]
    cells: int


class SandboxList(Answer):
    sandboxes: list[SandboxInfo]


class Timeout(Body):
    timeout_seconds: Seconds


class Resume(Body):
    timeout_seconds: Seconds | None = None


class Fork(Body):
    number: Annotated[int, Meta(ge=1, le=32)] = 1


# -- running


class Run(Body):
    code: Annotated[str, Meta(max_length=2_000_000)]
    context: Name | None = None
    timeout_seconds: Seconds | None = None
    """Less than what the policy gives a cell."""
    keep_running: bool = False
    """Of an event stream: let the cell go on when nobody reads any more, where it would be
    interrupted."""


class ErrorShape(Answer):
    type: str
    message: str
    traceback: str
    line: int | None


class ViolationShape(Answer):
    line: int
    column: int
    rule: str
    name: str
    reason: str
    hint: str


class UsageShape(Answer):
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int | None


class Ran(Answer):
    """The outcome of a cell."""

    value: Typed
    text: str | None
    """The value's repr, cut; null for None."""
    logs: str
    displays: list[dict[str, Any]]
    """Each by mime type: text as it is, bytes as {"base64": …}."""
    error: ErrorShape | None
    fault: str | None
    violations: list[ViolationShape]
    is_final_answer: bool
    rolled_back: bool
    usage: UsageShape


class InContext(Query):
    context: Name | None = None


class Interrupted(Answer):
    interrupted: bool
    """False if nothing was running."""


class Names(Answer):
    names: list[str]


class Value(Answer):
    value: Typed
    text: str


class Variables(Body):
    variables: Annotated[dict[str, Typed], Meta(max_length=1000)]
    context: Name | None = None


class Install(Body):
    packages: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=200)]], Meta(min_length=1, max_length=32)
    ]


class InstalledShape(Answer):
    packages: dict[str, str]
    modules: list[str]


class CommandLine(Body):
    line: Annotated[str, Meta(max_length=131_072)]
    cwd: Path | None = None
    environment: Environment = {}
    timeout_seconds: Seconds | None = None


class CommandDone(Answer):
    stdout: str
    stderr: str
    exit_code: int
    error: str | None


# -- contexts, snapshots, files


class CreateContext(Body):
    environment: Environment = {}


class ContextInfo(Answer):
    id: str
    created: float
    cells: int


class ContextList(Answer):
    contexts: list[ContextInfo]


class CreateSnapshot(Body):
    name: Name = ""


class SnapshotInfo(Answer):
    id: str
    name: str
    sandbox: str
    created: float


class SnapshotList(Answer):
    snapshots: list[SnapshotInfo]


class OfSandbox(Query):
    sandbox: Name | None = None


class Restore(Body):
    snapshot: Name


class AtPath(Query):
    path: Path


class Listing(Query):
    path: Path = ""
    depth: Annotated[int, Meta(ge=1, le=64)] = 1


class FileInfo(Answer):
    path: str
    name: str
    kind: str
    """`file`, `directory`, `link` or `other`."""
    size: int
    mode: int
    modified: float | None
    target: str
    """Where a link leads."""


class FileList(Answer):
    entries: list[FileInfo]


class Directory(Body):
    path: Path


class Made(Answer):
    made: bool
    """False if it was there."""


class Rename(Body):
    old: Path
    new: Path


# -- the server


class Health(Answer):
    status: str


class KeyInfo(Answer):
    """What a key may have, and has."""

    name: str
    sandboxes: int
    snapshots: int
    running: int
    waiting: int
    quotas: dict[str, float | int | None]
    templates: list[str]
    may_install: bool
