"""Questions to an engine, each over a connection of its own: nothing is held between them that a
thread, a fork or a finalizer could find half-way. Over a socket of this machine a connection costs
less than the bookkeeping that would save it.

What starts and ends containers speaks the engine's HTTP right here, since importing the `docker`
package takes as long as starting one. That package builds and pulls images, where it knows
registries and their passwords, and reads the options that callers write in its terms.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fumehood.docker import addresses
from fumehood.docker.addresses import Address
from fumehood.docker.dialing import dial, why_silent
from fumehood.errors import DockerFailed, DockerUnavailable

if TYPE_CHECKING:
    from docker import APIClient

_ANSWER_SECONDS = 120.0
_LONGEST = 600
_MOST_BYTES = 64 << 20
"""Of one answer, and of one line of a stream."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A Docker engine. Making one costs nothing and asks nothing; the first question finds out
    whether it is there."""

    address: Address

    def ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        *,
        seconds: float = _ANSWER_SECONDS,
    ) -> Any:
        """What the engine answers, as JSON has it. DockerFailed with the status if it refuses,
        DockerUnavailable if there is no answer."""
        with dial(self.address) as connection:
            connection.settimeout(seconds)
            answer = self._request(connection, method, path, query, body)
            try:
                text = answer.read(_MOST_BYTES + 1)
                if answer.length and len(text) <= _MOST_BYTES:
                    raise http.client.IncompleteRead(text)
            except (OSError, http.client.HTTPException) as error:
                raise self._silence(connection, error) from None
        if len(text) > _MOST_BYTES:
            raise DockerUnavailable(
                f"what answers at {self.address} sends more than {_MOST_BYTES:,} bytes at once"
            )
        try:
            return json.loads(text) if text.strip() else None
        except ValueError:
            raise DockerUnavailable(
                f"what answers at {self.address} is no Docker engine: it says"
                f" {_message(text)[:80]!r}"
            ) from None

    def lines(
        self, path: str, query: Mapping[str, Any] | None = None, *, seconds: float
    ) -> Iterator[Any]:
        """What the engine goes on saying, one JSON value after another, until it ends or is silent
        for so long."""
        with dial(self.address) as connection:
            connection.settimeout(seconds)
            answer = self._request(connection, "GET", path, query, None)
            try:
                while line := answer.readline(_MOST_BYTES):
                    if line.strip():
                        yield json.loads(line)
            except (OSError, ValueError, http.client.HTTPException):
                return

    def upgrade(self, path: str, query: Mapping[str, Any]) -> socket.socket:
        """Ask for a connection that is a stream of bytes from then on. It is a plain socket,
        whatever lies below."""
        connection = dial(self.address)
        try:
            connection.settimeout(_ANSWER_SECONDS)
            self._request(
                connection, "POST", path, query, None, {"Connection": "Upgrade", "Upgrade": "tcp"}
            )
            connection.settimeout(None)
            if type(connection).__name__ == "SSLSocket":
                from fumehood.docker import relaying

                return relaying.plain(connection)  # type: ignore[arg-type]
        except BaseException:
            connection.close()
            raise
        return connection

    def _request(
        self,
        connection: socket.socket,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Any,
        headers: Mapping[str, str] | None = None,
    ) -> http.client.HTTPResponse:
        conversation = http.client.HTTPConnection("docker")
        conversation.sock = connection
        target = path + (f"?{urlencode(query)}" if query else "")
        sent = {"Host": "docker", **(headers or {"Connection": "close"})}
        encoded = b""
        if body is not None:
            encoded = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        try:
            # Without a version in the path: the engine's own is taken, and no question is needed to
            # find one that both know.
            conversation.request(method, target, encoded if method == "POST" else None, sent)
            answer = conversation.getresponse()
            if answer.status < 400:
                return answer
            text = answer.read(1 << 20)
        except (OSError, http.client.HTTPException) as error:
            raise self._silence(connection, error) from None
        raise DockerFailed(_message(text) or f"status {answer.status}", status=answer.status)

    def _silence(self, connection: socket.socket, error: Exception) -> DockerUnavailable:
        if isinstance(error, TimeoutError):
            return DockerUnavailable(
                f"the Docker engine at {self.address} did not answer in time: it is overloaded or"
                " hangs; see its log"
            )
        return DockerUnavailable(why_silent(connection, self.address))

    def sdk(self) -> APIClient:
        """The same engine for the `docker` package, which is imported now. MissingExtra if it is
        not installed."""
        from fumehood.docker.sdk import client

        return client(self)


def connect(host: str | None = None) -> Engine:
    """The engine at `host`; else at DOCKER_HOST, of the current docker context, or at the usual
    socket. Nothing is asked yet."""
    return Engine(addresses.find(host))


def in_path(name: str) -> str:
    """A name of something, as part of a path."""
    return quote(name, safe=":@")


def one_line(text: object) -> str:
    """What an engine says, fit for one line of an error."""
    told = re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", str(text)).strip()
    return told if len(told) <= _LONGEST else f"{told[: _LONGEST // 2]} … {told[-_LONGEST // 2 :]}"


def _message(body: bytes) -> str:
    try:
        found = json.loads(body)
        return one_line(found["message"])
    except (ValueError, KeyError, TypeError):
        return one_line(body.decode(errors="replace"))
