"""RemoteExecutor: an executor whose sandbox runs in a place at the remote end of a tunnel. Several
executors may share a place."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import socket
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from fumehood.errors import ContainerFailed, PolicyError, SandboxFailed
from fumehood.executors.executor import Executor
from fumehood.executors.options import Options
from fumehood.executors.session import Session
from fumehood.executors.session_events import SessionEvents
from fumehood.executors.supervisor import Runner, Zygotes, exhausted_here, usual
from fumehood.finalizer import Finalizer
from fumehood.jail.report import Mechanism
from fumehood.policy import Policy
from fumehood.tunnel.end import TunnelEnd
from fumehood.tunnel.frames import BrokenTunnel, Frame, Kind, Sort

_SIGN_OF_LIFE = Frame(Kind.ASK, 0)
_SIGN_SECONDS = 20.0
_START_SECONDS = 60.0
_ANSWER_SECONDS = 10.0


class Tunnel:
    """`stream` leads to a remote end (worker/remote.py); the tunnel owns it from now on. `decode`
    decodes what is read from it. `why_gone` says in one line why a remote end no longer answers,
    `around` what isolates it. `place` is its name in error messages, and `gone` the exception that
    is raised when it has ended."""

    is_remote = True

    def __init__(
        self,
        stream: socket.socket,
        decode: Callable[[bytes], bytes],
        why_gone: Callable[[], str],
        around: Callable[[], tuple[Mechanism, ...]] = tuple,
        *,
        place: str = "the container",
        gone: type[SandboxFailed] = ContainerFailed,
    ) -> None:
        self._stream = stream
        self._place, self.gone = place, gone
        self.around = around
        self._is_silent = False
        self._why_gone = why_gone
        self._numbers = itertools.count(1)
        self._asked: dict[int, tuple[Future[Any], Callable[[dict[str, Any]], None]]] = {}
        """Questions without an answer, and what is called with that."""
        self._pid = os.getpid()
        descriptor = stream.fileno()
        self._end = TunnelEnd(
            descriptor,
            descriptor,
            is_remote_end=False,
            on_frame=self._take,
            decode=lambda data: _decoded(decode, data),
            pause=_SIGN_SECONDS,
            on_pause=lambda: self._end.send(_SIGN_OF_LIFE),
        )
        self._thread = threading.Thread(target=self._serve, name="fumehood-tunnel", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            self._end.abandon()
            raise exhausted_here(error) from None

    def _serve(self) -> None:
        try:
            self._end.run()
        finally:
            self._end_questions()

    def _end_questions(self) -> None:
        """There will be no more answers."""
        while self._asked:
            with contextlib.suppress(KeyError):  # another thread was faster
                self._asked.popitem()[1][0].set_result(None)

    @property
    def is_open(self) -> bool:
        return self._end.is_open

    @property
    def heard(self) -> float:
        """When the remote end last sent something, by the monotonic clock. It only answers."""
        return self._end.heard

    def close(self) -> None:
        """End the remote end, and with it all that it has started."""
        if self._pid != os.getpid():
            return
        with contextlib.suppress(OSError):
            self._stream.shutdown(socket.SHUT_RDWR)
        if threading.current_thread() is not self._thread:
            self._thread.join(_ANSWER_SECONDS)
        self._stream.close()

    def give_up(self) -> None:
        """The remote end does not answer, and may never again: it counts as gone."""
        self._is_silent = True
        self.close()

    def abandon(self) -> None:
        """After a fork: it is the parent's, and must not be kept open by this process."""
        self._end.abandon()
        with contextlib.suppress(OSError):
            self._stream.close()

    # -- questions

    def launch(self, policy: Policy, path: Sequence[str]) -> RemoteSupervisor:
        """A supervisor at the remote end. What it imports from is the remote end's to know."""
        made: list[socket.socket] = []
        lock = threading.Lock()
        is_wanted = True

        def stand_in(answer: dict[str, Any]) -> None:
            """At once: what it says first may be right behind."""
            if not isinstance(answer, dict) or not isinstance(answer.get("python", []), list):
                raise TypeError
            if "control" in answer:
                sort, number = answer["control"]
                if sort != Sort.PACKETS:
                    raise TypeError
                control = socket.socket(fileno=self._end.stand_in(Sort(sort), number)[1])
                with lock:
                    made.append(control)
                    if not is_wanted:  # it came when the caller had given up
                        control.close()

        try:
            question = {"do": "start", "policy": remote_fields(policy)}
            answer = self.ask(question, _START_SECONDS, stand_in)
            if "refused" in answer:
                raise PolicyError(answer["refused"])
            if "failed" in answer or not made:
                why = answer.get("failed", "it gave no answer")
                raise SandboxFailed(f"the worker could not be started: {why}")
            return RemoteSupervisor(self, made[0], tuple(answer["python"]))
        except BaseException:
            with lock:
                is_wanted = False
                for control in made:
                    control.close()
            raise

    def ask(
        self,
        question: dict[str, Any],
        seconds: float = _ANSWER_SECONDS,
        on_answer: Callable[[dict[str, Any]], None] = lambda answer: None,
    ) -> dict[str, Any]:
        """Ask the remote end; return its answer. The serving thread calls `on_answer` first.
        SandboxFailed if there is no answer."""
        number = next(self._numbers)
        answer: Future[Any] = Future()
        self._asked[number] = answer, on_answer
        frame = Frame(Kind.ASK, number, json.dumps(question).encode())
        found: dict[str, Any] | None = None
        try:
            self._end.call(lambda: self._end.send(frame))
            if not self._end.is_open:
                self._end_questions()
            with contextlib.suppress(TimeoutError):
                found = answer.result(seconds)
        finally:
            self._asked.pop(number, None)
        if found is None:
            raise SandboxFailed(self.why_gone())
        return found

    def why_gone(self) -> str:
        if self._is_silent:
            return (
                f"{self._place} did not answer any more, as one that is paused or cut off, and was"
                " given up"
            )
        failure = self._end.failure
        if isinstance(failure, OSError):
            return f"the connection to {self._place} failed in this process: {failure}"
        if failure is not None:
            return f"{self._place} broke the protocol and was ended: {failure}"
        return self._why_gone()

    def _take(self, frame: Frame) -> None:
        if frame.kind is not Kind.ANSWER or (asked := self._asked.get(frame.channel)) is None:
            return
        answer, on_answer = asked
        try:
            body = json.loads(frame.data)
            on_answer(body)
        except (ValueError, TypeError, RecursionError):
            raise BrokenTunnel("an answer that is none") from None
        if self._asked.pop(frame.channel, None) is not None:
            answer.set_result(body)

    # -- processes, by handles

    def send_signal(self, handle: int, number: int) -> None:
        channel = self._end.channel_of(handle)
        if channel is not None and channel.sort is Sort.PROCESS:
            frame = Frame(Kind.SIGNAL, channel.number, number.to_bytes(4, "little"))
            self._end.call(lambda: self._end.send(frame))

    def processor_clock(self, handle: int) -> Callable[[], float]:
        channel = self._end.channel_of(handle)
        if (
            channel is None or channel.sort is not Sort.PROCESS
        ):  # where there are no pidfds nobody tells
            return lambda: 0.0

        def read() -> float:
            with contextlib.suppress(SandboxFailed):
                return float(self.ask({"do": "time", "channel": channel.number})["seconds"])
            return 0.0

        return read

    def exit_status(self, handle: int) -> int:
        status = self._end.exit_status(handle)
        return -signal.SIGKILL if status is None else status

    def is_stopped(self, handle: int) -> bool:
        return False

    def is_on_its_way(self, output: int) -> bool:
        return self._end.is_on_its_way(output)


