"""Fetching one page of the web for code that nobody trusts, from a server that nobody trusts
either.

Each connection goes to an address that has been looked at (addresses.py), redirects included. What
a server can make this do is bounded: bytes read, bytes they are unpacked to, redirects followed,
and the time of it all, which a server that sends a byte now and then cannot stretch. Of a page that
is too long the beginning is kept.
"""

from __future__ import annotations

import functools
import time
import zlib
from dataclasses import dataclass
from typing import Any

from fumehood.errors import ToolError
from fumehood.tools.addresses import addresses_of, check
from fumehood.wire.show import one_line

MOST_REDIRECTS = 10
MOST_URL_CHARACTERS = 4_000
HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; fumehood)",
    "Accept": (
        "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.8,"
        " application/xml;q=0.8, */*;q=0.1"
    ),
    "Accept-Language": "en, *;q=0.5",
    # Not what a library would offer: these two can be unpacked as far as wanted, and no further.
    "Accept-Encoding": "gzip, deflate",
}


@dataclass(frozen=True, slots=True)
class Page:
    """What came back. `url` is where it was found in the end; `is_whole` is False if there was more
    than was read."""

    url: str
    content_type: str
    body: bytes
    is_whole: bool


def fetch(url: str, *, seconds: float, most_bytes: int, allow_private: bool = False) -> Page:
    """Fetch a page. Raises ToolError, of one line, for whatever is wrong."""
    import httpcore
    import httpx

    deadline = time.monotonic() + seconds
    at = _parsed(httpx, url)
    network = _Network(httpcore.SyncBackend(), deadline, allow_private)
    try:
        for _ in range(MOST_REDIRECTS + 1):
            context = _certificates() if at.scheme == "https" else None
            with httpcore.ConnectionPool(ssl_context=context, network_backend=network) as pool:  # type: ignore[arg-type]
                request = httpcore.URL(
                    scheme=at.raw_scheme, host=at.raw_host, port=at.port, target=at.raw_path
                )
                timeout = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
                headers = [*HEADERS.items(), ("Host", at.netloc.decode("ascii"))]
                with pool.stream(
                    "GET", request, headers=headers, extensions={"timeout": timeout}
                ) as response:
                    fields = {
                        key.lower(): value.decode("latin-1") for key, value in response.headers
                    }
                    if response.status in (301, 302, 303, 307, 308) and b"location" in fields:
                        at = _parsed(httpx, fields[b"location"], at)
                        continue
                    if response.status >= 300:
                        raise ToolError(
                            f"{_shown(at)} answered {response.status}{_phrase(response)}"
                        )
                    body, is_whole = _body(
                        response, fields.get(b"content-encoding", ""), most_bytes
                    )
                    return Page(str(at), fields.get(b"content-type", ""), body, is_whole)
    except httpcore.TimeoutException:
        raise ToolError(
            f"{_shown(at)} took longer than {seconds:g} seconds: try again, or go on without"
        ) from None
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        what = one_line(str(error) or type(error).__name__, 200)
        raise ToolError(f"{_shown(at)} cannot be read: {what}") from None
    raise ToolError(
        f"{_shown(at)} leads on and on: more than {MOST_REDIRECTS} redirects; another address may"
        " have the page"
    )


@functools.cache
def _certificates() -> Any:
    """Whom connections trust; reading it takes longer than many pages do."""
    import httpx

    return httpx.create_ssl_context()


def _parsed(httpx: Any, text: str, base: Any = None) -> Any:
    if len(text) > MOST_URL_CHARACTERS:
        raise ToolError(
            f"an address of {len(text):,} characters is too long: {MOST_URL_CHARACTERS:,} are the"
            " most"
        )
    hint = (
        f", to which {_shown(base)} leads"
        if base is not None
        else "; it begins with https:// or http:// and a host"
    )
    try:
        url = httpx.URL(text.strip())
        url = base.join(url) if base is not None else url
        host = url.raw_host
    except (httpx.InvalidURL, ValueError, TypeError):
        raise ToolError(f"{one_line(repr(text), 200)} is not an address of the web{hint}") from None
    if url.scheme not in ("http", "https") or not host:
        raise ToolError(f"{one_line(repr(text), 200)} is not an address of the web{hint}")
    return url.copy_with(username=None, password=None, fragment=None) if url.userinfo else url


