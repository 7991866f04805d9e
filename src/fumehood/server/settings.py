"""Everything `fumehood serve` can be told, with its default and its reason. What is wrong is one
line that names the setting.

How it is told, by a file, the environment and the command line, is config_file.py's.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Any, Literal

from fumehood.asked import is_number, shown
from fumehood.errors import PolicyError
from fumehood.policy import Limits, Policy

_MEGABYTE = 1 << 20


class SettingsError(PolicyError):
    """A setting that cannot be: the text names it, and what it may be."""


def is_loopback(host: str) -> bool:
    """Whether this is a name of this machine that only this machine can mean by it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


_MOST = 1e18
"""More of anything is a slip of the hand, endlessly many too."""


def _check(settings: Any, **bounds: tuple[float, float | None]) -> None:
    """SettingsError for a number that is out of its bounds: at least the first, at most the second.
    None is checked by its type alone."""
    for name, (least, most) in bounds.items():
        value = getattr(settings, name)
        if value is None:
            continue
        between = f"at least {least:g}" if most is None else f"between {least:g} and {most:g}"
        if not is_number(value) or not abs(value) < _MOST:
            raise SettingsError(f"{name} must be a number, {between}, not {shown(value)}")
        if value < least or most is not None and value > most:
            raise SettingsError(f"{name} must be {between}, not {shown(value)}")


SERVED = Policy(
    files=True,
    programs=True,
    limits=Limits(frame_bytes=64 * _MEGABYTE, display_bytes=32 * _MEGABYTE),
)
"""What code may do unless a key says otherwise: it has files and programs of its own. What
a cell gives out is held by the server until it is sent, for many cells at once, so it may be less
than a program that has one sandbox would take."""


@dataclass(frozen=True, slots=True)
class Quotas:
    """How much one key may have at once, and for how long."""

    sandboxes: int = 200
    """Sandboxes at once, paused ones and forks included."""

    cells: int = 32
    """Cells and other calls that run at once; each takes a thread of the server."""

    waiting: int = 512
    """Calls that wait for their turn; one more is refused with 429."""

    patience_seconds: float = 60.0
    """So long a call waits for its turn; then it is refused with 429."""

    requests_per_second: float = 2000.0
    """Requests, in the long run; more are refused with 429."""

    burst: int = 4000
    """Requests that may come at once after a quiet time."""

    memory_bytes: int | None = None
    """What all its sandboxes together may take, by their limits; None for no bound but that of
    `sandboxes`."""

    snapshots: int = 32
    """Snapshots at once, over all its sandboxes."""

    contexts: int = 8
    """Further processes with variables of their own that one sandbox may have."""

    timeout_seconds: float = 3600.0
    """When a sandbox ends that was made without saying when."""

    lifetime_seconds: float = 86_400.0
    """The longest that a sandbox may live, whatever its timeout is set to, not counting the time
    that it is paused."""

    idle_seconds: float | None = 1800.0
    """A sandbox that nobody has used for so long ends; None for never."""

    paused_seconds: float = 86_400.0
    """A sandbox that was paused for so long ends."""

    snapshot_seconds: float = 604_800.0
    """A snapshot is discarded after so long: it holds memory."""

    def __post_init__(self) -> None:
        year = 31_536_000
        _check(
            self,
            sandboxes=(0, None),
            cells=(1, None),
            waiting=(1, None),
            patience_seconds=(0.001, year),
            requests_per_second=(0.001, None),
            burst=(1, None),
            memory_bytes=(1, None),
            snapshots=(0, None),
            contexts=(0, None),
            timeout_seconds=(0.001, year),
            lifetime_seconds=(0.001, year),
            idle_seconds=(0.001, year),
            paused_seconds=(0.001, year),
            snapshot_seconds=(0.001, year),
        )


@dataclass(frozen=True, slots=True)
class Template:
    """A policy by name, for sandboxes of keys that may use it, with code that runs in each when it
    is made."""

    name: str
    policy: Policy = SERVED
    setup: str = ""


