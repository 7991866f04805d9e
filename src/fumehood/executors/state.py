"""Variables and files of a sandbox, seen from the host: each look fetches, each change is sent."""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from typing import Any

from fumehood.errors import WorkerProtocolError
from fumehood.events import FileWritten, VariableDeleted
from fumehood.executors.jailed import JailedWorker
from fumehood.wire import messages

_MOST_FILES = 100_000
_LOGS = "_print_outputs"
"""The name under which the last cell's output is found among the variables; the host has it, the sandbox does not."""


class RemoteState(MutableMapping[str, Any]):
    """The code's variables. A value is a copy, made by the codec; what cannot be copied is a RemoteObject."""

    def __init__(self, worker: JailedWorker) -> None:
        self._worker = worker

    def __getitem__(self, name: str) -> Any:
        if type(name) is not str:
            raise KeyError(name)
        if name == _LOGS and self._worker.last_logs is not None:
            return self._worker.last_logs
        return self._worker.ask(lambda number: (messages.GetVariable(id=number, name=name), []))

    def __setitem__(self, name: str, value: Any) -> None:
        self.send({name: value})

    def __delitem__(self, name: str) -> None:
        self._worker.ask(lambda number: (messages.DeleteVariable(id=number, name=name), []))
        self._worker.trail.tell(VariableDeleted, name=name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __repr__(self) -> str:
        return f"<variables of a sandbox: {', '.join(self._names()) or 'none'}>"

    def send(self, variables: dict[str, Any]) -> None:
        """Add variables, all at once: what they share they share in the sandbox too."""
        node, buffers = self._worker.encode(variables)
        self._worker.ask(lambda number: (messages.SetVariables(id=number, variables=node), buffers))
        self._worker.trail.variables_sent(variables)

    def functions(self) -> list[str]:
        """The names of variables that hold functions made by the code."""
        return self._texts(self._worker.ask(lambda number: (messages.ListVariables(id=number, functions=True), [])))

    def _names(self) -> list[str]:
        names = self._texts(self._worker.ask(lambda number: (messages.ListVariables(id=number), [])))
        return names if self._worker.last_logs is None or _LOGS in names else [*names, _LOGS]

    def _texts(self, answer: Any) -> list[str]:
        return [name for name in answer if type(name) is str] if type(answer) is list else []


class Files:
    """Files of /lab. Paths are relative to it, or begin with it."""

    def __init__(self, worker: JailedWorker, most_bytes: int) -> None:
        self._worker = worker
        self._most = most_bytes

    def write(self, path: str | os.PathLike[str], content: bytes | str) -> None:
        """Write a file, and the directories it is in. Text is written as UTF-8."""
        data = content.encode() if isinstance(content, str) else bytes(content)
        node, buffers = self._worker.encode(data)
        self._worker.ask(lambda number: (messages.WriteFile(id=number, path=os.fspath(path), content=node), buffers))
        self._worker.trail.tell(FileWritten, path=os.fspath(path), content=data)

    def read(self, path: str | os.PathLike[str], most: int | None = None) -> bytes:
        """The content of a regular file, if it is not longer than `most` bytes. A link is not followed."""
        limit = self._most if most is None else most
        content = self._worker.ask(lambda number: (messages.ReadFile(id=number, path=os.fspath(path), most=limit), []))
        if type(content) is not bytes or len(content) > limit:
            raise WorkerProtocolError("the sandbox gave something else than the content of a file")
        return content

    def list(self) -> dict[str, int]:
        """Path and size in bytes of every regular file."""
        found = self._worker.ask(lambda number: (messages.ListFiles(id=number, most=_MOST_FILES), []))
        if type(found) is not list or not all(_is_file(row) for row in found):
            raise WorkerProtocolError("the sandbox gave something else than a list of files")
        return dict(found)


def _is_file(row: Any) -> bool:
    return type(row) is tuple and len(row) == 2 and type(row[0]) is str and type(row[1]) is int and row[1] >= 0
