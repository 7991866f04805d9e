"""What is done about an executor that nobody has any more and nobody has closed."""

from __future__ import annotations

import os

from fumehood.executors import zygotes
from fumehood.executors.trail import Trail


class Hold:
    """An executor's runner, known to whoever cleans up after it."""

    def __init__(self, trail: Trail) -> None:
        self.runner: zygotes.Runner | None = None
        self.trail = trail


def drop_later(hold: Hold) -> None:
    """An executor was dropped without being closed. This runs wherever the garbage collector does:
    it must wait for nothing."""
    if hold.runner is not None and hold.runner.sandbox.pid == os.getpid():
        hold.runner.drop()
        hold.trail.dropped()
