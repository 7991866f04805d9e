"""Remote ends for clients that use E2BExecutor with a sandbox of this server.

In a cloud sandbox E2BExecutor uploads a file (e2b/zip_app.py) and runs it. This server does not run
that command in its sandbox: it starts a remote end in its own process and connects it to the
command's streams. The sandboxes that the client then starts are made by the server's zygotes. They
obey the policy of the client's key, count against its quota, and end with the sandbox in which the
command was run.

The other end of the tunnel is a client, which may send anything. Input that cannot be parsed ends
this remote end and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import fumehood
from fumehood.e2b import zip_app
from fumehood.errors import FumehoodError
from fumehood.executors import supervisor
from fumehood.policy import Policy
from fumehood.policy_bounds import bounded
from fumehood.server.brokers import Broker
from fumehood.server.refusals import Busy, Refusal
from fumehood.tunnel.end import FarEnd
from fumehood.tunnel.frames import BEGINNING, BrokenTunnel, LineReader, as_lines

if TYPE_CHECKING:
    from fumehood.server.sandboxes import Sandbox
    from fumehood.server.server import Server

NAME = "remote_ends"
"""Under which a sandbox keeps them."""
_MOST_CHANNELS = 1024
_MOST_BROKERS = 16
_MOST_REMOTE_ENDS = 4
_PIECE = 1 << 18
_BUFFER = 4 << 20
_COUNT_SECONDS = 10.0
_FIRST_PID = 1 << 20
_pids = itertools.count(_FIRST_PID)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    exit_code: int
    error: str | None = None
    stdout: str = ""
    stderr: str = ""


Piece = tuple[Literal["stdout", "stderr"], bytes]


def command(server: Server, sandbox: Sandbox, line: str) -> RemoteCommand | None:
    """What runs in place of a command that starts our remote end; None for any other command. Call
    it from any thread but the loop's. It behaves as a command, and ends with the sandbox."""
    asked = zip_app.asked_by(line)
    if asked is None:
        return None
    if asked != zip_app.digest():
        return RemoteCommand.refused(
            f"this server runs fumehood {fumehood.__version__} ({zip_app.digest()[:8]}), and the"
            f" client another ({asked[:8]}); install the same version on both sides"
        )
    loop = server.threads.loop

    def take(policy: Policy) -> None:
        """Count one more sandbox of the key."""

        async def count() -> None:
            server.sandboxes.reserve(sandbox.key, policy)

        try:
            asyncio.run_coroutine_threadsafe(count(), loop).result(_COUNT_SECONDS)
        except TimeoutError:
            raise Busy("the server is too busy to make a sandbox") from None

    def give() -> None:
        with contextlib.suppress(
            RuntimeError
        ):  # the loop is closed, and nothing is counted any more
            loop.call_soon_threadsafe(server.sandboxes.release, sandbox.key)

    own: RemoteEnds = sandbox.extras.setdefault(NAME, RemoteEnds())
    made = own.add(lambda: RemoteCommand(RemoteEnd(sandbox.executor.policy, take, give)))
    if sandbox.is_over:  # meanwhile, and nobody would end it
        own.close()
    return made


