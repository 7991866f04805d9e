"""A sandbox of the service with a far end in it: made or connected to, renewed while it is used,
ended.

The service ends a sandbox when its time is over, whoever has died meanwhile. So it is given a short
time, and more before that is over, for as long as somebody here says that it is in use.
"""

from __future__ import annotations

import contextlib
import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from fumehood.e2b import zip_app
from fumehood.e2b.sdk import as_ours, check_key, one_line, sandbox_class
from fumehood.errors import E2BFailed
from fumehood.tunnel.text import LineReader, as_lines

_PAUSE_SECONDS = 2.0
_LONGEST_SECONDS = 15.0
_LARGEST = 64 << 20
_WAITING = 4
"""Pieces that wait for the request; whoever sends one more waits too."""
_MOMENT = 2.0
_INPUT_LOOK_SECONDS = 0.01
_REQUEST_SECONDS = 60.0


class Input:
    """`send` is for one thread."""

    def __init__(self, commands: Any, pid: int) -> None:
        self._commands = commands
        self._pid = pid
        self._is_streamed: bool | None = None
        self._stream: _Stream | None = None

    def send(self, data: bytes) -> None:
        """Raises what the package raises, for this piece or for one before."""
        if self._is_streamed is None:
            self._is_streamed = self._can_stream()
        if not self._is_streamed:
            self._commands.send_stdin(self._pid, data, request_timeout=_REQUEST_SECONDS)
            return
        while self._stream is None or not self._stream.put(data):
            if self._stream is not None:
                self._stream.settle()
            self._stream = _Stream(self._commands, self._pid)

    def close(self) -> None:
        """Send no more, and see the request end: the package sends it by a thread of its own, which
        must not meet the interpreter's end."""
        if self._stream is not None:
            self._stream.close()

    def _can_stream(self) -> bool:
        """Found out by a line that says nothing."""
        if not hasattr(self._commands, "stream_input"):
            return False
        try:
            self._commands.stream_input(self._pid, [b"\n"], timeout=_REQUEST_SECONDS)
        except Exception:
            return False  # a request of its own will say what is wrong, if anything is
        return True


class _Stream:
    """One request, and the thread that it is sent by."""

    def __init__(self, commands: Any, pid: int) -> None:
        self._pieces: queue.Queue[bytes] = queue.Queue(_WAITING)
        self._lock = threading.Lock()
        self._is_open = True
        self._failure: Exception | None = None
        self._done = threading.Event()
        threading.Thread(
            target=self._run, args=(commands, pid), name="fumehood-e2b-input", daemon=True
        ).start()

    def put(self, data: bytes) -> bool:
        """False if it takes no more."""
        while True:
            with self._lock:
                if not self._is_open:
                    return False
                if not self._pieces.full():
                    self._pieces.put_nowait(data)
                    return True
            if self._done.wait(_INPUT_LOOK_SECONDS):
                return False

    def close(self) -> None:
        with self._lock:
            self._is_open = False
        with contextlib.suppress(queue.Full):  # then there is something else to wake it
            self._pieces.put_nowait(b"")
        self._done.wait(_MOMENT)

    def settle(self) -> None:
        """Wait until all that it took has arrived. Raises if it has not."""
        self._done.wait()
        if self._failure is not None:
            raise self._failure

    def _run(self, commands: Any, pid: int) -> None:
        try:
            commands.stream_input(pid, self._taken(), timeout=0)
        except Exception as error:
            self._failure = error
        finally:
            with self._lock:
                self._is_open = False
            self._done.set()

    def _taken(self) -> Iterator[bytes]:
        began, size = time.monotonic(), 0
        while True:
            try:
                piece = self._pieces.get(timeout=_PAUSE_SECONDS)
            except queue.Empty:
                piece = b""
            if piece:
                size += len(piece)
                yield piece
            if (
                not piece
                or not self._is_open
                or size > _LARGEST
                or time.monotonic() - began > _LONGEST_SECONDS
            ):
                with self._lock:
                    if self._pieces.empty() or not self._is_open:
                        self._is_open = False
                        return


USER = "root"
"""Whose command it is: what guards code takes away more where it has more, and code itself is never
this user."""
_KEPT = 2000


