"""A command that runs in a sandbox of the service, as a stream of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fumehood.e2b.inputs import Input
from fumehood.e2b.sdk import as_ours, one_line
from fumehood.errors import E2BFailed

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
