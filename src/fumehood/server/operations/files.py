"""Files of a sandbox, beside what runs in it. What comes is kept on disk until it is whole, so that
a client that sends slowly holds up nobody; what goes is read piece by piece."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from typing import IO, Any

from starlette.responses import Response, StreamingResponse

from fumehood.asked import shown
from fumehood.executors.files import Entry
from fumehood.server import shapes
from fumehood.server.calls import Call
from fumehood.server.refusals import Invalid, NotFound, TooLarge
from fumehood.wire.show import clean_text

_PIECE = 1 << 20
_IN_MEMORY = 1 << 20


def info(entry: Entry) -> shapes.FileInfo:
    return shapes.FileInfo(
        path=clean_text(entry.path),
        name=clean_text(entry.name),
        kind=entry.kind,
        size=entry.size,
        mode=entry.mode,
        modified=entry.modified,
        target=clean_text(entry.target),
    )


async def _do(call: Call, function: Any, *args: Any) -> Any:
    try:
        return await call.sandbox.aside(function, *args)
    except ValueError as error:
        raise Invalid(str(error)) from None


async def entries(call: Call) -> shapes.FileList:
    found = await _do(
        call, lambda: call.sandbox.executor.files.entries(call.query.path, call.query.depth)
    )
    return shapes.FileList(entries=[info(entry) for entry in found])


async def look(call: Call) -> shapes.FileInfo:
    found = await _do(call, call.sandbox.executor.files.look, call.query.path)
    if found is None:
        raise NotFound(f"there is nothing at {shown(call.query.path)}")
    return info(found)


async def remove(call: Call) -> None:
    await _do(call, call.sandbox.executor.files.remove, call.query.path)


async def directory(call: Call) -> shapes.Made:
    return shapes.Made(
        made=await _do(call, call.sandbox.executor.files.make_directory, call.body.path)
    )


async def rename(call: Call) -> shapes.FileInfo:
    return info(await _do(call, call.sandbox.executor.files.rename, call.body.old, call.body.new))


async def read(call: Call) -> Response:
    pieces: Iterator[bytes] = iter(call.sandbox.executor.files.pieces(call.query.path, _PIECE))
    first = await _do(
        call, next, pieces, None
    )  # what is wrong is found out while there is still a status to say it with

    async def rest() -> AsyncIterator[bytes]:
        piece = first
        while piece is not None:
            yield piece
            piece = await call.sandbox.aside(next, pieces, None)

    headers = {
        "content-disposition": "attachment"
    }  # nothing that code has written is shown by a browser
    return StreamingResponse(rest(), media_type="application/octet-stream", headers=headers)


async def write(call: Call) -> None:
    most = min(call.server.settings.upload_bytes, call.sandbox.executor.policy.limits.file_bytes)
    async with received(call, most) as file:
        await _do(call, lambda: call.sandbox.executor.files.write(call.query.path, _pieces(file)))


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    while piece := file.read(_PIECE):
        yield piece


class received:  # reads as what it gives  # noqa: N801
    """A request's body as a file, gone afterwards. TooLarge if it has more than `most` bytes, Busy
    if all bodies that are being received take more of the disk than they may."""

    def __init__(self, call: Call, most: int) -> None:
        self._call = call
        self._most = most
        self._held = call.server.shares.upload(call.key)
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        self._size = 0

    async def __aenter__(self) -> IO[bytes]:
        spool = self._call.server.shares.spool
        try:
            async for piece in self._call.request.stream():
                if self._size + len(piece) > self._most:
                    raise TooLarge(f"a file may have {self._most:,} bytes here")
                spool.take(self._call.key, len(piece))
                self._size += len(piece)
                self._file.write(piece)
        except BaseException:
            await self.__aexit__()
            raise
        return self._file

    async def __aexit__(self, *exc: object) -> None:
        self._call.server.shares.spool.give_back(self._call.key, self._size)
        self._file.close()
        self._held.release()
