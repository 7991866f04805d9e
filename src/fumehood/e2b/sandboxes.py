"""A sandbox of the service with a far end in it: made or connected to, renewed while it is used,
ended.

The service ends a sandbox when its time is over, whoever has died meanwhile. So it is given a short
time, and more before that is over, for as long as somebody here says that it is in use.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from fumehood.e2b import zip_app
from fumehood.e2b.commands import USER, SandboxCommand
from fumehood.e2b.lines import Lines
from fumehood.e2b.sdk import as_ours, check_key, one_line, sandbox_class

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