def _decoded(decode: Callable[[bytes], bytes], data: bytes) -> bytes:
    try:
        return decode(data)
    except SandboxFailed as error:
        raise BrokenTunnel(str(error)) from None


def remote_fields(policy: Policy) -> dict[str, Any]:
    """A policy as it is sent to the remote end, where the sources of mounts have the names that
    code knows them by."""
    return replace(
        policy, mounts=tuple(replace(mount, source=mount.target) for mount in policy.mounts)
    ).as_fields()


class RemoteSupervisor:
    """A supervisor at the remote end of a tunnel."""

    def __init__(self, tunnel: Tunnel, control: socket.socket, python: tuple[int, ...]) -> None:
        self.control = control
        self.processes = tunnel
        self.python = python
        self.gone = tunnel.gone

    @property
    def is_over(self) -> bool:
        return not self.processes.is_open

    def why_over(self) -> str:
        return "" if self.processes.is_open else self.processes.why_gone()

    def around(self) -> tuple[Mechanism, ...]:
        return self.processes.around()

    def give_up(self) -> None:
        self.processes.give_up()

    def wait(self, seconds: float) -> None:
        """It ends with its control socket, and nothing of it is left here."""

    def abandon(self) -> None:
        self.processes.abandon()


W = TypeVar("W")


class Started(NamedTuple, Generic[W]):
    """What a place has started: a remote end, and the stream to it. `end` stops it. The rest is as
    with Tunnel."""

    own: W
    """As the place itself holds it."""
    stream: socket.socket
    end: Callable[[], Any]
    why_gone: Callable[[], str]
    around: Callable[[], tuple[Mechanism, ...]]
    name: str
    decode: Callable[[bytes], bytes] = bytes


