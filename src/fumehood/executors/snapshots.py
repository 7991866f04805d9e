"""Branches of a sandbox, as the host holds them: runners that other runners made of themselves, and
the tree they form.

A copy is made by asking a runner for it and sending it the ends that the copy will have. The answer
is a process id. The zygote checks that it is a process of that sandbox, and gives the handle on it.
No descriptor is ever taken from a sandbox.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import os
import select
import signal
import socket
import struct
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fumehood.errors import JailUnavailable, SandboxFailed, SnapshotGone, WorkerProtocolError
from fumehood.executors import supervisor
from fumehood.executors.connection import Connection, RunnerGone, new_conversation
from fumehood.policy import Policy
from fumehood.tunnel.channels import name_socket
from fumehood.wire import messages
from fumehood.wire.protocol import HostConversation

_CHECKPOINT_SECONDS = 10.0
"""A checkpoint takes over in milliseconds (benchmarks/branching.py, restore). On a machine that
stalls it may take longer, and its variables are worth the wait."""
_LOOK_SECONDS = 0.25
_MOST_STOPPED = 4
"""A checkpoint that was found stopped so often in a row is given up."""
_LARGEST_PID = 1 << 22
_CHUNK = 1 << 16

Ask = Callable[[Callable[..., messages.Request], Sequence[int]], Any]


@dataclass(slots=True)
class Connected:
    """A runner that has said it is ready, and what was said so far."""

    runner: supervisor.Runner
    conversation: HostConversation
    mark: int
    """The last message that has changed anything in it."""


def _line() -> tuple[socket.socket, socket.socket, int, int]:
    """Both ends of a wire, and both of an output. NoRoom if this process has none for them."""
    try:
        ours, theirs = socket.socketpair()
        try:
            name_socket(theirs)
            return ours, theirs, *os.pipe()
        except OSError:
            ours.close()
            theirs.close()
            raise
    except OSError as error:
        raise supervisor.exhausted_here(error) from None


def copy_of(
    parent: supervisor.Runner,
    ask: Ask,
    frame_bytes: int,
    *,
    is_fork: bool = False,
    own_random: bool = False,
    seed: int | None = None,
) -> Connected:
    """A new runner, made by another of itself, with a lab of its own. `ask` sends a message with
    descriptors to that other, and gives the value of its answer."""
    place = next(parent.sandbox.places)
    if seed is not None:  # the same each time, and another for each
        digest = hashlib.blake2b(f"{seed}/{place}".encode(), digest_size=4).digest()
        seed = int.from_bytes(digest) >> 1
    ours, theirs, output, their_output = _line()
    try:
        make = functools.partial(messages.Branch, place=place, own_random=own_random, seed=seed)
        pid = _checked(ask(make, [theirs.fileno(), their_output]))
        handle = parent.sandbox.zygote.adopt(parent, place, pid, is_fork=is_fork)
    except BaseException as error:
        ours.close()
        os.close(output)
        if isinstance(error, (OSError, JailUnavailable)):
            raise SandboxFailed(f"the sandbox could not be copied: {error}") from None
        raise
    finally:
        theirs.close()
        os.close(their_output)
    runner = supervisor.Runner(
        parent.sandbox, ours, output, handle, place, place, is_fork=is_fork, is_branch=True
    )
    return Connected(runner, new_conversation(frame_bytes, ready=True), 0)


def _checked(pid: object) -> int:
    """A process id that came from a sandbox, if it can be one."""
    if type(pid) is not int or not 0 < pid <= _LARGEST_PID:
        raise WorkerProtocolError("the sandbox sent something else than the process id of its copy")
    return pid


def checkpoint_behind(standby: socket.socket) -> tuple[int, int] | None:
    """The process id and the mark of the checkpoint that waits on a socket; None if there is none.
    The runner wrote them there before the cell began."""
    poll = select.poll()
    poll.register(standby, select.POLLIN)
    if not poll.poll(_CHECKPOINT_SECONDS * 1000):
        return None
    try:
        head = standby.recv(messages.CHECKPOINT_HEAD.size)
        pid, mark = messages.CHECKPOINT_HEAD.unpack(head)
        return _checked(pid), mark
    except (OSError, struct.error, WorkerProtocolError):
        return None


def take_over(
    dead: supervisor.Runner, handle: int, standby: socket.socket, frame_bytes: int
) -> tuple[Connected, socket.socket]:
    """Have a checkpoint take the place of a runner that is dead. `handle` is on its process, and
    belongs to the new runner. Gives with it the socket for its own next checkpoint. OSError if it
    does not answer; the handle is closed then."""
    runner = supervisor.Runner(
        dead.sandbox,
        standby,
        dead.output,
        handle,
        dead.place,
        dead.branch,
        is_fork=dead.is_fork,
        is_branch=True,
        is_beside=dead.is_beside,
    )
    ours: socket.socket | None = None
    try:
        ours, theirs = socket.socketpair()
        with theirs:
            name_socket(theirs)
            socket.send_fds(standby, [b"\1"], [theirs.fileno()])
        conversation, mark = _greeted(runner, frame_bytes)
        return Connected(runner, conversation, mark), ours
    except BaseException as error:
        if ours is not None:
            ours.close()
        runner.signal(signal.SIGKILL)
        runner.output = -1  # it is the dead runner's, and closed with that
        runner.close()
        if isinstance(error, (SandboxFailed, WorkerProtocolError)):
            raise OSError(str(error)) from None
        raise


def _greeted(runner: supervisor.Runner, frame_bytes: int) -> tuple[HostConversation, int]:
    """Wait until a checkpoint says that it is ready. Only executors that share the sandbox could
    still stop its process: it is let go on, a few times."""
    conversation = new_conversation(frame_bytes)
    processes, wire, output = runner.sandbox.zygote.processes, runner.wire, runner.output
    poll = select.poll()
    poll.register(wire, select.POLLIN)
    if processes.is_remote:  # its message comes behind what the dead runner printed
        poll.register(output, select.POLLIN)
    until, stopped = time.monotonic() + _CHECKPOINT_SECONDS, 0
    while (received := conversation.next_message()) is None:
        left = until - time.monotonic()
        if left <= 0 or stopped >= _MOST_STOPPED:
            raise SandboxFailed("the sandbox's checkpoint does not answer")
        ready = dict(poll.poll(min(left, _LOOK_SECONDS) * 1000))
        if not ready:
            stopped = stopped + 1 if processes.is_stopped(runner.handle) else 0
            runner.signal(signal.SIGCONT)
        if output in ready and not os.read(output, _CHUNK):
            poll.unregister(output)
        if wire.fileno() in ready:
            data = wire.recv(_CHUNK, socket.MSG_DONTWAIT)
            if not data:
                raise SandboxFailed("the sandbox's checkpoint died")
            conversation.reader.feed(data)
    if received[0].type == "broken":
        raise SandboxFailed(received[0].message)
    return conversation, received[0].mark


class Snapshot:
    """Variables, functions, modules and files as they were at one moment, held by a process that
    sleeps. `restore` goes back to it, as often as is wanted."""

    def __init__(
        self,
        tree: History,
        policy: Policy,
        label: str,
        cell: int,
        connected: Connected,
        connection: Connection,
        session: str,
    ) -> None:
        self.policy = policy
        self.session = session
        """Whose it is, by the name that events have."""
        self.number = next(tree.numbers)
        self.label = (
            "".join(c if c.isprintable() else " " for c in label) or f"snapshot {self.number}"
        )
        self.parent = tree.at
        self.cell = cell
        """How many cells had run."""
        self.created = time.time()
        self._tree = tree
        self._runner: supervisor.Runner | None = connected.runner
        self._connection = connection
        connected.runner.sandbox.used_by(1)  # it lives on while anybody might go back
        self._drop = weakref.finalize(self, _drop, connected.runner)

    @property
    def is_alive(self) -> bool:
        """Whether it can still be gone back to."""
        runner = self._runner
        if runner is None or runner.sandbox.zygote.closed or os.getpid() != runner.sandbox.pid:
            return False
        poll = select.poll()
        poll.register(runner.handle, select.POLLIN)
        return not poll.poll(0)

    def discard(self) -> None:
        """Give it up, and the memory that only it holds. Discarding twice is harmless."""
        with self._tree.lock:
            runner, self._runner = self._runner, None
            self._drop.detach()
            self._tree.forget(self)
        if runner is not None and os.getpid() == runner.sandbox.pid:
            self._connection.close()
            runner.end()

    def copy(
        self, ask: Callable[[Connection], Ask], frame_bytes: int, *, old: supervisor.Runner
    ) -> Connected:
        """A runner that begins where this is, for an executor that has another until now. `ask`
        makes what asks a runner over a connection."""
        # Executors that were forked from one another may want the same at the same time.
        with self._tree.lock:
            runner = self._runner
            if runner is None or not self.is_alive:
                raise SnapshotGone(
                    f"{self.label} is gone: it was discarded, its executor was closed, or its"
                    " process was killed"
                )
            supervisor.RESTS.wake(runner.sandbox)  # which may be another than that of the executor
            is_fork = old.is_fork or old.sandbox is not runner.sandbox
            try:
                return copy_of(runner, ask(self._connection), frame_bytes, is_fork=is_fork)
            except (RunnerGone, WorkerProtocolError) as error:
                self.discard()
                why = "its process was killed" if isinstance(error, RunnerGone) else str(error)
                raise SnapshotGone(f"{self.label} is gone: {why}") from None

    def __repr__(self) -> str:
        return f"<{self.label}, after {self.cell} cells{'' if self.is_alive else ', gone'}>"


def _drop(runner: supervisor.Runner) -> None:
    """A snapshot was dropped without being discarded."""
    if runner.sandbox.pid == os.getpid():
        runner.drop()


class History:
    """The snapshots of an executor, as a tree: each has the one that the executor was at when it
    was made for its parent."""

    def __init__(self, keep: int | None = None) -> None:
        self.keep = keep
        """How many are kept: with one more, the oldest is discarded. Without a number, one more
        than the limits allow is an error."""
        self.lock = threading.RLock()
        self.numbers: Iterator[int] = itertools.count(1)
        self.at: Snapshot | None = None
        """Where the executor is: the last that was made or gone back to."""
        self._snapshots: list[Snapshot] = []

    def __iter__(self) -> Iterator[Snapshot]:
        return iter([*self._snapshots])

    def __len__(self) -> int:
        return len(self._snapshots)

    def make_room(self, most: int) -> None:
        """Before one more is made."""
        with self.lock:
            while self.keep is not None and len(self._snapshots) >= min(self.keep, most):
                self._snapshots[0].discard()
            if len(self._snapshots) >= most:
                raise SandboxFailed(
                    f"there are {most} snapshots already: discard some, make the executor with"
                    " keep=, or raise limits.branches"
                )

    def add(self, snapshot: Snapshot) -> None:
        """Have one more, which the executor is at."""
        with self.lock:
            self._snapshots.append(snapshot)
            self.at = snapshot

    def forget(self, snapshot: Snapshot) -> None:
        """One was discarded: its children are its parent's."""
        with contextlib.suppress(ValueError):
            self._snapshots.remove(snapshot)
        if self.at is snapshot:
            self.at = snapshot.parent

    def discard_all(self) -> None:
        """Give all of them up. The executor stays as it is."""
        for snapshot in self:
            snapshot.discard()

    def as_text(self) -> str:
        """The tree, drawn with indentation; the one that the executor is at has a star."""
        children: dict[Snapshot | None, list[Snapshot]] = {}
        for snapshot in self:
            parent = snapshot.parent
            while parent is not None and parent not in self._snapshots:
                parent = parent.parent
            children.setdefault(parent, []).append(snapshot)
        lines: list[str] = []
        stack = [(snapshot, 0) for snapshot in reversed(children.get(None, []))]
        while stack:
            snapshot, depth = stack.pop()
            mark = "*" if snapshot is self.at else " "
            lines.append(
                f"{mark} {'  ' * depth}{snapshot.number}  {snapshot.label}  (after {snapshot.cell}"
                " cells)"
            )
            stack += [(child, depth + 1) for child in reversed(children.get(snapshot, []))]
        return "\n".join(lines)

    __str__ = as_text
