"""fumehood as a workspace of Pydantic AI: `agent.run(..., workspace=FumehoodWorkspace())`.

The sandbox is created when it is first used, and lives until `close()`. Pydantic AI reads and
writes its files with commands.
"""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

from fumehood.errors import MissingExtra, SandboxFailed
from fumehood.executors.commands import TIMED_OUT
from fumehood.executors.local import LocalPythonExecutor
from fumehood.policy import Policy

try:
    from pydantic_ai import workspaces
except ImportError:
    raise MissingExtra(
        "a workspace of Pydantic AI needs pydantic_ai: pip install 'fumehood[pydantic]'"
    ) from None

PROVIDER = "fumehood"
_OPEN: WeakValueDictionary[str, Any] = WeakValueDictionary()
"""The executors of this process by the ids of their workspaces."""


class FumehoodWorkspace:
    """A workspace in a sandbox. `ref` attaches to one of this process that is open. An executor
    that is given must have files and programs."""

    def __init__(self, executor: Any = None, *, ref: Any = None) -> None:
        self._executor, self._ref = executor, ref
        self._directory = ""
        self._creating = threading.Lock()

    @property
    def ref(self) -> Any:
        return self._ref

    @property
    def executor(self) -> Any:
        """The executor, which is created when it is first needed."""
        with self._creating:
            if self._executor is None and self._ref is not None:
                self._executor = _OPEN.get(self._ref.id)
                if self._executor is None:
                    raise workspaces.WorkspaceUnavailableError(
                        f"there is no workspace {self._ref.id!r} in this process"
                    )
            if self._executor is None:
                self._executor = LocalPythonExecutor(policy=Policy(files=True, programs=True))
            if self._ref is None:
                self._ref = workspaces.WorkspaceRef(provider=PROVIDER, id=uuid.uuid4().hex)
                _OPEN[self._ref.id] = self._executor
            return self._executor

    async def working_dir(self) -> str:
        if not self._directory:
            self._directory = (await self.run(["pwd", "-P"])).stdout.strip()
        return self._directory

    async def run(
        self,
        command: str | Sequence[str],
        *,
        shell: bool = False,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Any:
        if isinstance(command, str) is not shell:
            raise TypeError("a line needs shell=True, and a list of arguments shell=False")
        executor = await asyncio.to_thread(lambda: self.executor)
        line = command if isinstance(command, str) else [*command]
        try:
            done = await executor.commands.arun(line, env=env, timeout=timeout)
        except SandboxFailed as error:
            raise workspaces.WorkspaceUnavailableError(str(error)) from error
        if done.error is not None:
            streams = {"stdout": done.stdout, "stderr": done.stderr}
            if done.exit_code == TIMED_OUT:
                raise workspaces.WorkspaceTimeoutError(done.error, **streams)
            if "printed more" in done.error:
                limit = executor.policy.limits.output_bytes
                raise workspaces.WorkspaceOutputLimitError(done.error, limit=limit, **streams)
            if "sandbox" in done.error:
                raise workspaces.WorkspaceUnavailableError(done.error)
        return workspaces.CommandResult(
            exit_code=done.exit_code, stdout=done.stdout, stderr=done.stderr or done.error or ""
        )

    def close(self) -> None:
        """End the sandbox."""
        with self._creating:
            if self._ref is not None:
                _OPEN.pop(self._ref.id, None)
            if self._executor is not None:
                self._executor.close()
