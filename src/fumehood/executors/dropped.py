"""What is done about an executor that nobody has any more and nobody has closed."""

from __future__ import annotations

import os
import threading

from fumehood.executors import zygotes
from fumehood.executors.commands import CommandHost
from fumehood.executors.trail import Trail


class Hold:
    """What others must know of an executor without keeping it alive: its runner, for cleaning up
    after it, and whether it is in use, for letting its sandbox rest."""

    def __init__(self, trail: Trail, turn: threading.Lock, commands: CommandHost) -> None:
        self.runner: zygotes.Runner | None = None
        self.trail = trail
        self._turn = turn
        self._commands = commands

    @property
    def sandbox(self) -> zygotes.Sandbox | None:
        runner = self.runner
        return None if runner is None else runner.sandbox

    def hold(self) -> bool:
        """Keep calls from beginning, if none is in progress and no command runs; gives whether."""
        return not self._commands.any_runs() and self._turn.acquire(blocking=False)

    def let_go(self) -> None:
        self._turn.release()


def drop_later(hold: Hold) -> None:
    """An executor was dropped without being closed. This runs wherever the garbage collector does:
    it must wait for nothing."""
    if hold.runner is not None and hold.runner.sandbox.pid == os.getpid():
        hold.runner.drop()
        hold.trail.dropped()
