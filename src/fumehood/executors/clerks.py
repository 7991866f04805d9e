"""The host's line to a clerk, the process that has the files of a sandbox in hand
(worker/clerk.py): questions and answers, checked.

A clerk is asked for when files are first looked at, and is there while a cell runs, too. It runs
nobody's code, but what it tells comes out of a sandbox: no more of it is believed than of anything
else from there.
"""

from __future__ import annotations

import contextlib
import itertools
import select
import socket
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from fumehood.errors import SandboxFailed, WorkerProtocolError
from fumehood.executors import outcomes, zygotes
from fumehood.wire import messages
from fumehood.wire.frames import Bounds, Buffer
from fumehood.wire.protocol import Conversation, parse_from_worker
from fumehood.wire.values import Decoder

PIECE = 1 << 20
"""So much of a file travels at once."""
MOST_WATCHES = 16
"""Each is a process."""
_BOUNDS = Bounds(header=32 << 20, buffers=2, frame=(32 << 20) + 2 * PIECE)
_CHUNK = 1 << 16
_ANSWER_SECONDS = 60.0


class Gone(Exception):
    """The clerk is."""


class Clerk:
    """One clerk, of one lab. Questions may come from any thread, one after the other."""

    def __init__(self, runner: zygotes.Runner) -> None:
        self._sandbox, self._place = runner.sandbox, runner.place
        self._line = self._sandbox.zygote.open_files(self._sandbox, self._place)
        self._line.settimeout(_ANSWER_SECONDS)
        self._conversation = Conversation(_BOUNDS, parse_from_worker)
        self._decode = Decoder().decode
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self.is_over = False

    def is_for(self, runner: zygotes.Runner) -> bool:
        """Whether it has the files of that runner, and is there. Between questions it has nothing
        to say but that it is gone."""
        if self.is_over or self._sandbox is not runner.sandbox or self._place != runner.place:
            return False
        if not self._lock.acquire(blocking=False):
            return True  # somebody is asking it something, and what it says is for them
        try:
            return not self._has_said_something()
        finally:
            self._lock.release()

    def _has_said_something(self) -> bool:
        poll = select.poll()  # not select, which takes no descriptor beyond the thousandth
        with contextlib.suppress(OSError, ValueError):
            poll.register(self._line, select.POLLIN)
            return bool(poll.poll(0))
        return True

    def close(self) -> None:
        """Let go of it. Whoever waits for an answer is told that there is none."""
        self.is_over = True
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        if self._lock.acquire(blocking=False):
            self._line.close()
            self._lock.release()

    def ask(self, make: Callable[..., messages.Message], buffers: Sequence[Buffer] = ()) -> Any:
        """What it answers; the error, if it is one. Gone if it does not."""
        with self._lock:
            if self.is_over:
                raise Gone
            number = next(self._numbers)
            try:
                for piece in self._conversation.send(make(id=number), buffers):
                    self._line.sendall(piece)
                answer, parts = self._receive(_ANSWER_SECONDS) or (None, [])
                if answer is None or answer.type not in ("done", "failed") or answer.id != number:
                    raise WorkerProtocolError(
                        "whoever has the sandbox's files does not answer what was asked"
                    )
                value = None if answer.type == "failed" else self._decode(answer.value, parts)
            except (
                BaseException
            ) as error:  # what comes next could not be told from the rest of this
                self.is_over = True
                self._line.close()
                if isinstance(error, OSError):
                    raise Gone from None
                raise
        if answer.type == "failed":
            raise outcomes.refusal(answer.error, answer.message)
        return value

    def listen(self, seconds: float) -> tuple[Any, list[Any]] | None:
        """What it says unasked; None if it says nothing in that time. Gone if it is, or is let go
        of meanwhile."""
        with self._lock:
            if self.is_over:
                raise Gone
            try:
                received = self._receive(seconds)
                if not self.is_over:
                    return received
            except OSError:
                pass
            self._line.close()
            raise Gone

    def _receive(self, seconds: float) -> tuple[Any, list[Any]] | None:
        """The next message; None if none comes in that time. OSError if it is gone."""
        until = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self._line, select.POLLIN)
        is_late = False
        while (received := self._conversation.next_message()) is None:
            if is_late or not poll.poll(max(0.0, until - time.monotonic()) * 1000):
                return None
            is_late = time.monotonic() > until  # also when pieces keep coming
            reader = self._conversation.reader
            room = reader.room()
            if room is not None:
                count = self._line.recv_into(room)
                reader.filled(count)
            else:
                data = self._line.recv(_CHUNK)
                count = len(data)
                reader.feed(data)
            if not count:
                raise ConnectionResetError
        if received[0].type == "broken":
            raise SandboxFailed(received[0].message)
        return received


class Filing:
    """Whom a worker asks about files: a clerk of the lab that its runner has now. `reach` gives
    that runner."""

    def __init__(self, reach: Callable[[], zygotes.Runner]) -> None:
        self._reach = reach
        self.on_loss: Callable[[zygotes.Runner], None] = lambda runner: None
        """Called when the clerk is gone, or none can be had: raises, if there is a better reason to
        tell."""
        self._clerk: Clerk | None = None
        self._opening = threading.Lock()
        self._others: weakref.WeakSet[Clerk] = weakref.WeakSet()
        self.has_changes = False
        """Whether the host has changed files since the last cell began."""

    def ask(
        self,
        make: Callable[..., messages.Message],
        buffers: Sequence[Buffer] = (),
        *,
        changes: bool = False,
    ) -> Any:
        """Ask, and get the answer or its error. `changes` says that files are not the same after
        it."""
        self.has_changes |= changes
        runner = self._reach()
        try:
            return self._present(runner).ask(make, buffers)
        except Gone:
            self.on_loss(runner)
            raise SandboxFailed(
                "the sandbox ended while its files were being looked at, and it is not known what"
                " came of that"
            ) from None
        except SandboxFailed:
            self.on_loss(runner)
            raise
        finally:
            self.has_changes |= changes  # a cell that began meanwhile knew of it before it was done

    def _present(self, runner: zygotes.Runner) -> Clerk:
        with self._opening:
            if self._clerk is None or not self._clerk.is_for(runner):
                self.close()
                self._clerk = Clerk(runner)
            return self._clerk

    def another(self) -> Clerk:
        """One more, for somebody who keeps it busy."""
        runner = self._reach()
        with self._opening:
            if sum(not clerk.is_over for clerk in self._others) >= MOST_WATCHES:
                raise SandboxFailed(
                    f"{MOST_WATCHES} directories of this executor are watched already; close some"
                    " of the watches"
                )
            clerk = Clerk(runner)
            self._others.add(clerk)
            return clerk

    def close(self) -> None:
        clerk, self._clerk = self._clerk, None
        if clerk is not None:
            clerk.close()
