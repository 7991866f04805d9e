"""The targets, as a table. `make fuzz` runs all of them, or those that are named."""

from __future__ import annotations

from collections.abc import Callable

from .engine import Target
from .files import AuditLines, StateFiles
from .streams import Messages, Streams
from .texts import Texts
from .tunnels import Tunnels
from .values import HostileValues, RoundTrips

TARGETS: dict[str, Callable[[], Target]] = {
    kind.name: kind
    for kind in (
        Texts,
        Streams,
        Messages,
        Tunnels,
        RoundTrips,
        HostileValues,
        StateFiles,
        AuditLines,
    )
}
