"""What this surface keeps with a sandbox: how it was made, commands that run in it, watchers, what
is counted. It ends with the sandbox."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Final, Protocol

from fumehood.results import Execution
from fumehood.server.refusals import Busy
from fumehood.server.sandbox import Sandbox

if TYPE_CHECKING:
    from fumehood.server.e2b.processes import Process

_NAME: Final = "e2b"
MOST_PROCESSES: Final = 32
MOST_WATCHERS: Final = 32
_MOST_METADATA: Final = 1_000


class Closable(Protocol):
    def close(self) -> None: ...


class State:
    def __init__(self) -> None:
        self.resumes = False
        """Whether a request makes it go on that was paused."""
        self.timeout: float | None = None
        """How long it then lives."""
        self.processes: dict[int, Process] = {}
        self.watchers: dict[str, Any] = {}
        self.feeds: set[Closable] = set()
        """What threads are reading for clients."""
        self.directories: dict[str, str] = {}
        """Contexts that work elsewhere than at home."""
        self.metadata: dict[str, dict[str, str]] = {}
        """What the SDK wrote to be kept with files, by their paths."""
        self._cpu_seconds = 0.0
        self._peak_memory = 0
        self._measured = (time.monotonic(), 0.0)
        self._lock = threading.Lock()

    def ran(self, execution: Execution) -> None:
        """Count what a cell has cost. From any thread."""
        with self._lock:
            self._cpu_seconds += execution.usage.cpu_seconds
            self._peak_memory = max(self._peak_memory, execution.usage.peak_memory_bytes or 0)

    def measure(self) -> tuple[float, int]:
        """Percent of one processor since this was last asked, and the most memory that any cell
        had."""
        with self._lock:
            now, (then, before) = time.monotonic(), self._measured
            self._measured = now, self._cpu_seconds
            return 100 * (self._cpu_seconds - before) / max(now - then, 0.001), self._peak_memory

    def keep_metadata(self, path: str, metadata: dict[str, str]) -> None:
        if metadata:
            if path not in self.metadata and len(self.metadata) >= _MOST_METADATA:
                raise Busy(f"a sandbox keeps the metadata of {_MOST_METADATA} files, and has them")
            self.metadata[path] = metadata

    def moved(self, path: str, to: str | None) -> None:
        """Something has another name, or is gone: what was kept with it, and with all in it, goes
        the same way."""
        for old in [
            known for known in self.metadata if known == path or known.startswith(path + "/")
        ]:
            kept = self.metadata.pop(old)
            if to is not None:
                self.metadata[to + old[len(path) :]] = kept

    def close(self) -> None:
        for closable in [*self.processes.values(), *self.watchers.values(), *self.feeds]:
            closable.close()


def state_of(sandbox: Sandbox) -> State:
    state = sandbox.extras.get(_NAME)
    if state is None:
        state = sandbox.extras[_NAME] = State()
    assert isinstance(state, State)
    return state
