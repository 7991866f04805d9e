"""The host's hold on a guardian, wherever it runs: what a zygote of the host's needs of the place
it is in."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from fumehood.errors import JailUnavailable, SandboxFailed
from fumehood.executors import room
from fumehood.jail.report import Mechanism
from fumehood.policy import Policy, python_of
from fumehood.tunnel import launch, pidfds

_TIDY_SECONDS = 5.0
"""How long a guardian may take to end what it has started."""


class Processes(Protocol):
    """What can be done with handles: descriptors that can be polled, and become readable when the
    process they stand for is dead."""

    @property
    def is_far(self) -> bool:
        """Whether asking takes so long that it is done only where it matters."""

    def send_signal(self, handle: int, number: int) -> None: ...

    def processor_clock(self, handle: int) -> Callable[[], float]: ...

    def exit_status(self, handle: int) -> int: ...

    def is_stopped(self, handle: int) -> bool:
        """Whether a signal has stopped the process. False where that cannot be found out."""

    def is_on_its_way(self, output: int) -> bool:
        """Whether more was printed into an output than has arrived in it."""


class Guardian(Protocol):
    @property
    def control(self) -> socket.socket:
        """Where it takes requests, one packet each."""

    @property
    def processes(self) -> Processes: ...

    @property
    def python(self) -> tuple[int, ...]:
        """The version of the interpreter there."""

    @property
    def is_over(self) -> bool: ...

    def why_over(self) -> str:
        """In one line, why it is over; empty if there is nothing to say but that it is."""

    @property
    def gone(self) -> type[SandboxFailed]:
        """What is raised when it is over for a reason of the place it was in."""

    def around(self) -> tuple[Mechanism, ...]:
        """What isolates the place it is in from everything else."""

    def give_up(self) -> None:
        """It does not answer: let it and all that is there count as gone."""

    def wait(self, seconds: float) -> None:
        """See it end; its end of the control socket is closed."""

    def abandon(self) -> None:
        """After a fork: it is the parent's."""


class Pidfds:
    """Processes of this machine."""

    is_far = False

    def is_on_its_way(self, output: int) -> bool:
        return False

    send_signal = staticmethod(pidfds.send_signal)
    processor_clock = staticmethod(pidfds.processor_clock)
    exit_status = staticmethod(pidfds.exit_status)
    is_stopped = staticmethod(pidfds.is_stopped)


class LocalGuardian:
    """On this machine, a child of this process."""

    processes = Pidfds()
    gone: type[SandboxFailed] = SandboxFailed
    python: tuple[int, ...] = sys.version_info[:3]

    def __init__(
        self, policy: Policy, path: Sequence[str], environments: Sequence[str] = ()
    ) -> None:
        if not sys.executable:
            raise JailUnavailable(
                "this program embeds Python, so there is no interpreter to start (sys.executable is"
                " empty)"
            )
        self.control: socket.socket
        root = policy.programs if isinstance(policy.programs, str) else None
        try:
            if root is not None:
                self.python = python_of(root)[1]
            self.control, self._process = launch.start_guardian(
                policy.as_fields(), path, environments, root=root
            )
        except OSError as error:
            raise room.to_start(error) or JailUnavailable(
                f"the worker could not be started: {error}"
            ) from None

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    def why_over(self) -> str:
        return ""

    def around(self) -> tuple[Mechanism, ...]:
        return ()

    def give_up(self) -> None:
        """Somebody has stopped it, or its zygote. It is let go on to end in good order, or else is
        killed, and the zygote with it."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
            self._process.send_signal(signal.SIGCONT)
        try:
            self._process.wait(_TIDY_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_TIDY_SECONDS)

    def wait(self, seconds: float) -> None:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.give_up()

    def abandon(self) -> None:
        self._process.returncode = 0  # not this process's child; nothing to wait for
