"""A proxy between a client's remote end and a zygote of this server.

A client that runs its own sandboxes here (remote_ends.py) talks to them directly, and to the zygote
that makes them. All clients share the zygote, which trusts its requests and blocks when a request
asks for that. So the proxy parses each request, builds a new one from parts of known types, and
accepts only sandboxes of this client. It forwards nothing that would block the zygote. It counts
new sandboxes and applies the key's policy before the client gets them.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from fumehood.errors import NoRoom, PolicyError, SandboxFailed
from fumehood.executors.supervisor import Zygote
from fumehood.policy import Limits, Policy
from fumehood.policy_bounds import bounded_limits
from fumehood.server.refusals import Refusal
from fumehood.wire.frames import encode_frame
from fumehood.wire.messages import Confine
from fumehood.wire.protocol import plain_header

_MOST_BRANCHES = 1024
_DYING_SECONDS = 10.0
_LAST_SIGNAL = 64


class Wrong(Exception):
    """A request that cannot be, with what is said of it."""


@dataclass(slots=True)
class _Held:
    """A sandbox of the client's."""

    number: int
    """By which the zygote knows it."""
    runner: int
    """A handle on its first runner."""
    init: int | None
    branches: set[int] = field(default_factory=set)
    forks: set[int] = field(default_factory=set)
    """Of those, whom an executor of its own uses: each counts as a sandbox."""
    beside: dict[int, int] = field(default_factory=dict)
    """Of those, handles on the ones that the zygote has started itself."""