def _shown(url: Any) -> str:
    return one_line(str(url), 200)


def _phrase(response: Any) -> str:
    phrase = response.extensions.get("reason_phrase", b"").decode("latin-1")
    return f" ({one_line(phrase, 60)})" if phrase.strip() else ""


# -- the body


def _body(response: Any, encoding: str, most: int) -> tuple[bytes, bool]:
    kinds = [
        kind.strip().lower()
        for kind in encoding.split(",")
        if kind.strip() and kind.strip().lower() != "identity"
    ]
    if kinds and kinds not in (["gzip"], ["x-gzip"], ["deflate"]):
        raise ToolError(
            f"the page is packed as {one_line(encoding, 60)!r}, which was not asked for and is not"
            " unpacked"
        )
    unpack = _Unpacking() if kinds else None
    body = bytearray()
    read = 0
    for data in response.iter_stream():
        read += len(data)
        body += unpack.feed(data, most - len(body) + 1) if unpack else data
        if read > most or len(body) > most:
            return bytes(body[:most]), False
    return bytes(body), unpack is None or unpack.is_whole


class _Unpacking:
    """gzip or deflate, unpacked no further than is wanted: a few bytes can hold gigabytes."""

    def __init__(self) -> None:
        self._packed: Any = None
        self._begun = b""

    @property
    def is_whole(self) -> bool:
        return bool(self._packed is None or self._packed.eof)

    def feed(self, data: bytes, most: int) -> bytes:
        made = bytearray()
        while data and len(made) < most:
            if self._packed is None or self._packed.eof:
                self._packed = self._new(data)
            try:
                made += self._packed.decompress(data, most - len(made))
            except zlib.error as error:
                raise ToolError(
                    f"the page is packed, and damaged: {one_line(str(error), 100)}"
                ) from None
            data = self._packed.unused_data if self._packed.eof else self._packed.unconsumed_tail
        return bytes(made)

    def _new(self, data: bytes) -> Any:
        # Some servers mean the bare stream by "deflate", some the one with a header.
        has_header = (
            data[:1] == b"\x1f"
            or len(data) > 1
            and data[0] & 0x0F == 8
            and int.from_bytes(data[:2], "big") % 31 == 0
        )
        return zlib.decompressobj(47 if has_header else -15)


# -- the network


class _Network:
    """How connections are made: to addresses that have been looked at, and not for longer than
    there is time."""

    def __init__(self, backend: Any, deadline: float, allow_private: bool) -> None:
        self._backend = backend
        self._deadline = deadline
        self._allow_private = allow_private

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: Any = None,
        socket_options: Any = None,
    ) -> Any:
        import httpcore

        problem: Exception = httpcore.ConnectError("no address")
        addresses = addresses_of(host, port, self._deadline, allow_private=self._allow_private)
        for tried, address in enumerate(addresses):
            # One that does not answer leaves time for the others.
            left = _left(self._deadline, httpcore.ConnectTimeout) / (len(addresses) - tried)
            try:
                stream = self._backend.connect_tcp(
                    address, port, timeout=left, socket_options=socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                problem = error
                continue
            peer = stream.get_extra_info("server_addr")
            if not self._allow_private:
                try:
                    check(host, str(peer[0]) if peer else "")
                except ToolError:
                    stream.close()
                    raise
            return _Timed(stream, self._deadline)
        raise problem

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Any = None
    ) -> Any:
        raise ToolError("only the public internet can be visited")

    def sleep(self, seconds: float) -> None:
        time.sleep(min(seconds, max(self._deadline - time.monotonic(), 0.0)))


class _Timed:
    """A connection that is over when the time is, however diligently the other side sends a byte
    now and then."""

    def __init__(self, stream: Any, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> Any:
        import httpcore

        return self._stream.read(max_bytes, _left(self._deadline, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        import httpcore

        self._stream.write(buffer, _left(self._deadline, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> Any:
        import httpcore

        secure = self._stream.start_tls(
            ssl_context, server_hostname, _left(self._deadline, httpcore.ConnectTimeout)
        )
        return _Timed(secure, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(deadline: float, too_late: type[Exception]) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise too_late("the time is over")
    return left
