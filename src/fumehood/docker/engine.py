"""The Docker engine: its address, requests to it, and streams to containers, all by the Docker SDK.

The SDK is imported at the first request: importing it takes as long as starting a container. Each
use has a client of its own: no connection is shared between threads or with a forked process.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import json
import os
import re
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from fumehood.errors import DockerFailed, DockerUnavailable, MissingExtra, PolicyError
from fumehood.tunnel.pump import Pump

if TYPE_CHECKING:
    from docker import APIClient

USUAL_SOCKET = "/var/run/docker.sock"
BUILD_SECONDS = 3600.0
_ANSWER_SECONDS = 120.0
_LONGEST = 600
_CHUNK = 1 << 16
_MOST_BYTES = 64 << 20
"""The largest answer that is accepted."""
T = TypeVar("T")
_ELSEWHERE = "or name another engine with host= or DOCKER_HOST"


def sdk() -> Any:
    """The `docker` package. MissingExtra if it is not installed."""
    try:
        import docker
        import docker.errors
    except ImportError as error:
        detail = "" if error.name == "docker" else f" ({error})"
        raise MissingExtra(
            f"code in containers needs the package docker: pip install 'fumehood[docker]'{detail}"
        ) from None
    return docker


class Engine:
    """The engine at `host`; else at DOCKER_HOST, of the current docker context, or at the usual
    socket. PolicyError for an address that cannot be used. The first request finds out whether it
    answers."""

    def __init__(self, host: str | None = None) -> None:
        self.address = f"unix://{USUAL_SOCKET}"
        self._tls: Any = False
        self._version: str | None = None
        said_by = "host="
        if host is None and os.environ.get("DOCKER_HOST"):
            host, said_by = os.environ["DOCKER_HOST"], "DOCKER_HOST"
        name = os.environ.get("DOCKER_CONTEXT") or None
        try:
            if host is not None:
                if not isinstance(host, str) or "://" not in host or "\0" in host:
                    raise ValueError
                self.address = host.strip()
                if os.environ.get("DOCKER_CERT_PATH") or os.environ.get("DOCKER_TLS_VERIFY"):
                    self._tls = sdk().utils.kwargs_from_env().get("tls", False)
            elif name is not None or _may_have_a_context():
                context = sdk().ContextAPI.get_context(name)
                if context is None:
                    raise PolicyError(
                        f"the docker context {name!r} does not exist; `docker context ls` lists"
                        " those that do"
                    )
                if context.name != "default":
                    said_by = f"the docker context {context.name!r}:"
                    self.address, self._tls = context.Host, context.TLSConfig or False
            if self.address != f"unix://{USUAL_SOCKET}":
                sdk().utils.parse_host(self.address, tls=bool(self._tls))
        except (PolicyError, MissingExtra):
            raise
        except Exception as error:  # the SDK raises Exception, KeyError, AttributeError and its own
            told = self.address if host is None else host
            detail = f" ({one_line(error)})" if str(error) else ""
            raise PolicyError(
                f"{said_by} {told!r} is not the address of a Docker engine{detail}; write for"
                f" example unix://{USUAL_SOCKET}, tcp://machine:2375 or ssh://user@machine"
            ) from None

    @property
    def is_local(self) -> bool:
        """Whether the engine is on this machine, and so sees its files."""
        return self.address.startswith("unix://")

    @contextlib.contextmanager
    def client(self, seconds: float = _ANSWER_SECONDS) -> Iterator[APIClient]:
        """A client of the SDK. In here its errors are raised as DockerFailed with the status if the
        engine refuses, and as DockerUnavailable if there is no answer."""
        docker = sdk()
        import requests
        import urllib3.exceptions

        try:
            if self._version is None:
                with self._client("1.24", seconds) as client:
                    self._version = client.version(api_version=False)["ApiVersion"]
            with self._client(self._version, seconds) as client:
                yield client
        except docker.errors.APIError as error:
            raise DockerFailed(
                one_line(error.explanation or error), status=error.status_code
            ) from None
        except docker.errors.DockerException as error:
            raise DockerFailed(one_line(error)) from None
        except (
            requests.RequestException,
            urllib3.exceptions.HTTPError,
            OSError,
            KeyError,
        ) as error:
            raise DockerUnavailable(_why_not(self.address, error)) from None

    def _client(self, version: str, seconds: float) -> APIClient:
        made: APIClient = sdk().APIClient(
            base_url=self.address,
            tls=self._tls,
            version=version,
            timeout=seconds,
            use_ssh_client=True,
        )
        made.trust_env = False  # the engine is never behind a proxy for the web
        return made

    def ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        *,
        seconds: float = _ANSWER_SECONDS,
    ) -> Any:
        """The engine's answer to a request of its API, as JSON. Errors are as of `client`."""
        with self.client(seconds) as client:
            url = f"{client.base_url}/v{self._version}{path}"
            with client.request(
                method, url, params=query, json=body, timeout=seconds, stream=True
            ) as answer:
                text = answer.raw.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise DockerUnavailable(
                f"the server at {self.address} sends more than {_MOST_BYTES:,} bytes at once"
            )
        try:
            told = json.loads(text) if text.strip() else None
        except ValueError:
            told = text.decode(errors="replace")
        if answer.status_code >= 400:
            reason = told.get("message", told) if isinstance(told, dict) else told
            raise DockerFailed(
                one_line(reason or f"status {answer.status_code}"), status=answer.status_code
            )
        return told

    def lines(self, path: str, query: Mapping[str, Any], *, seconds: float) -> Iterator[Any]:
        """The JSON values that the engine sends one after another, until it ends or is silent for
        so long."""
        with contextlib.suppress(DockerUnavailable, ValueError), self.client(seconds) as client:
            url = f"{client.base_url}/v{self._version}{path}"
            with client.get(url, params=query, timeout=seconds, stream=True) as answer:
                for line in answer.iter_lines(chunk_size=None):
                    if line.strip():
                        yield json.loads(line)

    def attach(self, container: str) -> socket.socket:
        """The stream to a container that is not started yet, as a plain socket."""
        with self.client() as client:
            found: Any = client.attach_socket(
                container, {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            )
        if not isinstance(found, ssl.SSLSocket) and not hasattr(found, "proc"):
            plain = socket.socket(fileno=os.dup(found.fileno()))
            plain.setblocking(True)
            if plain.family != socket.AF_UNIX:
                # Small messages are waited for, and an engine that is lost must be noticed.
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            return plain
        return _relay(found)


def _may_have_a_context() -> bool:
    """Whether the docker command has a configuration. The SDK is not imported to find none."""
    directory = Path(os.environ.get("DOCKER_CONFIG") or Path("~/.docker").expanduser())
    try:
        return (directory / "config.json").is_file()
    except OSError:  # the home directory may be another user's
        return False


def _relay(remote: Any) -> socket.socket:
    """A plain socket in place of the SDK's TLS socket or ssh process."""
    ssh = getattr(remote, "proc", None)
    if ssh is None:
        remote = _SharedTls(remote)
    receive = remote.recv if ssh is None else ssh.stdout.read1

    def close(_failure: Exception | None) -> None:
        remote.close()

    pieces = iter(functools.partial(receive, _CHUNK), b"")
    return Pump("fumehood-relay", remote.sendall, pieces, close).stream


class _SharedTls:
    """A TLS connection for a thread that reads and one that writes: OpenSSL does not allow both at
    the same time."""

    def __init__(self, connection: ssl.SSLSocket) -> None:
        connection.setblocking(False)
        self._connection, self._lock = connection, threading.Lock()

    def recv(self, size: int) -> bytes:
        return self._do(self._connection.recv, size)

    def sendall(self, data: bytes) -> None:
        while data:
            data = data[self._do(self._connection.send, data) :]

    def _do(self, step: Callable[[Any], T], argument: Any) -> T:
        while True:
            try:
                with self._lock:
                    return step(argument)
            except ssl.SSLWantReadError:
                wanted = select.POLLIN
            except ssl.SSLWantWriteError:
                wanted = select.POLLOUT
            poll = select.poll()
            poll.register(self._connection, wanted)
            poll.poll()

    def close(self) -> None:
        self._connection.shutdown(socket.SHUT_RDWR)


def _why_not(address: str, error: BaseException) -> str:
    """One line on why there is no answer, and what to do."""
    causes = list(_causes(error))
    number = next((each.errno for each in causes if isinstance(each, OSError) and each.errno), None)
    if any(isinstance(each, ssl.SSLError) for each in causes):
        return (
            f"the Docker engine at {address} cannot be reached: {one_line(error)}. Check the"
            " certificates in DOCKER_CERT_PATH or in the docker context"
        )
    if number in (errno.EMFILE, errno.ENFILE):
        return (
            f"the Docker engine at {address} cannot be asked: {os.strerror(number)}. Close"
            " executors, or raise the limit (ulimit -n)"
        )
    if number in (errno.EACCES, errno.EPERM):
        return (
            f"you may not use the Docker engine at {address}: permission denied for user"
            f" {os.geteuid()}. Join the group that owns the socket (sudo usermod -aG docker NAME,"
            f" then log in again), {_ELSEWHERE}"
        )
    if number in (errno.ENOENT, errno.ECONNREFUSED):
        return (
            f"no Docker engine listens at {address}: install and start it (sudo systemctl start"
            f" docker, or dockerd), {_ELSEWHERE}"
        )
    if any(isinstance(each, TimeoutError) or "Timeout" in type(each).__name__ for each in causes):
        return (
            f"the Docker engine at {address} did not answer in time: it is overloaded or hangs; see"
            " its log"
        )
    return (
        f"the Docker engine at {address} gave no answer: {one_line(error)}. Check the address and"
        " the network, and whether it needs TLS"
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those it wraps: the SDK's libraries pass them as causes and as arguments."""
    waiting: list[Any] = [error]
    for _ in range(16):
        if not waiting:
            return
        each = waiting.pop(0)
        if isinstance(each, BaseException):
            yield each
            waiting += [each.__cause__, each.__context__, getattr(each, "reason", None), *each.args]


def in_path(name: str) -> str:
    """A name as part of a path."""
    return quote(name, safe=":@")


def one_line(text: object) -> str:
    """An engine's text, fit for one line of an error."""
    told = re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", str(text)).strip()
    return told if len(told) <= _LONGEST else f"{told[: _LONGEST // 2]} … {told[-_LONGEST // 2 :]}"
