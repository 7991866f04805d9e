"""Everything `fumehood serve` can be told, with its default and its reason. What is wrong is one line that names the setting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fumehood.errors import PolicyError
from fumehood.policy import Policy

_MEGABYTE = 1 << 20


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
    """What all its sandboxes together may take, by their limits; None for no bound but that of `sandboxes`."""

    snapshots: int = 32
    """Snapshots at once, over all its sandboxes."""

    contexts: int = 8
    """Further processes with variables of their own that one sandbox may have."""

    timeout_seconds: float = 3600.0
    """When a sandbox ends that was made without saying when."""

    lifetime_seconds: float = 86_400.0
    """The longest that a sandbox may live, whatever its timeout is set to, not counting the time that it is paused."""

    idle_seconds: float | None = 1800.0
    """A sandbox that nobody has used for so long ends; None for never."""

    paused_seconds: float = 86_400.0
    """A sandbox that was paused for so long ends."""


@dataclass(frozen=True, slots=True)
class Template:
    """A policy by name, for sandboxes of keys that may use it, with code that runs in each when it is made."""

    name: str
    policy: Policy = field(default_factory=Policy)
    setup: str = ""


@dataclass(frozen=True, slots=True)
class KeySettings:
    """One API key: what is known of it is a hash."""

    name: str
    digest: bytes = field(repr=False)
    policy: Policy = field(default_factory=Policy)
    quotas: Quotas = Quotas()
    templates: tuple[str, ...] = ()
    """Templates it may use besides its own policy."""
    may_install: bool = False
    """Whether its sandboxes may have packages installed, which this machine's pip fetches."""
    on_fault: Literal["rollback", "keep"] = "rollback"


@dataclass(frozen=True, slots=True)
class Settings:
    """What one server is told."""

    host: str = "127.0.0.1"
    port: int = 8720
    keys: tuple[KeySettings, ...] = ()
    """Without any, everybody who reaches the port may do everything, so only a loopback address is taken."""
    policy: Policy = field(default_factory=Policy)
    """For those who need no key, when there are no keys."""
    quotas: Quotas = Quotas()
    templates: tuple[Template, ...] = ()
    max_sandboxes: int = 1000
    """Of all keys together."""
    threads: int = 64
    """Calls of all keys that run at once."""
    body_bytes: int = 16 * _MEGABYTE
    """The largest body that is read as a whole: code, variables."""
    upload_bytes: int = 512 * _MEGABYTE
    """The largest file that is taken, piece by piece."""
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
    shutdown_seconds: float = 10.0
    """So long running cells may go on when the server is told to end."""
    log: str | None = "-"
    """Where the access log goes: a file, "-" for stderr, or nowhere."""
    directory: str | None = None
    """Where the server keeps what it must have on disk while it runs; else under the system's temporary directory."""

    @property
    def is_loopback(self) -> bool:
        return self.host in ("localhost", "::1") or self.host.startswith("127.")

    def check(self) -> None:
        """SettingsError for what no server may be started with."""
        if not self.keys and not self.is_loopback:
            raise SettingsError(
                f"host: {self.host} can be reached from other machines, and there is no key; give one (--api-key-file, FUMEHOOD_API_KEYS,"
                " [keys] in --config) or listen on 127.0.0.1"
            )


class SettingsError(PolicyError):
    """A setting that cannot be: the text names it, and what it may be."""
