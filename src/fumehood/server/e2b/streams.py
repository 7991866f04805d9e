"""What a thread makes and a client reads, as it is made. Bounded: a client that does not read makes
the thread wait, and after a while it is taken for gone."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any, Final

from starlette.responses import Response

from fumehood.server.refusals import Refusal

MOST_BYTES: Final = 1 << 20
"""So much waits for a client to read it."""
PATIENCE_SECONDS: Final = 30.0
"""So long a thread waits for a client to read anything at all."""
SILENCE_SECONDS: Final = 20.0
"""After so long a silence a sign of life is sent, which shows whether anybody is there."""
AT_ONCE_SECONDS: Final = 0.05
"""What comes within so long may be all there is, and nobody listens meanwhile whether the client
leaves."""


class Unread(Exception):
    """The client does not read, or is gone."""


class Pipe:
    """Bytes from a thread to the event loop. `put` is the thread's; all else is the loop's, but for
    `end`, which is anybody's."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """To be made by the loop's own thread."""
        self._loop = loop
        self._thread = threading.get_ident()
        self._pieces: deque[bytes] = deque()
        self._bytes = 0
        self._room = threading.Condition()
        self._is_over = False
        self._is_left = False
        self._is_told = False
        self._event = asyncio.Event()

    @property
    def is_over(self) -> bool:
        """Whether all that ever came was taken."""
        return self._is_over and not self._pieces

    def put(self, piece: bytes, *, tells: bool = True) -> None:
        """Hand on a piece. Waits while there is too much already; Unread if nobody takes it.
        Without `tells` nobody is woken for it: the end is near, and wakes them."""
        with self._room:
            while self._bytes > MOST_BYTES and not self._is_left:
                before = self._bytes
                if not self._room.wait(PATIENCE_SECONDS) and self._bytes >= before:
                    self._is_left = True
            if self._is_left:
                raise Unread
            self._pieces.append(piece)
            self._bytes += len(piece)
            if tells:
                self._tell()

    def end(self) -> None:
        """Nothing more will come."""
        with self._room:
            if not self._is_over:
                self._is_over = True
                self._tell()

    def leave(self) -> None:
        """Nobody reads any more."""
        with self._room:
            self._is_left = True
            self._room.notify_all()

    def _tell(self) -> None:
        if threading.get_ident() == self._thread:
            self._event.set()
        elif not self._is_told:
            self._is_told = True
            with contextlib.suppress(RuntimeError):  # the loop is closed: the server has ended
                self._loop.call_soon_threadsafe(self._event.set)

    async def take(self, patience: float | None = SILENCE_SECONDS) -> bytes | None:
        """All that is there, as soon as there is something; nothing after a long silence; None at
        the end."""
        with contextlib.suppress(TimeoutError):
            if not self._event.is_set():
                async with asyncio.timeout(patience):
                    await self._event.wait()
        with self._room:
            self._event.clear()
            self._is_told = False
            taken = b"".join(self._pieces)
            self._pieces.clear()
            self._bytes = 0
            self._room.notify_all()
            if not taken and self._is_over:
                return None
            if self._is_over:
                self._event.set()
            return taken


Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class Streaming(Response):
    """An answer that is sent as it is made. When the client leaves, `on_leave` is called, and
    nothing more is asked of what makes it."""

    def __init__(
        self,
        pieces: AsyncIterator[bytes],
        media_type: str,
        on_leave: Callable[[], Any],
        *,
        pipe: Pipe,
        refused: Callable[[Refusal], Response] | None = None,
    ) -> None:
        """`pipe` is where the pieces come from. `refused` makes the answer for what is refused
        before anything was sent; without it that is the gate's."""
        self.status_code = 200
        self.background = None
        self.init_headers({"content-type": media_type})
        self._pieces = pieces
        self._on_leave = on_leave
        self._pipe = pipe
        self._refused = refused
        self._is_left = False
        self._is_begun = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        listening: asyncio.Task[None] | None = None
        try:
            async for piece in self._pieces:
                if listening is None:
                    if piece and self._pipe.is_over:  # all of it at once: most cells are that quick
                        await self._begin(send, len(piece))
                        await send({"type": "http.response.body", "body": piece})
                        return
                    listening = asyncio.ensure_future(self._listen(receive))
                if piece:
                    await self._begin(send)
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            await self._begin(send)
            await send({"type": "http.response.body", "body": b""})
        except BaseException as error:
            self._leave()
            if self._is_begun or self._refused is None or not isinstance(error, Refusal):
                raise
            await self._refused(error)(scope, receive, send)
        finally:
            if listening is not None:
                listening.cancel()
            close = getattr(self._pieces, "aclose", None)
            if close is not None:
                await close()

    async def _begin(self, send: Send, length: int | None = None) -> None:
        """Not before there is something to send: until then an error is a status of its own."""
        if not self._is_begun:
            self._is_begun = True
            headers = (
                self.raw_headers
                if length is None
                else [*self.raw_headers, (b"content-length", b"%d" % length)]
            )
            await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def _listen(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._leave()

    def _leave(self) -> None:
        if not self._is_left:
            self._is_left = True
            self._on_leave()