class SandboxCommand:
    """`errors` has the last of what it wrote to its standard error."""

    def __init__(self, sandbox: Any, line: str) -> None:
        try:
            self._handle: Any = sandbox.commands.run(
                line, background=True, stdin=True, timeout=0, user=USER, retain_output=False
            )
        except Exception as error:
            raise as_ours(error, "the worker could not be started in the E2B sandbox") from None
        self._input = Input(sandbox.commands, self._handle.pid)
        self.errors = ""

    def send(self, data: bytes) -> None:
        try:
            self._input.send(data)
        except Exception as error:
            raise as_ours(error, "the worker could not be reached") from None

    def pieces(self) -> Iterator[bytes]:
        try:
            for output, errors, _terminal in self._handle:
                if output is not None:
                    yield output.encode()
                elif errors is not None:
                    self.errors = (self.errors + errors)[-_KEPT:]
        except Exception as error:
            raise as_ours(error, "the line to the worker broke") from None
        raise E2BFailed(self._how_it_ended())

    def _how_it_ended(self) -> str:
        try:
            self._handle.wait()
        except Exception as error:
            code = getattr(error, "exit_code", None)
            said = getattr(error, "error", None)
            if code is None:
                return one_line(error)
            return f"the worker ended with exit code {code}{f' ({one_line(said)})' if said else ''}"
        return "the worker ended"

    def close(self) -> None:
        """Send no more."""
        self._input.close()

    def kill(self) -> None:
        self._handle.kill()


_MOST_AT_ONCE = 1 << 20
_BUFFER = 4 << 20


class Command(Protocol):
    """A command that runs somewhere."""

    def send(self, data: bytes) -> None:
        """Write to its standard input, in order; returns when it may be called again. Raises if
        that is not possible any more."""

    def pieces(self) -> Iterator[bytes]:
        """What it writes to its standard output, as it comes, until it ends. Raises if the line to
        it breaks."""


class Lines:
    """`stream` is a socket for a tunnel, whose other end is pumped to and from a command by two
    threads. What is written while a piece is on its way goes together with the next. `on_end` is
    called once, with what broke the line, or None if the command has ended."""

    def __init__(self, command: Command, on_end: Callable[[Exception | None], None]) -> None:
        self.stream, self._ours = socket.socketpair()
        for end in (self.stream, self._ours):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        self.reader = LineReader(waits=True)
        self._pumps = 2
        self._command = command
        self._on_end = on_end
        self._ending = threading.Lock()
        self._is_over = False
        works = (self._send, "fumehood-e2b-in"), (self._receive, "fumehood-e2b-out")
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True) for work, name in works
        ]
        for thread in self._threads:
            thread.start()

    def _send(self) -> None:
        try:
            while data := self._ours.recv(_MOST_AT_ONCE):
                self._command.send(as_lines(data))
        except Exception as error:
            self._end(error)
        self._leave()

    def _receive(self) -> None:
        failure: Exception | None = None
        try:
            for piece in self._command.pieces():
                data = self.reader.feed(piece)
                if data:
                    self._ours.sendall(data)
        except Exception as error:
            failure = error
        self._end(failure)
        self._leave()

    def _leave(self) -> None:
        """The last of the two closes the door."""
        with self._ending:
            self._pumps -= 1
            if not self._pumps:
                self._ours.close()

    def _end(self, failure: Exception | None) -> None:
        """The first that ends it says why."""
        with self._ending:
            if self._is_over:
                return
            self._is_over = True
        self._on_end(failure)
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)

    def wait(self, seconds: float) -> None:
        """See both pumps end, where the command has."""
        until = time.monotonic() + seconds
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, until - time.monotonic()))

    def close(self) -> None:
        """Whatever is done with the stream: nothing of it is of interest any more."""
        with self._ending:
            self._is_over = True
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)


_PLACE = "/tmp"
"""Where the far end's file is put: a directory that every sandbox has."""
_END_SECONDS = 10.0
_LOOK_SECONDS = 5.0
_OVER_SECONDS = 5.0
"""So long before its time is over a sandbox may be found to be gone for that reason."""


