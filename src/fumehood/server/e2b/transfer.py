"""Files as bytes: to a sandbox, as a form or as they are, and from it piece by piece.

What comes is kept on disk until it is whole, so that a client that sends slowly holds up nobody.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from email.message import Message
from typing import IO, TYPE_CHECKING, Any, Final

from python_multipart import MultipartParser
from python_multipart.exceptions import MultipartParseError
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from fumehood.asked import shown
from fumehood.server.calls import Call
from fumehood.server.e2b import doors, paths
from fumehood.server.e2b.answers import answer
from fumehood.server.e2b.state import state_of
from fumehood.server.operations.files import received
from fumehood.server.refusals import Invalid, NotFound, TooLarge, WrongMedia
from fumehood.server.sandbox import Sandbox

if TYPE_CHECKING:
    from fumehood.server.server import Server

_PIECE: Final = 1 << 20
_MOST_PARTS: Final = 1000
_MOST_HEADER: Final = 32 << 10
_METADATA: Final = "x-metadata-"


def _sandbox(server: Server, request: Request, operation: str) -> Sandbox:
    if "signature" in request.query_params and not request.headers.get("x-access-token"):
        return doors.sandbox_of_link(server, request, operation)
    return doors.sandbox_of(server, request)


# -- from a sandbox


async def read(server: Server, request: Request) -> Response:
    sandbox = _sandbox(server, request, "read")
    given = request.query_params.get("path", "")
    if not given:
        raise Invalid("path: say which file, as ?path=/home/user/name")
    path = paths.inside(given)
    pieces: Iterator[bytes] = iter(sandbox.executor.files.pieces(path, _PIECE))
    try:
        first = await sandbox.aside(
            next, pieces, None
        )  # what is wrong is found out while there is still a status to say it with
    except FileNotFoundError:
        raise NotFound(f"there is no file {given!r}") from None
    except (IsADirectoryError, NotADirectoryError, PermissionError, ValueError) as error:
        raise Invalid(
            str(error).splitlines()[0] if str(error) else f"{given!r} cannot be read"
        ) from None
    headers = {
        "content-disposition": "attachment"
    }  # nothing that code has written is shown by a browser
    if first is None or len(first) < _PIECE:
        return Response(first or b"", 200, headers, "application/octet-stream")

    async def rest() -> AsyncIterator[bytes]:
        piece = first
        while piece is not None:
            yield piece
            piece = await sandbox.aside(next, pieces, None)

    return StreamingResponse(rest(), media_type="application/octet-stream", headers=headers)


# -- to a sandbox


async def write(server: Server, request: Request) -> Response:
    sandbox = _sandbox(server, request, "write")
    given = request.query_params.get("path", "")
    kind = request.headers.get("content-type", "")
    metadata = {
        name[len(_METADATA) :].lower(): value
        for name, value in request.headers.items()
        if name.lower().startswith(_METADATA)
    }
    most = min(server.settings.upload_bytes, sandbox.executor.policy.limits.file_bytes)
    media = kind.partition(";")[0].strip().lower()
    call = Call(server, request, sandbox.key)
    if media == "multipart/form-data":
        boundary = _boundary(kind)
        async with received(call, server.settings.upload_bytes) as file:
            written = await _do(
                sandbox, _write_form, sandbox.executor.files, file, boundary, given, most
            )
    elif media == "application/octet-stream":
        if not given:
            raise Invalid("path: say which file, as ?path=/home/user/name")
        path = paths.inside(given)
        is_packed = request.headers.get("content-encoding", "identity").lower() == "gzip"
        async with received(call, most) as file:
            await _do(sandbox, _write_file, sandbox.executor.files, file, path, is_packed, most)
        written = [path]
    else:
        raise WrongMedia(
            "a file comes as multipart/form-data or as application/octet-stream, not as"
            f" {shown(media)}"
        )
    state = state_of(sandbox)
    for path in written:
        state.keep_metadata(path, metadata)
    return answer([_info(path, metadata) for path in written])


async def _do(sandbox: Sandbox, function: Any, *args: Any) -> Any:
    try:
        return await sandbox.aside(function, *args)
    except (IsADirectoryError, NotADirectoryError, PermissionError, ValueError) as error:
        raise Invalid(
            str(error).splitlines()[0] if str(error) else "that cannot be written"
        ) from None


def _info(path: str, metadata: dict[str, str]) -> dict[str, Any]:
    info: dict[str, Any] = {
        "name": path.rpartition("/")[2],
        "type": "file",
        "path": paths.whole(path),
    }
    if metadata:
        info["metadata"] = metadata
    return info


# In a thread:


def _write_file(files: Any, file: IO[bytes], path: str, is_packed: bool, most: int) -> None:
    files.write(path, _unpacked(_pieces(file), most) if is_packed else _pieces(file))


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    while piece := file.read(_PIECE):
        yield piece


def _unpacked(pieces: Iterator[bytes], most: int) -> Iterator[bytes]:
    """Gzip, unpacked no further than a file may be long: a few bytes may hold very many."""
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    size = 0
    try:
        for piece in pieces:
            while piece:
                data = unpacker.decompress(piece, _PIECE)
                piece = unpacker.unconsumed_tail
                size += len(data)
                if size > most:
                    raise TooLarge(f"a file may have {most:,} bytes here")
                if data:
                    yield data
    except zlib.error as error:
        raise Invalid(f"that is not gzip: {error}") from None
    if not unpacker.eof:
        raise Invalid("the gzip ends too early")


def _boundary(kind: str) -> bytes:
    head = Message()
    head["content-type"] = kind
    boundary = head.get_param("boundary")
    if not isinstance(boundary, str) or not 0 < len(boundary) <= 200:
        raise Invalid("multipart/form-data needs a boundary")
    return boundary.encode("latin-1", "replace")


class _Form:
    """A form's files, written as they are read. Each goes where the query says, or, if that says
    nothing, where its own name says."""

    def __init__(self, files: Any, given: str, most: int) -> None:
        self._files = files
        self._given = given
        self._most = most
        self._name = bytearray()
        self._value = bytearray()
        self._disposition = ""
        self._header_bytes = 0
        self._path: str | None = None
        self._held = bytearray()
        self._at = 0
        self._parts = 0
        self.written: list[str] = []

    def part_begin(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise Invalid(f"a form may have {_MOST_PARTS} parts")
        self._disposition, self._path, self._at = "", None, 0

    def header_field(self, data: bytes, start: int, end: int) -> None:
        self._count(end - start)
        self._name += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self._count(end - start)
        self._value += data[start:end]

    def _count(self, number: int) -> None:
        self._header_bytes += number
        if self._header_bytes > _MOST_HEADER * (self._parts + 1):
            raise Invalid("the headers of a part are too long")

    def header_end(self) -> None:
        if bytes(self._name).lower() == b"content-disposition":
            self._disposition = self._value.decode("utf-8", "surrogateescape")
        self._name.clear()
        self._value.clear()

    def headers_finished(self) -> None:
        name, filename = _parameters(self._disposition)
        if name != "file":
            return
        target = self._given or filename
        if not target:
            raise Invalid("a file of the form has no name, and the query no path")
        self._path = paths.inside(target)

    def part_data(self, data: bytes, start: int, end: int) -> None:
        if self._path is not None:
            self._held += data[start:end]
            if self._at + len(self._held) > self._most:
                raise TooLarge(f"a file may have {self._most:,} bytes here")
            if len(self._held) >= _PIECE:
                self._flush()

    def part_end(self) -> None:
        if self._path is not None:
            if self._held or not self._at:
                self._flush()
            self.written.append(self._path)

    def _flush(self) -> None:
        self._files.write(self._path, bytes(self._held), at=self._at)
        self._at += len(self._held)
        self._held.clear()


def _parameters(disposition: str) -> tuple[str, str]:
    """Name and file name of a part. Clients escape in them what would end them."""
    head = Message()
    head["content-disposition"] = disposition.replace("\r", " ").replace("\n", " ")
    name, filename = head.get_param("name", "", "content-disposition"), head.get_filename("")
    for escape, character in (("%22", '"'), ("%0D", "\r"), ("%0A", "\n")):
        filename = filename.replace(escape, character)
    return str(name), filename


def _write_form(files: Any, file: IO[bytes], boundary: bytes, given: str, most: int) -> list[str]:
    form = _Form(files, given, most)
    parser = MultipartParser(
        boundary,
        {
            "on_part_begin": form.part_begin,
            "on_header_field": form.header_field,
            "on_header_value": form.header_value,
            "on_header_end": form.header_end,
            "on_headers_finished": form.headers_finished,
            "on_part_data": form.part_data,
            "on_part_end": form.part_end,
        },
    )
    try:
        for piece in _pieces(file):
            parser.write(piece)
        parser.finalize()
    except MultipartParseError as error:
        raise Invalid(f"that form cannot be read: {error}") from None
    if not form.written:
        raise Invalid("the form holds no file")
    return form.written
