"""A sandbox of an E2B service with a worker in it, by the `e2b-code-interpreter` package: created
or connected to, renewed while it is used, ended.

The service ends a sandbox when its time is up, even if this process is dead. So it is given a short
time, and more before that is up, as long as it is in use.

The worker is a command. Its standard streams carry the tunnel's bytes as lines of text. Each piece
of input is a request: 1.2 ms for a trivial cell on loopback. (A request that is kept open took
0.9 ms and was not worth a hundred lines.)
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fumehood.e2b import zip_app
from fumehood.errors import (
    E2BFailed,
    E2BKeyRefused,
    E2BQuotaReached,
    E2BSandboxGone,
    E2BUnavailable,
    MissingExtra,
    PolicyError,
)
from fumehood.tunnel.frames import BrokenTunnel, LineReader, as_lines
from fumehood.tunnel.pump import Pump

KEY = "E2B_API_KEY"
_LONGEST = 400


_used_by: int | None = None
"""The process that has used the package."""


def sandbox_class() -> Any:
    """The package's Sandbox. MissingExtra if the package is not installed. E2BUnavailable in a fork
    of a process that has used it: threads that send its requests are not there, and a request would
    never end."""
    global _used_by
    if _used_by not in (None, os.getpid()):
        raise E2BUnavailable(
            "the package e2b does not work in a process that was forked from one that has used it;"
            " start that process anew (spawn)"
        )
    try:
        from e2b_code_interpreter import Sandbox
    except ImportError as error:
        missing = "" if error.name in ("e2b", "e2b_code_interpreter") else f" ({error})"
        raise MissingExtra(
            "E2BExecutor needs the package e2b-code-interpreter: pip install"
            f" 'fumehood[e2b]'{missing}"
        ) from None
    _used_by = os.getpid()
    return Sandbox


def check_key(api_key: str | None) -> None:
    """E2BKeyRefused if there is none."""
    if api_key is not None and not isinstance(api_key, str):
        raise PolicyError(f"api_key must be a string, not {type(api_key).__name__}")
    if not (api_key or os.environ.get(KEY)):
        raise E2BKeyRefused(
            f"there is no key for E2B: give api_key=…, or set {KEY}; ask the operator of the"
            " service for one"
        )


def as_ours(error: Exception, doing: str) -> E2BFailed:
    """What the package raised, as one of ours, in one line that says at what it was raised."""
    if isinstance(error, E2BFailed):
        return error
    from e2b import exceptions

    told = f"{doing}: {one_line(error)}"
    for kind, ours, advice in (
        (exceptions.AuthenticationException, E2BKeyRefused, "give another api_key"),
        (exceptions.RateLimitException, E2BQuotaReached, "close sandboxes, or come back later"),
        (_named(exceptions, "ServiceBusyException"), E2BUnavailable, "come back later"),
        (_named(exceptions, "SandboxNotRunningException"), E2BSandboxGone, ""),
        (_named(exceptions, "SandboxNotFoundException"), E2BSandboxGone, ""),
        (_named(exceptions, "SandboxUnreachableException"), E2BUnavailable, ""),
        (exceptions.TimeoutException, E2BUnavailable, ""),
        (exceptions.SandboxException, E2BFailed, ""),
    ):
        if kind is not None and isinstance(error, kind):
            made: E2BFailed = ours(
                f"{told}; {advice}" if advice else told, status=getattr(error, "status_code", None)
            )
            return made
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return E2BUnavailable(f"{told}; close sandboxes, or raise the limit of open files")
    if _is_of_the_network(error):
        return E2BUnavailable(f"{told}; is there a network, and is the address right?")
    return E2BFailed(told)


def one_line(error: object) -> str:
    """An error's text, as much as a line holds of it. A service may say anything."""
    text = " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())
    return (text if len(text) <= _LONGEST else text[:_LONGEST] + "…") or type(error).__name__


