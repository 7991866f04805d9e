"""Processor time of processes that stand at the other end of a tunnel, read where they are."""

from __future__ import annotations

from collections.abc import Callable

from fumehood.tunnel import pidfds
from fumehood.tunnel.channels import Channel
from fumehood.tunnel.frames import Sort


class Clocks:
    """One for each process that was asked about, for as long as its channel is open."""

    def __init__(self) -> None:
        self._clocks: dict[Channel, Callable[[], float]] = {}

    def read(self, channel: Channel | None) -> float:
        """Seconds that a process has used; 0 for what is no process of this end."""
        if channel is None or channel.sort is not Sort.PROCESS or channel.is_stand_in:
            return 0.0
        if channel not in self._clocks:
            self._clocks = {known: clock for known, clock in self._clocks.items() if known.fd >= 0}
            self._clocks[channel] = pidfds.processor_clock(channel.fd)
        return self._clocks[channel]()
