"""Branches of a sandbox, as the host holds them: runners that other runners made of themselves, and
the tree they form.

A copy is made by asking a runner for it and sending it the ends that the copy will have. It says
that it is ready by its own wire, and hands over a pidfd of itself. That handle is believed to be no
more than what it is: some process of that sandbox.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import select
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass

from fumehood.errors import SandboxFailed, SnapshotGone, WorkerProtocolError
from fumehood.executors import room, zygotes
from fumehood.executors.connection import Connection, RunnerGone, new_conversation
from fumehood.policy import Policy
from fumehood.wire import messages
from fumehood.wire.conversation import HostConversation

_GREETING_SECONDS = 60.0
_STANDBY_SECONDS = 10.0
"""A base takes over in milliseconds (benchmarks/branching.py, restore), unless code has stopped it,
or the whole machine stands still for a while: then variables are worth waiting for."""
_CHUNK = 1 << 16


@dataclass(slots=True)
class Connected:
    """A runner that has said it is ready, and what was said so far."""

    runner: zygotes.Runner
    conversation: HostConversation
    mark: int
    """The last message that has changed anything in it."""


def _line() -> tuple[socket.socket, socket.socket, int, int]:
    """Both ends of a wire, and both of an output. NoRoom if this process has none for them."""
    try:
        ours, theirs = socket.socketpair()
        try:
            return ours, theirs, *os.pipe()
        except OSError:
            ours.close()
            theirs.close()
            raise
    except OSError as error:
        raise room.here(error) from None


def copy_of(
    parent: zygotes.Runner,
    connection: Connection,
    frame_bytes: int,
    number: int,
    *,
    is_fork: bool = False,
    own_random: bool = False,
    seed: int | None = None,
) -> Connected:
    """A new runner, made by another of itself, with a lab of its own."""
    place = next(parent.sandbox.places)
    if seed is not None:  # the same each time, and another for each
        seed = (
            int.from_bytes(hashlib.blake2b(f"{seed}/{place}".encode(), digest_size=4).digest()) >> 1
        )
    ours, theirs, output, their_output = _line()
    handle: int | None = None
    try:
        message = messages.Branch(id=number, place=place, own_random=own_random, seed=seed)
        connection.send_with(message, [theirs.fileno(), their_output])
        answer, handle = connection.next_with_handle(_GREETING_SECONDS)
        if answer.type == "failed":
            raise SandboxFailed(answer.message)
        runner = zygotes.Runner(
            parent.sandbox,
            ours,
            output,
            _checked(handle, parent),
            place,
            place,
            is_fork=is_fork,
            is_branch=True,
        )
        runner.sandbox.zygote.adopt(runner)
        return Connected(runner, new_conversation(frame_bytes, ready=True), 0)
    except BaseException as error:
        ours.close()
        os.close(output)
        if handle is not None:
            os.close(handle)
        if isinstance(error, OSError):
            raise SandboxFailed(f"the sandbox could not be copied: {error.strerror}") from None
        raise
    finally:
        theirs.close()
        os.close(their_output)


def base_of(
    dead: zygotes.Runner, standby: socket.socket, frame_bytes: int
) -> tuple[Connected, socket.socket]:
    """Have the base of a runner that is dead take over; with it comes the socket by which the next
    base is reached. OSError if there is none."""
    ours, theirs = socket.socketpair()
    try:
        socket.send_fds(standby, [b"\1"], [theirs.fileno()])
        theirs.close()
        return greet(standby, dead.output, dead, frame_bytes, _STANDBY_SECONDS), ours
    except BaseException as error:
        ours.close()
        theirs.close()
        if isinstance(error, (SandboxFailed, WorkerProtocolError)):
            raise OSError(str(error)) from None
        raise


def greet(
    wire: socket.socket, output: int, parent: zygotes.Runner, frame_bytes: int, seconds: float
) -> Connected:
    """Wait for a copy to say that it is ready."""
    conversation = new_conversation(frame_bytes)
    poll = select.poll()
    poll.register(wire, select.POLLIN)
    if (
        parent.sandbox.zygote.processes.is_far
    ):  # what it says comes behind what was printed, and that is nobody's any more
        poll.register(output, select.POLLIN)
    until = time.monotonic() + seconds
    handles: list[int] = []
    try:
        while (received := conversation.next_message()) is None:
            ready = dict(poll.poll(max(0.0, until - time.monotonic()) * 1000))
            if not ready or time.monotonic() > until:
                raise SandboxFailed(
                    "the sandbox's copy does not answer; the executor is as it was: try again"
                )
            if output in ready and not os.read(output, _CHUNK):
                poll.unregister(output)
            if wire.fileno() not in ready:
                continue
            data, more, _flags, _address = socket.recv_fds(wire, _CHUNK, 1)
            handles += more
            if not data:
                raise SandboxFailed(
                    "the sandbox's copy died before it could answer: is there memory for it? The"
                    " executor is as it was"
                )
            conversation.reader.feed(data)
        if received[0].type == "broken":
            raise SandboxFailed(received[0].message)
        if len(handles) != 1:
            raise SandboxFailed("the sandbox's copy did not say which process it is")
        _checked(handles[0], parent)
    except BaseException:
        for handle in handles:
            os.close(handle)
        raise
    runner = zygotes.Runner(
        parent.sandbox, wire, output, handles[0], parent.place, parent.branch, is_branch=True
    )
    return Connected(runner, conversation, received[0].mark)


def _checked(handle: int | None, parent: zygotes.Runner) -> int:
    """A handle that came from a sandbox, if it is one on a process."""
    if handle is None:
        raise SandboxFailed("the sandbox did not say which process its copy is")
    try:
        parent.sandbox.zygote.processes.check(handle)
    except (OSError, ValueError):
        raise WorkerProtocolError(
            "the sandbox sent something else than a handle on a process"
        ) from None
    return handle


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
        self._runner: zygotes.Runner | None = connected.runner
        self._connection = connection
        self._messages = itertools.count(1)
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

    def copy(self, frame_bytes: int, *, old: zygotes.Runner) -> Connected:
        """A runner that begins where this is, for an executor that has another until now."""
        with (
            self._tree.lock
        ):  # executors that were forked from one another may want the same at the same time
            runner = self._runner
            if runner is None or not self.is_alive:
                raise SnapshotGone(
                    f"{self.label} is gone: it was discarded, its executor was closed, or somebody"
                    " killed its process"
                )
            zygotes.RESTS.wake(runner.sandbox)  # which may be another than that of the executor
            is_fork = old.is_fork or old.sandbox is not runner.sandbox
            try:
                return copy_of(
                    runner, self._connection, frame_bytes, next(self._messages), is_fork=is_fork
                )
            except RunnerGone:
                raise SnapshotGone(f"{self.label} is gone: somebody killed its process") from None

    def __repr__(self) -> str:
        return f"<{self.label}, after {self.cell} cells{'' if self.is_alive else ', gone'}>"


def _drop(runner: zygotes.Runner) -> None:
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
