"""fumehood as a sandbox of Deep Agents (deepagents, LangChain):
`create_deep_agent(backend=FumehoodSandbox())`.
"""

from __future__ import annotations

import uuid
from typing import Any

from fumehood.errors import MissingExtra
from fumehood.executors.local import LocalPythonExecutor
from fumehood.policy import Policy

try:
    from deepagents.backends import protocol, sandbox
except ImportError:
    raise MissingExtra(
        "a sandbox of Deep Agents needs deepagents: pip install 'fumehood[deepagents]'"
    ) from None


class FumehoodSandbox(sandbox.BaseSandbox):  # type: ignore[misc, unused-ignore]
    """Runs commands and keeps files in a sandbox. An executor that is given must have files and
    programs, and stays the caller's to close."""

    def __init__(self, executor: Any = None, *, timeout: float = 120.0) -> None:
        self._is_own = executor is None
        self.executor = executor or LocalPythonExecutor(policy=Policy(files=True, programs=True))
        self._timeout = timeout
        self._id = uuid.uuid4().hex

    @property
    def id(self) -> str:
        return self._id

    def execute(self, command: str, *, timeout: int | None = None) -> Any:
        """Both streams in the order in which they were printed. A timeout of 0 is none."""
        pieces: list[bytes] = []
        started = self.executor.commands.start(
            command,
            timeout=(self._timeout if timeout is None else timeout) or None,
            on_output=lambda source, data: pieces.append(data),
        )
        done = started.wait()
        if done.error is not None:
            pieces.append(f"\n[{done.error}]\n".encode())
        return protocol.ExecuteResponse(
            output=b"".join(pieces).decode(errors="replace"),
            exit_code=done.exit_code,
            truncated=done.error is not None and "printed more" in done.error,
        )

    def upload_files(self, files: list[tuple[str, bytes]]) -> list[Any]:
        return [
            protocol.FileUploadResponse(path=path, error=self._outcome(path, content)[1])
            for path, content in files
        ]

    def download_files(self, paths: list[str]) -> list[Any]:
        outcomes = [(path, *self._outcome(path)) for path in paths]
        return [
            protocol.FileDownloadResponse(path=path, content=content, error=error)
            for path, content, error in outcomes
        ]

    def _outcome(self, path: str, content: bytes | None = None) -> tuple[Any, str | None]:
        """Write a file, or read it without `content`; gives what was read, and an error."""
        if not path.startswith("/"):
            return None, "invalid_path"
        try:
            if content is None:
                return self.executor.files.read(path), None
            self.executor.files.write(path, content)
        except FileNotFoundError:
            return None, "file_not_found"
        except IsADirectoryError:
            return None, "is_directory"
        except PermissionError:
            return None, "permission_denied"
        except (ValueError, OSError):
            return None, "invalid_path"
        return None, None

    def close(self) -> None:
        """End the sandbox, if it is this object's own."""
        if self._is_own:
            self.executor.close()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
