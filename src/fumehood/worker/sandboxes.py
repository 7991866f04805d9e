"""A sandbox as the zygote knows it: who is in it, and how those ended whom the zygote started."""

from __future__ import annotations

import contextlib
import os
import socket
from dataclasses import dataclass, field

from fumehood.jail.filesystem import LABS
from fumehood.jail.namespaces import Spaces
from fumehood.policy import Limits
from fumehood.tunnel import pidfds
from fumehood.worker.copies import lone_labs
from fumehood.worker.households import Household


@dataclass(slots=True)
class Sandbox:
    number: int
    limits: Limits
    keeper: int | None = None
    """A pidfd; None where there are no namespaces."""
    spaces: Spaces | None = None
    household: Household | None = None
    """In a container, in place of namespaces."""
    runner: int = 0
    status: int | None = None
    ended: bool = False
    branches: dict[int, int] = field(default_factory=dict)
    """Runners besides the first, by number: those that others made, those beside others; under 0
    who has taken the place of the first."""
    started: dict[int, int] = field(default_factory=dict)
    """Of those beside others, which were started by the zygote and are its children, in namespaces:
    their numbers."""
    statuses: dict[int, int] = field(default_factory=dict)
    """How they ended, by their numbers."""
    forks: int = 0
    is_branched: bool = False
    """Whether it has or had snapshots or forks."""
    ends: tuple[int, ...] = ()
    """The host's ends of the wire and the output, and a pidfd of the runner, until the host has
    them."""
    killed: int = 0
    """How often the kernel has killed in the container for want of memory when a runner of this
    sandbox was found dead."""
    killed_elsewhere: int = 0
    """How often it did at other times."""
    watch: socket.socket | None = None
    """Where there are no pidfds: the other end of what the host has in place of one."""

    @property
    def known(self) -> set[int]:
        """The runners that somebody has a use for."""
        others = {*self.branches.values()}
        return (others if 0 in self.branches else others | {self.runner}) - {0}

    def keeper_pid(self) -> int:
        """0 where there is no keeper, or the kernel does not say which process it is."""
        if self.household is not None:
            return self.household.keeper
        with contextlib.suppress(OSError, ValueError):
            return 0 if self.keeper is None else pidfds.pid_of(self.keeper)
        return 0

    def labs(self, of_container: str) -> str:
        """Where its labs are, as whoever is in its mount namespace calls it; empty if it has
        none."""
        if self.spaces is not None:
            return LABS
        if self.household is not None:
            return self.household.labs
        return lone_labs(of_container, self.number) if of_container else ""

    def note(self, pid: int, status: int) -> None:
        """A runner that the zygote started has ended."""
        if pid in self.started:
            self.statuses[self.started.pop(pid)] = os.waitstatus_to_exitcode(status)
            return
        self.status = os.waitstatus_to_exitcode(status)
        if self.watch is not None:
            with contextlib.suppress(OSError):  # the host has let go of it
                self.watch.shutdown(socket.SHUT_RDWR)  # a process started meanwhile may have it
            self.watch.close()
            self.watch = None
