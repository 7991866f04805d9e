"""What `fumehood doctor` puts up around a jail: things that code must not reach, and the means to
see from here whether it did."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

SECRET_VARIABLE = "FUMEHOOD_DOCTOR_SECRET"
_PATIENCE_SECONDS = 10.0


class Outside:
    """A file and an environment variable with a secret, listening sockets, a process. All are gone
    when the context ends.

    Enter it before the first sandbox starts: its processes then inherit the variable, if they
    inherit anything.
    """

    def __init__(self) -> None:
        self.secret = secrets.token_hex(16)
        self.token = secrets.token_hex(5)
        self._listeners: list[socket.socket] = []
        self._unix: list[str] = []
        self._port = 0
        self._victim: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Outside:
        self.directory = Path(tempfile.mkdtemp(prefix="fumehood-doctor-"))
        self.canary = self.directory / "canary"
        try:
            # Open to everybody: only the jail may be what keeps code away.
            self.directory.chmod(0o777)
            self.canary.write_text(self.secret)
            self.canary.chmod(0o666)
            os.environ[SECRET_VARIABLE] = self.secret
            self._listen()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.environ.pop(SECRET_VARIABLE, None)
        for listener in self._listeners:
            listener.close()
        if self._victim is not None:
            self._victim.kill()
            self._victim.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _listen(self) -> None:
        with contextlib.suppress(
            OSError
        ):  # a machine without a loopback device has no port to reach either
            listener = socket.create_server(("127.0.0.1", 0))
            self._port = listener.getsockname()[1]
            self._listeners.append(listener)
        for address in (f"\0fumehood-doctor-{self.token}", str(self.directory / "socket")):
            listener = socket.socket(socket.AF_UNIX)
            self._listeners.append(listener)
            with contextlib.suppress(OSError):  # the path may be too long for an address
                listener.bind(address)
                listener.listen()
                self._unix.append(address)
                if not address.startswith("\0"):
                    Path(address).chmod(0o777)
        for listener in self._listeners:
            listener.setblocking(False)

    @property
    def victim(self) -> int:
        """A process of ours. Started after the first sandbox, so that its number is none that a
        sandbox has for its own processes."""
        if self._victim is None:
            program = "import sys; sys.stdin.read()"
            self._victim = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", program], stdin=subprocess.PIPE
            )
        return self._victim.pid

    def variables(self) -> dict[str, Any]:
        """What the code is told: where everything is, and nothing of the secret."""
        return {
            "canary": str(self.canary),
            "port": self._port,
            "unix": self._unix,
            "victim": self.victim,
            "token": self.token,
            "survivor": self.survivor,
        }

    # -- what can be seen from here

    def was_connected_to(self) -> bool:
        for listener in self._listeners:
            with contextlib.suppress(OSError):
                listener.accept()[0].close()
                return True
        return False

    def was_written_to(self) -> bool:
        found = {path.name for path in self.directory.iterdir()}
        return not found <= {"canary", "socket"} or self.canary.read_text() != self.secret

    def lost_its_victim(self) -> bool:
        return self._victim is not None and self._victim.poll() is not None

    @property
    def survivor(self) -> str:
        """The name that a process gives itself which means to outlive its sandbox. The kernel keeps
        15 characters."""
        return f"fh-{self.token}"

    def survivors(self) -> list[int]:
        """The processes of that name; those of sandboxes are seen from here too."""
        return [pid for pid in _processes() if _name_of(pid) == self.survivor]

    def has_a_survivor(self) -> bool:
        """Whether one is still there, after the time that the kernel takes to end what it was told
        to end."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while self.survivors():
            if time.monotonic() > until:
                return True
            time.sleep(0.01)
        return False


def _processes() -> Iterable[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def _name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().rstrip("\n")
    except OSError:
        return ""