def _named(module: Any, name: str) -> type[Exception] | None:
    """An exception that not every version of the package has."""
    found: type[Exception] | None = getattr(module, name, None)
    return found


def _is_of_the_network(error: BaseException | None) -> bool:
    import httpx

    seen = 0
    while error is not None and seen < 8:
        if (
            isinstance(error, (OSError, httpx.TransportError))
            or type(error).__module__.partition(".")[0] == "pyqwest"
        ):
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    return False


USER = "root"
"""The user of the worker's command: the jail can take away more from one that has more, and code
itself never runs as this user."""
_KEPT = 2000
_REQUEST_SECONDS = 60.0


_PLACE = "/tmp"
"""Where the remote end's file is put: a directory that every sandbox has."""
_END_SECONDS = 10.0
_LOOK_SECONDS = 5.0
_OVER_SECONDS = 5.0
"""So long before its time is over a sandbox may be found to be gone for that reason."""


class CloudSandbox:
    """`stream` is a socket to the remote end, for a tunnel. A thread calls `is_used` before the
    sandbox's time ends."""

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
        self._handle: Any = None
        """The worker's command."""
        self._reader = LineReader(waits=True)
        self._errors = ""
        self._pump: Pump | None = None
        try:
            _put(sandbox, is_new=is_ours)
            self._start_worker(zip_app.command(_place(), dict(first)))
            self._pump = Pump("fumehood-e2b", self._send, self._pieces(), self._broke)
            self.stream = self._pump.stream
            threading.Thread(target=self._renew, name="fumehood-e2b-renew", daemon=True).start()
        except BaseException as error:
            self.end()
            if not isinstance(error, Exception):
                raise
            raise as_ours(error, "the E2B sandbox could not be connected") from None

    # -- the worker's command

    def _start_worker(self, line: str) -> None:
        try:
            self._handle = self._sandbox.commands.run(
                line, background=True, stdin=True, timeout=0, user=USER, retain_output=False
            )
        except Exception as error:
            raise as_ours(error, "the worker could not be started in the E2B sandbox") from None

    def _send(self, data: bytes) -> None:
        try:
            self._sandbox.commands.send_stdin(
                self._handle.pid, as_lines(data), request_timeout=_REQUEST_SECONDS
            )
        except Exception as error:
            raise as_ours(error, "the worker could not be reached") from None

    def _pieces(self) -> Iterator[bytes]:
        try:
            for output, errors, _terminal in self._handle:
                if output is not None:
                    yield self._reader.feed(output.encode())
                elif errors is not None:
                    self._errors = (self._errors + errors)[-_KEPT:]
        except BrokenTunnel:
            raise
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
        said = f"{self._reader.before} {self._errors}"
        last = one_line(said)[-300:] if said.strip() else ""
        return f"; its last words: {last}" if last else ""

    def end(self) -> None:
        """Kill it, or only what was started in it if it was there before. Takes a moment, and never
        raises. A process that was forked from its owner leaves it alone."""
        if self._pid != os.getpid():
            return
        self._over.set()
        self._looking.set()
        if self._pump is not None:
            self._pump.close()
        with contextlib.suppress(Exception):  # its time will be over, whatever happens here
            if self._is_ours:
                self._sandbox.kill(request_timeout=_END_SECONDS)
            elif self._handle is not None:
                self._handle.kill()
        if self._pump is not None:
            self._pump.wait(_LOOK_SECONDS)
        if self._handle is not None:
            with contextlib.suppress(Exception):  # the package may still read there
                self._handle.disconnect()


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
    """A new sandbox, or the one with that id, with a remote end in it. `options` are arguments of
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
    """Upload the remote end's file, once: its name contains a hash of its content."""
    try:
        if is_new or not sandbox.files.exists(_place(), user=USER):
            sandbox.files.write(_place(), zip_app.archive(), user=USER)
    except Exception as error:
        raise as_ours(error, "the worker could not be put into the E2B sandbox") from None