class RemoteLine(Generic[W]):
    """What a place has started, and the tunnel to it. `end` ends both. The place calls it, or
    its finalizer does when the place is dropped."""

    def __init__(self, place: RemotePlace[W], started: Started[W]) -> None:
        self.own = started.own
        self.tunnel = Tunnel(
            started.stream,
            started.decode,
            started.why_gone,
            started.around,
            place=started.name,
            gone=place.gone,
        )
        self.end = Finalizer(place, _end, self.tunnel, started.end)
        self.zygotes = Zygotes(self.tunnel.launch)
        _lines.add(self)


def _end(tunnel: Tunnel, end: Callable[[], Any]) -> None:
    tunnel.close()
    end()


class RemotePlace(ABC, Generic[W]):
    gone: ClassVar[type[SandboxFailed]]
    """What is raised when it is gone."""
    called: ClassVar[str]
    """In error texts: "container"."""
    advice: ClassVar[str]
    """What to do about a policy that is refused there."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._line: RemoteLine[W] | None = None
        self._closed = False
        _places.add(self)

    @abstractmethod
    def _start(self, policy: Policy, first: dict[str, Any]) -> Started[W]:
        """Start a remote end. Its first supervisor is for a policy, which is sent as `first`."""

    def start_sandbox(self, policy: Policy) -> Runner:
        """The runner of a fresh sandbox in there."""
        with self._lock:
            line = self._open(policy)
        try:
            return line.zygotes.start_sandbox(policy)
        except PolicyError as error:
            raise PolicyError(f"{error} {self.advice}") from None
        except self.gone:
            raise
        except SandboxFailed as error:
            if line.tunnel.is_open:
                raise
            raise self.gone(line.tunnel.why_gone() or str(error)) from None

    def _open(self, policy: Policy) -> RemoteLine[W]:
        if self._closed:
            raise SandboxFailed(f"this {self.called} is closed; make a new one")
        line = self._line
        if line is None or not line.tunnel.is_open:
            if line is not None:
                line.end()
                line.zygotes.close()
            started = self._start(policy, remote_fields(usual(policy)))
            try:
                line = self._line = RemoteLine(self, started)
            except BaseException as error:
                started.stream.close()
                started.end()
                if isinstance(error, OSError):
                    raise exhausted_here(error) from None
                raise
        return line

    @property
    def _open_line(self) -> RemoteLine[W] | None:
        """The line, if there is one and it is open."""
        line = self._line
        return None if line is None or not line.tunnel.is_open else line

    @property
    def id(self) -> str | None:
        """By what the engine or the service knows it; None while there is none."""
        line = self._open_line
        return None if line is None else line.own.id  # type: ignore[attr-defined]

    def close(self) -> None:
        """End it, and every sandbox in it. Closing twice is harmless."""
        with self._lock:
            self._closed = True
            line, self._line = self._line, None
        if line is not None:
            line.end()
            line.zygotes.close()  # executors may live on, and would keep its sockets open

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


_places: weakref.WeakSet[RemotePlace[Any]] = weakref.WeakSet()
_lines: weakref.WeakSet[RemoteLine[Any]] = weakref.WeakSet()
"""Those of this process."""


def _forget() -> None:
    """After a fork: they are the parent's."""
    for line in list(_lines):
        line.zygotes.forget()
        line.tunnel.abandon()
    _lines.clear()
    for place in list(_places):
        place._lock = threading.Lock()  # whoever held it is not here


os.register_at_fork(after_in_child=_forget)


class Starts(Protocol):
    """A place, or a choice of places."""

    def start_sandbox(self, policy: Policy) -> Runner: ...

    def close(self) -> None: ...


class RemoteExecutor(Executor):
    def __init__(
        self, name: str, place: Starts, shares: bool, policy: Policy, options: Options
    ) -> None:
        """`shares` says that the place is not this executor's to end. The rest is as with
        Executor."""
        self._place, self._shares = place, shares
        self._crowd: weakref.WeakSet[RemoteExecutor] = weakref.WeakSet([self])
        """The executors that have the place together: the first, and all made from it."""

        def make_session(events: SessionEvents) -> Session:
            return Session(policy, undoes=options.undoes, start=place.start_sandbox, events=events)

        try:
            super().__init__(name, policy, make_session, options)
        except BaseException:
            if not shares:
                place.close()
            raise

    def _with_session(self, session: Session) -> Self:
        other = super()._with_session(session)
        self._crowd.add(other)
        return other

    def close(self) -> None:
        """Give back the sandbox; the last executor of a place that is not shared ends that too."""
        already, self._is_closed = self._is_closed, True
        if already:
            return
        self._crowd.discard(self)
        if not self._crowd and not self._shares:
            self._place.close()  # at once: nothing in there has to be told
        self._session.close()

    _is_closed = False
