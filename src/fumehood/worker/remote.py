"""The remote end of a tunnel: the main process of a container, a command in a cloud sandbox, or a
process on a node of a cluster. It starts supervisors for the host, and runs no untrusted code.

It starts the first supervisor before anything else, because the host waits for the container. It
ends when its input ends, when the host is silent for too long, and when its time is used up.
Everything it has started ends with it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import sys
import time
from typing import Any

from fumehood.jail import kernel
from fumehood.tunnel import launch
from fumehood.worker import fork

_LOOK_SECONDS = 5.0
_SILENCE_SECONDS = 600.0
"""The host says something much more often than this, if there is one."""


def main() -> None:
    """Called with JSON: the `policy` of the first supervisor; the `lifetime` in seconds, if it has
    one; whether it `is_contained`, that is in a container, which isolates where the supervisor
    cannot; whether its streams carry text; and on a machine that others use too the process that
    has started this one, which it ends with, and the paths that code imports from."""
    options = json.loads(sys.argv[-1])
    if "starter" in options:
        kernel.die_with_parent(signal.SIGKILL)
        if os.getppid() != options["starter"]:
            return
        sys.path[:] = options["path"]
    kernel.set_process_name("fumehood-remote")
    kernel.forbid_inspection()  # code in the same container runs as the same user
    is_contained = options.get("is_contained", False)
    early = EarlySupervisor(options["policy"], is_contained=is_contained)
    reads, writes = os.dup(0), os.dup(1)
    _have_no_streams()
    RemoteEnd(
        reads,
        writes,
        early,
        options.get("lifetime"),
        is_contained=is_contained,
        is_text=options.get("is_text", False),
    ).serve()


def _have_no_streams() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)


def _path() -> list[str]:
    return [
        directory
        for directory in sys.path
        if os.path.isabs(directory) and directory != launch.PACKAGES
    ]


class EarlySupervisor:
    """A supervisor that is a copy of this process, made while this has imported next to nothing. It
    imports at the same time as this does."""

    def __init__(self, policy: dict[str, Any], *, is_contained: bool) -> None:
        self.policy = policy
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        launch.send_setup(self.control, policy, _path(), is_contained=is_contained)
        self.pid = fork.start(lambda: self._guard(theirs))
        theirs.close()

    def _guard(self, theirs: socket.socket) -> None:
        self.control.close()
        os.setsid()
        _have_no_streams()
        os.environ.clear()
        os.environ.update(launch.environment())
        from fumehood.worker import supervisor

        supervisor.guard(theirs)


class RemoteEnd:
    def __init__(
        self,
        reads: int,
        writes: int,
        early: EarlySupervisor,
        lifetime: float | None,
        *,
        is_contained: bool,
        is_text: bool,
    ) -> None:
        """`lifetime` is in seconds, None for no limit. `is_text` says that the stream carries lines
        of text."""
        # Late, so that the supervisor is at work meanwhile.
        from fumehood.tunnel import frames
        from fumehood.tunnel.end import FarEnd

        gc.enable()  # nearly all is imported

        self._is_contained = is_contained
        self._early: EarlySupervisor | None = early
        self._ends_at = None if lifetime is None else time.monotonic() + lifetime
        self._supervisors = [early.pid]
        self._end = FarEnd(
            reads,
            writes,
            self._start,
            decode=frames.LineReader().feed if is_text else bytes,
            encode=frames.as_lines if is_text else None,
            pause=_LOOK_SECONDS,
            on_pause=self._look,
        )
        if is_text:
            os.write(writes, frames.BEGINNING + b"\n")

    def serve(self) -> None:
        self._end.run()

    def _look(self) -> None:
        now = time.monotonic()
        if (
            now - self._end.heard > _SILENCE_SECONDS
            or self._ends_at is not None
            and now > self._ends_at
        ):
            self._end.is_open = False
        for pid in [*self._supervisors]:
            with contextlib.suppress(ChildProcessError):
                if not os.waitpid(pid, os.WNOHANG)[0]:
                    continue
            self._supervisors.remove(pid)

    def _start(self, policy: dict[str, Any]) -> int:
        """A supervisor's control socket."""
        if policy["imports"]:
            from fumehood.policy import Policy

            Policy.from_fields(policy).verify_installed()
        if self._early is not None and self._early.policy == policy:
            control, self._early = self._early.control, None
        else:
            control, supervisor = launch.start_supervisor(
                policy, _path(), is_contained=self._is_contained
            )
            self._supervisors.append(supervisor.pid)
            supervisor.returncode = 0  # it is waited for with the others
        return control.detach()