class Broker:
    """`control` is the client's line, to one zygote as it believes. `policy` is what its sandboxes
    begin with, within the `ceiling`; `take` counts one more sandbox, or raises a Refusal, and
    `give` one less. It ends with the line, and all sandboxes that it was asked for."""

    def __init__(
        self,
        control: socket.socket,
        zygote: Zygote,
        policy: Policy,
        ceiling: Policy,
        take: Callable[[], None],
        give: Callable[[], None],
    ) -> None:
        self._control = control
        self._zygote = zygote
        self._policy = policy
        self._ceiling = ceiling
        self._take, self._give = take, give
        self._sandboxes: dict[int, _Held] = {}
        self._next = 1
        self._confine = b"".join(
            map(
                bytes,
                encode_frame(
                    plain_header(Confine(ceiling=ceiling.as_fields(), policy=policy.as_fields())),
                    [],
                ),
            )
        )
        self._thread = threading.Thread(target=self._serve, name="fumehood-broker", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self._greet()
            while True:
                packet, handles, _flags, _address = socket.recv_fds(self._control, 1 << 16, 1)
                if not packet:
                    return
                try:
                    self._answer(packet, handles)
                finally:
                    for handle in handles:
                        os.close(handle)
        except OSError:  # the client is gone
            pass
        finally:
            self._end_all()

    @property
    def is_open(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        if threading.current_thread() is not self._thread:
            self._thread.join(_DYING_SECONDS)

    def _greet(self) -> None:
        rows = [[m.name, m.in_force, m.detail, m.stops] for m in self._zygote.mechanisms]
        limits, imports = (
            self._ceiling.limits,
            ", ".join(self._ceiling.imports) or "the default list",
        )
        held = (
            f"at most {limits.memory_bytes >> 20:,} MB and {limits.processes} processes for each"
            f" sandbox; imports: {imports}"
        )
        rows.append(
            [
                "policy of the server's key",
                True,
                held,
                "asking the server for more than its key may have",
            ]
        )
        self._reply(
            {"ready": rows} if self._zygote.has_pidfds else {"ready": rows, "pidfds": False}
        )

    def _reply(self, body: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
        socket.send_fds(self._control, [json.dumps(body).encode()], [*descriptors])

    # -- requests

    def _answer(self, packet: bytes, handles: list[int]) -> None:
        answers = True
        try:
            request = _parsed(packet)
            do = str(request.get("do"))
            known = _REQUESTS.get(do)
            if known is None:
                raise Wrong(f"this server does not do that for clients: {do[:40]!r}")
            answers = do in _QUESTIONS or request.get("answer") is True
            known(self, request, handles, answers)
        except (Wrong, Refusal, PolicyError) as error:
            if answers:
                self._reply({"failed": str(error)})
        except SandboxFailed as error:
            if self._zygote.closed:
                raise OSError("the zygote is gone") from None  # the client asks for another
            if answers:
                self._reply({"failed": str(error), "full": isinstance(error, NoRoom)})

    def _start(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        limits = self._policy.limits
        if "limits" in request:
            limits = bounded_limits(_limits(request["limits"]), self._ceiling.limits)
        self._take()
        try:
            usual = limits == self._zygote.policy.limits
            asked = {"do": "start"} if usual else {"do": "start", "limits": asdict(limits)}
            reply, descriptors = self._zygote.pass_on(asked, answers=True)
        except BaseException:
            self._give()
            raise
        wire, output, runner, *init = descriptors
        number, self._next = self._next, self._next + 1
        self._zygote.sandboxes += 1
        self._sandboxes[number] = _Held(
            reply["sandbox"], os.dup(runner), os.dup(init[0]) if init else None
        )
        self._hand_over(number, wire, (wire, output, runner, *init))

    def _restart(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        number, held = self._held(request)
        self._see_dead(held.runner)
        _reply, descriptors = self._zygote.pass_on(
            {"do": "runner", "sandbox": held.number}, answers=True
        )
        wire, output, runner = descriptors
        os.close(held.runner)
        held.runner = os.dup(runner)
        self._hand_over(number, wire, (wire, output, runner))

    def _beside(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        """One more runner in the sandbox, or another in place of one that is dead."""
        number, held = self._held(request)
        place, branch = _number_in(request, "place"), _number_in(request, "branch")
        is_new = branch not in held.branches
        if is_new:
            self._may_have_more(held)
            self._take()
        elif branch in held.beside:
            self._see_dead(held.beside[branch])
        try:
            asked = {"do": "beside", "sandbox": held.number, "place": place, "branch": branch}
            _reply, descriptors = self._zygote.pass_on(asked, answers=True)
        except BaseException:
            if is_new:
                self._give()
            raise
        wire, output, runner = descriptors
        held.branches.add(branch)
        held.forks.add(branch)
        if branch in held.beside:
            os.close(held.beside[branch])
        held.beside[branch] = os.dup(runner)
        self._hand_over(number, wire, (wire, output, runner))

    def _may_have_more(self, held: _Held) -> None:
        if len(held.branches) >= _MOST_BRANCHES:
            raise Wrong("too many copies")

    def _hand_over(self, number: int, wire: int, descriptors: tuple[int, ...]) -> None:
        """The client gets what the zygote gave, once the runner has been told what it may have."""
        try:
            with socket.socket(fileno=os.dup(wire)) as line:
                line.sendall(self._confine)
            self._reply({"sandbox": number}, descriptors)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _status(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        _number, held = self._held(request)
        branch = _number_in(request, "branch")
        if branch not in held.branches:
            self._see_dead(held.runner)
        elif branch in held.beside:
            self._see_dead(held.beside[branch])
        reply, _descriptors = self._zygote.pass_on(
            {"do": "status", "sandbox": held.number, "branch": branch}, answers=True
        )
        self._reply({"status": reply["status"], "out_of_memory": reply["out_of_memory"]})

    def _widen(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        _number, held = self._held(request)
        self._zygote.pass_on({"do": "widen", "sandbox": held.number}, answers=False)

    def _adopt(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        _number, held = self._held(request)
        branch, is_fork = _number_in(request, "branch"), request.get("fork") is True
        maker, pid = _number_in(request, "maker"), _number_in(request, "pid")
        self._may_have_more(held)
        if branch in held.branches:
            raise Wrong("that copy is known already")
        if is_fork:
            self._take()
        asked = {"do": "adopt", "sandbox": held.number, "maker": maker, "branch": branch}
        try:
            _reply, descriptors = self._zygote.pass_on(
                {**asked, "fork": is_fork, "pid": pid}, answers=True
            )
        except BaseException:
            if is_fork:
                self._give()
            raise
        held.branches.add(branch)
        if is_fork:
            held.forks.add(branch)
        self._pass_back(descriptors)

    def _replace(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        _number, held = self._held(request)
        branch, pid = _number_in(request, "branch"), _number_in(request, "pid")
        if branch and branch not in held.branches:
            raise Wrong("there is no such copy")
        asked = {"do": "replace", "sandbox": held.number, "branch": branch, "pid": pid}
        _reply, descriptors = self._zygote.pass_on(asked, answers=True)
        held.branches.add(branch)
        self._pass_back(descriptors)

    def _pass_back(self, descriptors: list[int]) -> None:
        try:
            self._reply({}, tuple(descriptors))
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _leave(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        _number, held = self._held(request)
        branch = _number_in(request, "branch")
        was_fork = branch in held.forks
        asked = {"do": "leave", "sandbox": held.number, "branch": branch, "fork": was_fork}
        self._zygote.pass_on({**asked, "answer": answers}, answers=answers)
        held.branches.discard(branch)
        if branch in held.beside:
            os.close(held.beside.pop(branch))
        if was_fork:
            held.forks.discard(branch)
            self._give()
        if answers:
            self._reply({})

    def _end(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        number, _held = self._held(request)
        self._end_sandbox(number)

    def _signal(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        _number, held = self._held(request)
        which = _number_in(request, "number")
        if not 1 <= which <= _LAST_SIGNAL:
            raise Wrong("there is no such signal")
        self._zygote.pass_on(
            {"do": "signal", "sandbox": held.number, "number": which, "answer": True}, answers=True
        )
        if answers:
            self._reply({})

    def _files(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        """A line to somebody who has a lab in hand, and no more than that."""
        _number, held = self._held(request)
        place = _number_in(request, "place")
        if len(handles) != 1:
            raise Wrong("a line is needed")
        reply, _descriptors = self._zygote.pass_on(
            {"do": "files", "sandbox": held.number, "place": place}, handles, answers=True
        )
        self._reply({"refused": str(reply["refused"])} if "refused" in reply else {})

    def _packages(self, request: dict[str, Any], handles: list[int], answers: bool) -> None:
        self._reply(
            {
                "refused": (
                    "this server takes no packages from its clients; have whoever runs it install"
                    " them"
                )
            }
        )

    def _held(self, request: dict[str, Any]) -> tuple[int, _Held]:
        number = _number_in(request, "sandbox")
        held = self._sandboxes.get(number)
        if held is None:
            raise Wrong("that sandbox is over")
        return number, held

    def _see_dead(self, handle: int) -> None:
        """Wait for a runner to die, so that the zygote need not, which serves other clients too.
        OSError if the client goes away meanwhile."""
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.register(self._control, select.POLLRDHUP)
        ready = dict(poll.poll(_DYING_SECONDS * 1000))
        if handle not in ready:
            raise OSError("the client is gone") if ready else Wrong("that runner is alive")

    # -- ends

    def _end_sandbox(self, number: int) -> None:
        held = self._sandboxes.pop(number)
        if held.init is not None:
            self._zygote.processes.send_signal(held.init, signal.SIGKILL)
            os.close(held.init)
        self._zygote.pass_on({"do": "end", "sandbox": held.number}, answers=False)
        for handle in (held.runner, *held.beside.values()):
            os.close(handle)
        self._zygote.sandboxes -= 1
        for _ in range(1 + len(held.forks)):
            self._give()

    def _end_all(self) -> None:
        for number in [*self._sandboxes]:
            self._end_sandbox(number)
        self._control.close()


def _parsed(packet: bytes) -> dict[str, Any]:
    try:
        request = json.loads(packet)
    except (ValueError, RecursionError):
        raise Wrong("that is no request") from None
    if not isinstance(request, dict):
        raise Wrong("that is no request")
    return request


def _number_in(request: dict[str, Any], name: str) -> int:
    number = request.get(name)
    if type(number) is not int or not 0 <= number < 1 << 31:
        raise Wrong(f"{name} is to be a number")
    return number


def _limits(given: object) -> Limits:
    try:
        return Limits(**given)  # type: ignore[arg-type]
    except TypeError:
        raise Wrong("those are no limits") from None


# What a client may ask, and who does it. What is not here is not done.
_REQUESTS: dict[str, Callable[[Broker, dict[str, Any], list[int], bool], None]] = {
    "start": Broker._start,
    "runner": Broker._restart,
    "beside": Broker._beside,
    "status": Broker._status,
    "widen": Broker._widen,
    "adopt": Broker._adopt,
    "replace": Broker._replace,
    "leave": Broker._leave,
    "end": Broker._end,
    "signal": Broker._signal,
    "files": Broker._files,
    "packages": Broker._packages,
}
_QUESTIONS = frozenset(
    {"start", "runner", "beside", "status", "adopt", "replace", "files", "packages"}
)
