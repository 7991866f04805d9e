"""Bodies of E2B's API, as its SDK writes and reads them. What is not known in a request is left
alone: newer SDKs say more."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from fumehood.server.refusals import Invalid

ENVD_VERSION = "0.6.4"
"""The version of E2B's daemon whose calls are answered here. SDKs ask nothing of it that came
later."""

Timeout = Annotated[int, Meta(ge=0, le=31_536_000)]
Texts = Annotated[
    dict[Annotated[str, Meta(max_length=256)], Annotated[str, Meta(max_length=32_768)]],
    Meta(max_length=256),
]
Name = Annotated[str, Meta(max_length=256)]


class AutoResume(Struct):
    enabled: bool = False


class NewSandbox(Struct, rename="camel"):
    template_id: Name = msgspec.field(name="templateID", default="")
    timeout: Timeout | None = None
    auto_pause: bool | None = None
    auto_pause_memory: bool | None = None
    auto_resume: AutoResume | None = None
    metadata: Texts | None = None
    env_vars: Texts | None = None
    network: dict[str, Any] | None = None
    mcp: Any = None
    iam: Any = None
    volume_mounts: list[Any] | None = None


class SetTimeout(Struct):
    timeout: Timeout = 15


class Refresh(Struct):
    duration: Timeout = 15


class Connect(Struct):
    timeout: Timeout | None = None
    memory: bool | None = None


class Pause(Struct):
    memory: bool | None = None


class Fork(Struct):
    timeout: Timeout | None = None
    count: Annotated[int, Meta(ge=1, le=100)] = 1


class TakeSnapshot(Struct):
    name: Name = ""
    memory: bool | None = None


class SandboxShape(Struct, rename="camel", kw_only=True):
    """A sandbox as whoever made it, or connects to it, is told of it."""

    template_id: str = msgspec.field(name="templateID")
    sandbox_id: str = msgspec.field(name="sandboxID")
    client_id: str = msgspec.field(name="clientID", default="fumehood")
    envd_version: str = ENVD_VERSION
    envd_access_token: str
    traffic_access_token: str
    domain: str | None = None


class Lifecycle(Struct, rename="camel"):
    on_timeout: Literal["pause", "kill"]
    auto_resume: bool


class ListedShape(Struct, rename="camel", kw_only=True):
    template_id: str = msgspec.field(name="templateID")
    sandbox_id: str = msgspec.field(name="sandboxID")
    client_id: str = msgspec.field(name="clientID", default="fumehood")
    alias: str
    started_at: str
    end_at: str
    cpu_count: int
    memory_mb: int = msgspec.field(name="memoryMB")
    disk_size_mb: int = msgspec.field(name="diskSizeMB")
    state: Literal["running", "paused"]
    envd_version: str = ENVD_VERSION
    metadata: dict[str, str]


class DetailShape(ListedShape, rename="camel", kw_only=True):
    envd_access_token: str
    allow_internet_access: bool = False
    domain: str | None = None
    lifecycle: Lifecycle


class Fault(Struct):
    code: int
    message: str


class ForkShape(Struct, omit_defaults=True):
    """One fork of several: it, or why there is none."""

    sandbox: SandboxShape | UnsetType = UNSET
    error: Fault | UnsetType = UNSET


class SnapshotShape(Struct):
    snapshot_id: str = msgspec.field(name="snapshotID")
    names: list[str]


class MetricShape(Struct, rename="camel", kw_only=True):
    timestamp: str
    timestamp_unix: int
    cpu_count: int
    cpu_used_pct: float
    mem_used: int
    mem_total: int
    mem_cache: int = 0
    disk_used: int
    disk_total: int


class TemplateShape(Struct, rename="camel", kw_only=True):
    template_id: str = msgspec.field(name="templateID")
    names: list[str]
    aliases: list[str]
    public: bool = False


# -- code


class Execute(Struct):
    code: Annotated[str, Meta(max_length=2_000_000)]
    context_id: Name | None = None
    language: Name | None = None
    env_vars: Texts | None = None


class NewContext(Struct):
    cwd: Annotated[str, Meta(max_length=4096)] | None = None
    language: Name | None = None


class ContextShape(Struct):
    id: str
    language: str
    cwd: str


# -- files by name


Path = Annotated[str, Meta(max_length=16_384)]


class PathRequest(Struct):
    path: Path = ""


class ListDir(Struct):
    path: Path = ""
    depth: Annotated[int, Meta(ge=0, le=0xFFFFFFFF)] = 1


class Move(Struct):
    source: Path = ""
    destination: Path = ""


class Watch(Struct, rename="camel"):
    path: Path = ""
    recursive: bool = False
    include_entry: bool = False


class WatcherRequest(Struct, rename="camel"):
    watcher_id: Name = ""


# -- commands


class Config(Struct, omit_defaults=True):
    cmd: Annotated[str, Meta(max_length=4096)] = ""
    args: Annotated[list[Annotated[str, Meta(max_length=1_000_000)]], Meta(max_length=1000)] = []
    envs: Texts = {}
    cwd: Path | UnsetType = UNSET


class TerminalSize(Struct):
    cols: Annotated[int, Meta(ge=1, le=65535)] = 80
    rows: Annotated[int, Meta(ge=1, le=65535)] = 24


class Terminal(Struct):
    size: TerminalSize = msgspec.field(default_factory=TerminalSize)


class Start(Struct):
    process: Config = msgspec.field(default_factory=Config)
    pty: Terminal | None = None
    tag: Name | None = None
    stdin: bool = False


class Selector(Struct):
    pid: Annotated[int, Meta(ge=0, le=0xFFFFFFFF)] | None = None
    tag: Name | None = None


class OfProcess(Struct):
    process: Selector = msgspec.field(default_factory=Selector)


class Update(Struct):
    process: Selector = msgspec.field(default_factory=Selector)
    pty: Terminal | None = None


class Input(Struct):
    stdin: bytes | None = None
    pty: bytes | None = None


class SendInput(Struct):
    process: Selector = msgspec.field(default_factory=Selector)
    input: Input = msgspec.field(default_factory=Input)


class SendSignal(Struct):
    process: Selector = msgspec.field(default_factory=Selector)
    signal: str | int = "SIGNAL_UNSPECIFIED"


class StreamData(Struct):
    input: Input = msgspec.field(default_factory=Input)


class StreamInput(Struct):
    start: OfProcess | None = None
    data: StreamData | None = None
    keepalive: Any = None


T = TypeVar("T")


def read(kind: type[T], body: bytes) -> T:
    """A body as its shape. Invalid, in one line, for one that does not have it. No body is an empty
    one."""
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(f"that body cannot be read: {str(error).splitlines()[0][:300]}") from None
