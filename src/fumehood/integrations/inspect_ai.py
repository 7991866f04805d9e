"""fumehood as a sandbox of Inspect (inspect_ai): `Task(..., sandbox="fumehood")`.

Each sample gets a sandbox of its own. `FumehoodSandboxEnvironment(executor)` wraps an executor that
exists; it must have files and programs.
"""

from __future__ import annotations

import asyncio
import os
from errno import EACCES, EISDIR, ENOENT
from typing import Any

from fumehood.errors import MissingExtra
from fumehood.executors.commands import HOME, NOT_EXECUTABLE, TIMED_OUT
from fumehood.executors.local import LocalPythonExecutor
from fumehood.policy import Limits, Policy

try:
    from inspect_ai import util
except ImportError:
    raise MissingExtra(
        "a sandbox of Inspect needs inspect_ai: pip install 'fumehood[inspect]'"
    ) from None

USER = "user"
LIMITS = Limits(output_bytes=16 << 20, file_bytes=256 << 20, lab_bytes=512 << 20)
THEIR_LIMITS = util.SandboxEnvironmentLimits


@util.sandboxenv(name="fumehood")  # type: ignore[untyped-decorator, unused-ignore]
class FumehoodSandboxEnvironment(util.SandboxEnvironment):  # type: ignore[misc, unused-ignore]
    """Runs the commands of a sample in a sandbox, and keeps its files there."""

    def __init__(self, executor: Any = None) -> None:
        super().__init__()
        self.executor = executor or LocalPythonExecutor(
            policy=Policy(files=True, programs=True, limits=LIMITS)
        )

    @classmethod
    async def sample_init(cls, task_name: str, config: Any, metadata: Any) -> dict[str, Any]:
        return {"default": await asyncio.to_thread(cls)}

    @classmethod
    async def sample_cleanup(
        cls, task_name: str, config: Any, environments: dict[str, Any], interrupted: bool
    ) -> None:
        for environment in environments.values():
            await asyncio.to_thread(environment.as_type(cls).executor.close)

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,  # noqa: A002 - their name
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> Any:
        if user not in (None, USER):
            raise util.SandboxUserUnsupportedError(
                f"a sandbox has one user, {USER!r}; it cannot run a command as {user!r}"
            )
        done = await self.executor.commands.arun(
            cmd, stdin=input, cwd=_absolute(cwd or HOME), env=env, timeout=timeout
        )
        if done.error is not None:
            if done.exit_code == TIMED_OUT:
                raise TimeoutError(done.error)
            if done.exit_code == NOT_EXECUTABLE:
                raise PermissionError(done.error)
            if "printed more" in done.error:
                raise util.OutputLimitExceededError(
                    THEIR_LIMITS.MAX_EXEC_OUTPUT_SIZE_STR, done.stdout
                )
        errors = done.stderr or done.error or ""
        return util.ExecResult(done.exit_code == 0, done.exit_code, done.stdout, errors)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        await asyncio.to_thread(self.executor.files.write, file, contents)

    async def read_file(self, file: str, text: bool = True) -> Any:
        return await asyncio.to_thread(self._read, file, text)

    def _read(self, file: str, text: bool) -> str | bytes:
        files, most = self.executor.files, THEIR_LIMITS.MAX_READ_FILE_SIZE
        try:
            entry = files.look(file)
            if entry is not None and entry.size > most:
                raise util.OutputLimitExceededError(THEIR_LIMITS.MAX_READ_FILE_SIZE_STR, None)
            content: bytes = files.read(file, most)
        except FileNotFoundError:
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), file) from None
        except ValueError:  # it is not in a directory that `files` reads
            content = self._read_elsewhere(file)
        return content.decode() if text else content

    def _read_elsewhere(self, file: str) -> bytes:
        done = self.executor.commands.run(["cat", "--", file], env={"LC_ALL": "C"})
        for number in (ENOENT, EISDIR, EACCES):
            if done.exit_code and os.strerror(number) in done.stderr:
                raise OSError(number, os.strerror(number), file)
        if done.exit_code:
            raise OSError(done.error or done.stderr.strip())
        return bytes(done.stdout_bytes)


def _absolute(path: str) -> str:
    return path if path.startswith("/") else f"{HOME}/{path}"
