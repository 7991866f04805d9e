"""What happens to files of a sandbox, told to the host as it happens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Self, cast, get_args

from fumehood.errors import SandboxFailed, WorkerProtocolError
from fumehood.executors.clerks import Clerk, Gone
from fumehood.wire import messages
from fumehood.wire.values import Decoder

ChangeKind = Literal["create", "write", "remove", "rename", "chmod", "lost"]

_KINDS = frozenset(get_args(ChangeKind))
_MOST = 10_000
_FOR_EVER = 3600.0


@dataclass(frozen=True, slots=True)
class FileEvent:
    """Something has happened to a path, as Entry.path. `rename` is told of the old name and
    `create` of the new one; `lost` says that more has happened below the path than could be
    told."""

    path: str
    kind: ChangeKind


class Watch:
    """Events of a directory, from when this was made until `close`. Iterating waits for the next,
    and ends when it is closed, by another thread maybe; SandboxFailed if the sandbox ends before.
    Not for several threads at once, but for `close`.

    Whoever does not listen loses nothing at first; then the kernel forgets, and one event says
    `lost`.
    """

    def __init__(self, clerk: Clerk, path: str, *, recursive: bool) -> None:
        self._clerk = clerk
        self._decode = Decoder().decode
        try:
            clerk.ask(partial(messages.WatchFiles, path=path, recursive=recursive))
        except BaseException as error:
            clerk.close()
            if isinstance(error, Gone):
                raise SandboxFailed("the sandbox ended before its files could be watched") from None
            raise

    def wait(self, timeout: float) -> list[FileEvent]:
        """What has happened since the last time: at once if something has, else when something
        does; nothing if it does not within `timeout` seconds."""
        if self._clerk.is_over:
            return []
        try:
            received = self._clerk.listen(timeout)
        except Gone:
            if self._clerk.is_over:  # by `close`
                return []
            self._clerk.close()
            raise SandboxFailed("the sandbox whose files were watched has ended") from None
        return [] if received is None else self._events(*received)

    def _events(self, message: Any, buffers: list[Any]) -> list[FileEvent]:
        told = self._decode(message.happened, buffers) if message.type == "files_changed" else None
        if type(told) is not list or len(told) > _MOST or not all(map(_is_event, told)):
            self._clerk.close()
            raise WorkerProtocolError(
                "the sandbox told something else than what has happened to files"
            )
        return [FileEvent(path, cast(ChangeKind, kind)) for path, kind in told]

    def __iter__(self) -> Iterator[FileEvent]:
        while not self._clerk.is_over:
            yield from self.wait(_FOR_EVER)

    def close(self) -> None:
        """Hear no more. Twice is harmless."""
        self._clerk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_event(row: Any) -> bool:
    return (
        type(row) is tuple
        and len(row) == 2
        and type(row[0]) is str
        and type(row[1]) is str
        and row[1] in _KINDS
    )