class CloudSandbox:
    """`stream` is a socket to the far end, for a tunnel. `is_used` is asked, from a thread, before
    its time is over."""

    def __init__(
        self,
        sandbox: Any,
        *,
        is_ours: bool,
        seconds: float,
        first: Mapping[str, Any],
        is_used: Callable[[], bool],
    ) -> None:
        self.id: str = sandbox.sandbox_id
        self._sandbox = sandbox
        self._is_ours = is_ours
        self._seconds = seconds
        self._is_used = is_used
        self._pid = os.getpid()
        self._over = threading.Event()
        self._looking = threading.Event()
        self._failure: Exception | None = None
        self._not_renewed = ""
        self._why = ""
        self._ends_at = time.monotonic() + seconds
        self._command: SandboxCommand | None = None
        self._lines: Lines | None = None
        try:
            _put(sandbox, is_new=is_ours)
            self._command = SandboxCommand(sandbox, zip_app.command(_place(), 0, dict(first)))
            self._lines = Lines(self._command, self._broke)
            self.stream = self._lines.stream
            threading.Thread(target=self._renew, name="fumehood-e2b-renew", daemon=True).start()
        except BaseException as error:
            self.end()
            if not isinstance(error, Exception):
                raise
            raise as_ours(error, "the E2B sandbox could not be connected") from None

    # -- its time

    def _renew(self) -> None:
        while not self._over.is_set():
            self._looking.wait(self._seconds / 3)
            self._looking.clear()
            if self._over.is_set() or not self._is_used():
                continue
            try:
                self._sandbox.set_timeout(int(self._seconds), request_timeout=_END_SECONDS)
                self._ends_at = time.monotonic() + self._seconds
                self._not_renewed = ""
            except Exception as error:  # there is time for another try
                self._not_renewed = one_line(as_ours(error, "it could not be renewed"))

    def _renew_soon(self) -> None:
        """See now whether it is used, and not only when a third of its time is over."""
        self._looking.set()

    # -- its end

    def _broke(self, failure: Exception | None) -> None:
        self._failure = failure
        self._over.set()
        self._looking.set()

    def why_gone(self) -> str:
        """In one line, what became of it: as it was found when somebody first asked, since the
        service has to be asked too."""
        if self._over.is_set() and self._failure is None:
            return f"the E2B sandbox {self.id} was closed"
        if not self._why:
            self._why = self._found()
        return self._why

    def _found(self) -> str:
        told = f"the E2B sandbox {self.id} is gone"
        last = self._last_words()
        try:
            try:
                is_running = self._sandbox.is_running(request_timeout=_LOOK_SECONDS)
            except (
                Exception
            ):  # whatever broke the line may have broken one that the package had kept
                is_running = self._sandbox.is_running(request_timeout=_LOOK_SECONDS)
        except Exception as error:
            return (
                f"{told}, or out of reach: {one_line(as_ours(error, 'it does not answer'))}{last}"
            )
        if not is_running:
            if time.monotonic() > self._ends_at - _OVER_SECONDS:
                why = (
                    self._not_renewed
                    or f"nobody had used it, and it was kept for {self._seconds:g} seconds more"
                )
                return f"{told}: its time was over ({why})"
            return (
                f"{told}: somebody killed it, or the service"
                f" did{f' ({self._not_renewed})' if self._not_renewed else ''}"
            )
        return (
            f"the worker in the E2B sandbox {self.id} is gone:"
            f" {one_line(self._failure or 'its line is closed')}{last}"
        )

    def _last_words(self) -> str:
        said = (
            f"{self._lines.reader.before if self._lines else ''}"
            f" {self._command.errors if self._command else ''}"
        )
        last = one_line(said)[-300:] if said.strip() else ""
        return f"; its last words: {last}" if last else ""

    def end(self) -> None:
        """Kill it, or only what was started in it if it was there before. Takes a moment, and never
        raises. A process that was forked from its owner leaves it alone."""
        if self._pid != os.getpid():
            return
        self._over.set()
        self._looking.set()
        if self._lines is not None:
            self._lines.close()
        if self._command is not None:
            self._command.close()
        with contextlib.suppress(Exception):  # its time will be over, whatever happens here
            if self._is_ours:
                self._sandbox.kill(request_timeout=_END_SECONDS)
            elif self._command is not None:
                self._command.kill()
        if self._lines is not None:
            self._lines.wait(_LOOK_SECONDS)


def start(
    *,
    api_key: str | None,
    template: str | None,
    sandbox_id: str | None,
    seconds: float,
    options: Mapping[str, Any],
    first: Mapping[str, Any],
    is_used: Callable[[], bool],
) -> CloudSandbox:
    """A new sandbox, or the one of that id, with a far end in it. `options` are for the package's
    Sandbox.create or Sandbox.connect."""
    check_key(api_key)
    kind = sandbox_class()
    try:
        if sandbox_id is None:
            sandbox = kind.create(template, timeout=int(seconds), api_key=api_key, **options)
        else:
            sandbox = kind.connect(sandbox_id, timeout=int(seconds), api_key=api_key, **options)
    except TypeError:
        raise  # an option that there is not
    except Exception as error:
        raise as_ours(error, "there is no sandbox to be had from E2B") from None
    return CloudSandbox(
        sandbox, is_ours=sandbox_id is None, seconds=seconds, first=first, is_used=is_used
    )


def _place() -> str:
    return f"{_PLACE}/{zip_app.name()}"


def _put(sandbox: Any, *, is_new: bool) -> None:
    """Have the far end's file there. Its name stands for what is in it, so it is put there once."""
    try:
        if is_new or not sandbox.files.exists(_place(), user=USER):
            sandbox.files.write(_place(), zip_app.archive(), user=USER)
    except Exception as error:
        raise as_ours(error, "the worker could not be put into the E2B sandbox") from None