@dataclass(frozen=True, slots=True)
class KeySettings:
    """One API key: what is known of it is a hash."""

    name: str
    digest: bytes = field(repr=False)
    policy: Policy = SERVED
    quotas: Quotas = Quotas()
    templates: tuple[str, ...] = ()
    """Templates it may use besides its own policy."""
    may_install: bool = False
    """Whether its sandboxes may have packages installed, which this machine's pip fetches."""
    on_fault: Literal["rollback", "keep"] = "keep"
    """What its sandboxes do that are made without saying. "rollback" undoes a cell that runs out of
    time or memory, or crashes, and for that the process is copied for each cell, which takes
    several times as long as a short cell does."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What one server is told."""

    host: str = "127.0.0.1"
    port: int = 8720
    keys: tuple[KeySettings, ...] = ()
    """Without any, everybody who reaches the port may do everything, so only a loopback address is
    taken."""
    policy: Policy = SERVED
    """For those who need no key, when there are no keys."""
    quotas: Quotas = Quotas()
    templates: tuple[Template, ...] = ()
    max_sandboxes: int = 1000
    """Of all keys together."""
    threads: int = 256
    """Calls of all keys that run at once."""
    body_bytes: int = 16 * _MEGABYTE
    """The largest body that is read as a whole: code, variables."""
    upload_bytes: int = 512 * _MEGABYTE
    """The largest file that is taken, piece by piece."""
    spool_bytes: int = 4096 * _MEGABYTE
    """What all files that are being received may take of the disk."""
    header_bytes: int = 32 << 10
    header_seconds: float = 15.0
    """So long the head of a request may take to come, from its first byte."""
    body_seconds: float = 30.0
    """So long the next piece of a body may take to come."""
    connections: int = 4096
    """Connections at once; one more is closed."""
    connections_per_address: int = 2048
    """Of those, from one address. Behind a proxy all come from one."""
    keep_alive_seconds: float = 75.0
    heartbeat_seconds: float = 15.0
    """So long an event stream is silent at most: less than what proxies take for dead."""
    shutdown_seconds: float = 10.0
    """So long running cells may go on when the server is told to end."""
    log: str = "-"
    """Where the access log goes: a file, "-" for stderr, or "none"."""
    directory: str | None = None
    """Where the server keeps what it must have on disk while it runs; else under the system's
    temporary directory."""

    def __post_init__(self) -> None:
        _check(
            self,
            port=(0, 65535),
            max_sandboxes=(1, None),
            threads=(1, 10_000),
            body_bytes=(1024, None),
            upload_bytes=(1024, None),
            spool_bytes=(1024, None),
            header_bytes=(1024, None),
            header_seconds=(0.01, 3600),
            body_seconds=(0.01, 3600),
            connections=(1, None),
            connections_per_address=(1, None),
            keep_alive_seconds=(1, 3600),
            heartbeat_seconds=(0.1, 3600),
            shutdown_seconds=(0, 3600),
        )
        names = [key.name for key in self.keys]
        digests = [key.digest for key in self.keys]
        templates = {template.name for template in self.templates}
        for place, (name, digest) in enumerate(zip(names, digests, strict=True)):
            if name in names[:place]:
                raise SettingsError(f"keys: two have the name {name}; give one another name")
            if digest in digests[:place]:
                raise SettingsError(
                    f"keys: {names[digests.index(digest)]} and {name} are the same; each tenant"
                    " needs its own"
                )
        for key in self.keys:
            unknown = [name for name in key.templates if name not in templates]
            if unknown:
                known = ", ".join(sorted(templates)) or "none; [templates.NAME] makes one"
                raise SettingsError(
                    f"keys.{key.name}.templates: there is no template {shown(unknown[0])}; there"
                    f" are {known}"
                )

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)

    def check(self) -> None:
        """SettingsError for what no server may be started with."""
        if not self.keys and not self.is_loopback:
            raise SettingsError(
                f"host: {self.host} can be reached from other machines, and there is no key; give"
                " one (--api-key-file, FUMEHOOD_API_KEYS, [keys] in --config) or listen on"
                " 127.0.0.1"
            )
