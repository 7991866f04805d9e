"""A line between somebody and a service, that can be cut, fall silent, and be whole again: what
happens to networks."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Callable
from pathlib import Path

_CHUNK = 1 << 16
_LOOK_SECONDS = 0.05


class Relay:
    """Listens on loopback, or at a path, and passes on what comes to wherever `dial` leads, and
    back."""

    def __init__(self, dial: Callable[[], socket.socket], path: Path | None = None) -> None:
        self._dial, self._path = dial, path
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._lock = threading.Lock()
        self._over = threading.Event()
        self.is_silent = False
        self._listener = self._listen(0)
        self.port = 0 if path else self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, name="relay", daemon=True)
        self._thread.start()

    def _listen(self, port: int) -> socket.socket:
        if self._path is None:
            return socket.create_server(("127.0.0.1", port))
        self._path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self._path))
        listener.listen()
        return listener

    def cut(self) -> None:
        """Hang up on everybody, and let nobody in."""
        with self._lock:
            self._listener.close()
            for pair in self._pairs:
                for end in pair:
                    with contextlib.suppress(OSError):
                        end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self.is_silent = False
        with self._lock:
            if self._listener.fileno() < 0:
                self._listener = self._listen(self.port)

    def close(self) -> None:
        self.cut()
        self._over.set()
        self._thread.join(60)

    def _serve(self) -> None:
        while not self._over.is_set():
            with self._lock:
                pairs = [*self._pairs]
                listener = self._listener if self._listener.fileno() >= 0 else None
            others = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
            waited = [] if self.is_silent else [*others, *([listener] if listener else [])]
            if not waited:
                self._over.wait(_LOOK_SECONDS)
                continue
            try:
                ready, _, _ = select.select(waited, [], [], _LOOK_SECONDS)
            except (OSError, ValueError):  # cut at this moment
                continue
            for one in ready:
                if one is listener:
                    self._take_in()
                elif one.fileno() >= 0:
                    self._pass_on(one, others[one])
        for pair in self._pairs:
            self._part(*pair)

    def _take_in(self) -> None:
        with contextlib.suppress(OSError):
            one = self._listener.accept()[0]
            try:
                other = self._dial()
            except OSError:
                one.close()
                return
            with self._lock:
                self._pairs.append((one, other))

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        try:
            data = one.recv(_CHUNK)
            if data:
                other.sendall(data)
                return
        except OSError:
            pass
        self._part(one, other)

    def _part(self, one: socket.socket, other: socket.socket) -> None:
        with self._lock:
            self._pairs = [pair for pair in self._pairs if one not in pair]
        one.close()
        other.close()