class RemoteEnds:
    """Those of one sandbox."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._commands: list[RemoteCommand] = []
        self._is_closed = False

    def add(self, make: Callable[[], RemoteCommand]) -> RemoteCommand:
        with self._lock:
            self._commands = [command for command in self._commands if not command.is_over]
            if self._is_closed or len(self._commands) >= _MOST_REMOTE_ENDS:
                raise Busy(
                    f"a sandbox may have {_MOST_REMOTE_ENDS} remote ends at once; end some of them"
                )
            made = make()
            self._commands.append(made)
            return made

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            commands, self._commands = self._commands, []
        for running in commands:
            running.kill()


class RemoteEnd:
    """One remote end: a thread that serves a tunnel. `stream` is the other end of its bytes."""

    def __init__(
        self, ceiling: Policy, take: Callable[[Policy], None], give: Callable[[], None]
    ) -> None:
        self._ceiling = ceiling
        self._take, self._give = take, give
        self._brokers: list[Broker] = []
        self.stream, self._ours = socket.socketpair()
        for end in (self.stream, self._ours):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        number = self._ours.fileno()
        self._end = FarEnd(
            number,
            number,
            self._start_broker,
            failures=(Refusal, FumehoodError, OSError),
            most_channels=_MOST_CHANNELS,
        )
        self._thread = threading.Thread(target=self._serve, name="fumehood-remote-end", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self._end.run()
        except Exception:  # what a client sends is its own affair; the tunnel is closed
            pass
        finally:
            for broker in self._brokers:
                broker.close()
            self.close()
            self._ours.close()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.stream.shutdown(socket.SHUT_RDWR)

    def _start_broker(self, policy: dict[str, Any]) -> int:
        """The control socket of a broker, which starts sandboxes as a supervisor does."""
        asked = bounded(Policy.from_fields(policy), self._ceiling)
        if len(self._brokers) >= _MOST_BROKERS:
            self._brokers = [broker for broker in self._brokers if broker.is_open]
            if len(self._brokers) >= _MOST_BROKERS:
                raise Busy("sandboxes of so many kinds are too many; close some")
        asked.verify_installed()
        # One that has imported all that the key may, so that every client of the key is served by
        # the same. Of everything nothing is.
        imports = asked.imports if "*" in self._ceiling.imports else self._ceiling.imports
        zygote = supervisor.LOCAL.zygote_for(replace(asked, imports=imports))
        theirs, ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._brokers.append(
            Broker(ours, zygote, asked, self._ceiling, lambda: self._take(asked), self._give)
        )
        return theirs.detach()


class RemoteCommand:
    """A remote end as a command: text in, text out."""

    def __init__(self, remote_end: RemoteEnd | None, ended: Ended | None = None) -> None:
        self.pid = next(_pids)
        self._remote_end = remote_end
        self._reader = LineReader()
        self._sending = threading.Lock()
        self._ended = ended
        self._over = threading.Event()
        if ended is not None:
            self._over.set()

    @classmethod
    def refused(cls, why: str) -> RemoteCommand:
        """One that has ended before it began, and says why."""
        return cls(None, Ended(126, stderr=f"{why}\n"))

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    def send_stdin(self, data: str | bytes) -> None:
        """What the client sends to its standard input. What is no line of a tunnel ends it."""
        remote_end = self._remote_end
        if remote_end is None:
            return
        try:
            with self._sending:
                decoded = self._reader.feed(data.encode() if isinstance(data, str) else data)
                if decoded:
                    remote_end.stream.sendall(decoded)
        except BrokenTunnel as error:
            self._end(Ended(1, stderr=f"{error}\n"))
        except OSError:
            self._end(Ended(0))

    def close_stdin(self) -> None:
        if self._remote_end is not None:
            with contextlib.suppress(OSError):
                self._remote_end.stream.shutdown(socket.SHUT_WR)

    def kill(self) -> bool:
        """False if it is over already."""
        was_running = not self.is_over
        self._end(Ended(137, error="killed"))
        return was_running

    def signal(self, number: int) -> bool:
        """Every signal ends it."""
        return self.kill()

    def resize(self, columns: int, rows: int) -> bool:
        return False

    def _end(self, how: Ended) -> None:
        if self._ended is None:
            self._ended = how
        self._over.set()
        if self._remote_end is not None:
            self._remote_end.close()

    def __iter__(self) -> Iterator[Piece]:
        """What it writes, as it comes, until it ends; for one who reads."""
        if self._remote_end is not None:
            yield "stdout", BEGINNING + b"\n"
            with contextlib.suppress(OSError):
                while data := self._remote_end.stream.recv(_PIECE):
                    yield "stdout", as_lines(data)
            self._end(Ended(0))
            with self._sending:  # nobody is in the middle of anything
                self._remote_end.stream.close()
        assert self._ended is not None
        if self._ended.stderr:
            yield "stderr", self._ended.stderr.encode()

    def wait(self) -> Ended:
        """How it ended, once it has."""
        self._over.wait()
        assert self._ended is not None
        return self._ended
