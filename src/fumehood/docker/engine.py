"""The Docker engine: where it is, how it is reached, and requests to it.

Each request has a connection of its own: nothing is held between them that a thread, a fork or a
finalizer could find half-way. What starts and ends containers speaks the engine's HTTP here:
importing the `docker` package takes as long as starting one. That package builds and pulls images,
where it knows registries and their passwords, and reads the options that callers write in its
terms.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import http.client
import json
import os
import re
import select
import shutil
import socket
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

from fumehood.errors import DockerFailed, DockerUnavailable, MissingExtra, PolicyError

if TYPE_CHECKING:
    import ssl

    from docker import APIClient


USUAL_SOCKET = "/var/run/docker.sock"
_PORTS = {"tcp": 2375, "tls": 2376, "ssh": 22}
_SPELLINGS = {"http": "tcp", "https": "tls", "http+unix": "unix"}


@dataclass(frozen=True, slots=True)
class Certificates:
    """How an engine is reached by TLS. Without `ca`, by the authorities that this machine
    trusts."""

    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    verify: bool = True


@dataclass(frozen=True, slots=True)
class Address:
    """An engine. `said_by` tells where the address comes from, for messages."""

    scheme: str
    """unix, tcp, tls or ssh."""
    path: str = ""
    host: str = ""
    port: int = 0
    user: str = ""
    certificates: Certificates | None = None
    said_by: str = ""

    @property
    def is_local(self) -> bool:
        """Whether the engine is on this machine, and so sees its files."""
        return self.scheme == "unix"

    def __str__(self) -> str:
        if self.scheme == "unix":
            return f"unix://{self.path}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{self.user}@" if self.user else ""
        return f"{'tcp' if self.scheme == 'tls' else self.scheme}://{user}{host}:{self.port}"


def find(host: str | None = None, environ: Mapping[str, str] = os.environ) -> Address:
    """The engine to talk to. PolicyError for an address that is none, or a context that is not
    there."""
    if host is not None:
        return parse(host, _from_environment(environ), "host=")
    if environ.get("DOCKER_HOST"):
        return parse(environ["DOCKER_HOST"], _from_environment(environ), "DOCKER_HOST")
    configuration = Path(environ.get("DOCKER_CONFIG") or Path("~/.docker").expanduser())
    name = environ.get("DOCKER_CONTEXT") or _current_context(configuration)
    if name and name != "default":
        return _of_context(configuration, name)
    return Address("unix", path=USUAL_SOCKET)


def parse(text: str, certificates: Certificates | None, said_by: str) -> Address:
    wrong = PolicyError(
        f"{said_by} {text!r} is no address of a Docker engine; write for example"
        f" unix://{USUAL_SOCKET}, tcp://machine:2375 or ssh://user@machine"
    )
    if not isinstance(text, str):
        raise wrong
    try:
        parts = urlsplit(text.strip())
        host, port, user = parts.hostname or "", parts.port, parts.username or ""
    except ValueError:
        raise wrong from None
    scheme = _SPELLINGS.get(parts.scheme, parts.scheme)
    if scheme == "unix":
        path = (parts.netloc + parts.path) or USUAL_SOCKET
        if "\0" in path:
            raise wrong
        return Address("unix", path=path if path.startswith("/") else f"/{path}", said_by=said_by)
    if scheme == "tcp" and certificates is not None:
        scheme = "tls"
    # A name that begins with a hyphen would be an option to ssh.
    if (
        scheme not in _PORTS
        or not host
        or parts.password
        or parts.query
        or parts.path.strip("/")
        or host.startswith("-")
        or user.startswith("-")
    ):
        raise wrong
    if scheme == "tls" and certificates is None:
        certificates = Certificates()
    return Address(
        scheme,
        host=host,
        port=port or _PORTS[scheme],
        user=user,
        certificates=certificates if scheme == "tls" else None,
        said_by=said_by,
    )


def _from_environment(environ: Mapping[str, str]) -> Certificates | None:
    directory = environ.get("DOCKER_CERT_PATH") or ""
    verify = bool(environ.get("DOCKER_TLS_VERIFY"))
    if not directory and not verify:
        return None
    return _certificates(Path(directory or Path("~/.docker").expanduser()), verify)


def _certificates(directory: Path, verify: bool) -> Certificates:
    found = {
        name: str(directory / f"{name}.pem") if (directory / f"{name}.pem").is_file() else None
        for name in ("ca", "cert", "key")
    }
    return Certificates(**found, verify=verify)


def _current_context(configuration: Path) -> str:
    try:
        found = json.loads((configuration / "config.json").read_bytes())
    except (
        OSError,
        ValueError,
    ):  # the docker command says what is wrong with its file; without one there is no context
        return ""
    name = found.get("currentContext") if isinstance(found, dict) else None
    return name if isinstance(name, str) else ""


def _of_context(configuration: Path, name: str) -> Address:
    """Contexts are kept under the digests of their names."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
    file = configuration / "contexts" / "meta" / digest / "meta.json"
    try:
        endpoint: dict[str, Any] = json.loads(file.read_bytes())["Endpoints"]["docker"]
        host, skip = (
            endpoint.get("Host") or f"unix://{USUAL_SOCKET}",
            bool(endpoint.get("SkipTLSVerify")),
        )
    except FileNotFoundError:
        raise PolicyError(
            f"the docker context {name!r} does not exist; `docker context ls` shows those that do"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise PolicyError(f"the docker context {name!r} cannot be read: {error} ({file})") from None
    directory = configuration / "contexts" / "tls" / digest / "docker"
    certificates = _certificates(directory, not skip) if directory.is_dir() else None
    return parse(host, certificates, f"the docker context {name!r}:")


_CONNECT_SECONDS = 10.0
_ELSEWHERE = "or name another engine with host= or DOCKER_HOST"


def dial(address: Address) -> socket.socket:
    """Connect. DockerUnavailable says why that could not be."""
    try:
        if address.scheme == "unix":
            return _unix(address.path)
        if address.scheme == "ssh":
            return _SshSocket(address)
        plain = _tcp(address)
        return plain if address.certificates is None else _encrypted(plain, address)
    except OSError as error:
        raise DockerUnavailable(why_not(address, error)) from None


def _unix(path: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(_CONNECT_SECONDS)
        connection.connect(path)
    except BaseException:
        connection.close()
        raise
    return connection


def _tcp(address: Address) -> socket.socket:
    connection = socket.create_connection((address.host, address.port), _CONNECT_SECONDS)
    connection.setsockopt(
        socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
    )  # a cell is a few small messages, each of which is waited for
    connection.setsockopt(
        socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
    )  # an engine that is gone without a word is noticed
    return connection


def _encrypted(plain: socket.socket, address: Address) -> ssl.SSLSocket:
    import ssl  # late: most engines are on this machine

    given = address.certificates
    assert given is not None
    try:
        context = ssl.create_default_context(cafile=given.ca)
        if not given.verify:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if given.cert:
            context.load_cert_chain(given.cert, given.key)
        encrypted = context.wrap_socket(plain, server_hostname=address.host)
    except BaseException:
        plain.close()
        raise
    return encrypted


class _SshSocket(socket.socket):
    """An engine's own socket, by way of ssh and the docker command over there. What ssh says is
    kept for error texts."""

    def __init__(self, address: Address) -> None:
        ours, theirs = socket.socketpair()
        super().__init__(fileno=ours.detach())
        who = ["-l", address.user] if address.user else []
        # Nobody is there to type a password, so ssh is not to wait for one.
        options = [
            "-T",
            "-o",
            "BatchMode=yes",
            "-o",
            f"ConnectTimeout={_CONNECT_SECONDS:.0f}",
            "-p",
            str(address.port),
        ]
        command = ["ssh", *options, *who, "--", address.host, "docker system dial-stdio"]
        try:
            with theirs:
                process = subprocess.Popen(
                    command,
                    stdin=theirs.fileno(),
                    stdout=theirs.fileno(),
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
        except BaseException:
            self.close()
            raise
        self.said: deque[str] = deque(maxlen=5)
        self.listener = threading.Thread(
            target=_listen, args=(process, self.said), name="fumehood-ssh", daemon=True
        )
        self.listener.start()
        self.settimeout(_CONNECT_SECONDS)


def _listen(process: subprocess.Popen[bytes], said: deque[str]) -> None:
    with process:
        assert process.stderr is not None
        for line in process.stderr:
            said.append(line.decode(errors="replace").strip())


def why_silent(connection: socket.socket, address: Address) -> str:
    """Why there was no answer, once a connection has ended without one."""
    if isinstance(connection, _SshSocket):
        connection.listener.join(2.0)  # it ends by itself, and its last words are the reason
        said = "; ".join(filter(None, connection.said)) or "it ended without a word"
        try_it = f"`ssh {address.host} docker version` must work without a question"
        return f"the Docker engine at {address} cannot be reached by ssh: {said}. {try_it}"
    return (
        f"the Docker engine at {address} closed the connection without an answer. Is it an engine,"
        " and does it want TLS?"
    )


def why_not(address: Address, error: OSError) -> str:
    """One line about a connection that could not be made."""
    where = f"{address} (from {address.said_by.rstrip(':= ')})" if address.said_by else str(address)
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return (
            f"the Docker engine at {where} cannot be asked: {error.strerror}. Close executors, or"
            " raise the limit (ulimit -n)"
        )
    if address.scheme == "ssh":
        return (
            f"the Docker engine at {where} needs the program ssh, which cannot be started:"
            f" {error.strerror or error}"
        )
    if address.scheme == "unix":
        return _why_no_socket(address, where, error)
    if isinstance(error, TimeoutError) or error.errno in (
        errno.ETIMEDOUT,
        errno.EHOSTUNREACH,
        errno.ENETUNREACH,
    ):
        reason = error.strerror or "no answer in time"
        return (
            f"the Docker engine at {where} cannot be reached: {reason}. Check the address and the"
            f" network, {_ELSEWHERE}"
        )
    if isinstance(error, socket.gaierror):
        return (
            f"the Docker engine at {where} cannot be reached: there is no machine of that name"
            f" ({error.strerror})"
        )
    if error.errno == errno.ECONNREFUSED:
        return f"no Docker engine listens at {where}: start it there, {_ELSEWHERE}"
    own = getattr(error, "reason", None) or error.strerror or error  # TLS has reasons of its own
    return (
        f"the Docker engine at {where} cannot be reached: {own}. Check the certificates in"
        " DOCKER_CERT_PATH or in the docker context"
    )


def _why_no_socket(address: Address, where: str, error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EPERM):
        return (
            f"you may not use the Docker engine at {where}: permission denied for user"
            f" {os.geteuid()}. Join the group that owns the socket (sudo usermod -aG docker NAME,"
            f" then log in again), {_ELSEWHERE}"
        )
    if error.errno == errno.ECONNREFUSED:
        return (
            f"the Docker engine at {where} is not running: start it (sudo systemctl start docker,"
            f" or dockerd), {_ELSEWHERE}"
        )
    if isinstance(error, TimeoutError) or error.errno == errno.EAGAIN:
        return (
            f"the Docker engine at {where} does not answer: it is overloaded or hangs; see its log,"
            f" {_ELSEWHERE}"
        )
    if error.errno == errno.ENOENT and not address.said_by:
        if shutil.which("dockerd") or shutil.which("docker"):
            return (
                f"Docker is installed, but no engine runs at {where}: start it (sudo systemctl"
                f" start docker, or dockerd), {_ELSEWHERE}"
            )
        return (
            "Docker is not installed on this machine: install it (Debian, Ubuntu: apt-get install"
            f" docker.io), {_ELSEWHERE}"
        )
    return (
        f"there is no Docker engine at {where}: {error.strerror or error}. Start it, {_ELSEWHERE}"
    )


_CHUNK = 1 << 16
_MOST_HELD = 1 << 20


def _relayed(encrypted: ssl.SSLSocket) -> socket.socket:
    """A socket that gives what the other gives and takes what it takes, until either ends."""
    ours, theirs = socket.socketpair()
    threading.Thread(
        target=_relay, args=(encrypted, ours), name="fumehood-relay", daemon=True
    ).start()
    return theirs


def _relay(encrypted: ssl.SSLSocket, local: socket.socket) -> None:
    """One thread for both directions: a TLS connection is not for two."""
    import ssl  # late: most engines are on this machine

    with contextlib.suppress(OSError), encrypted, local:
        encrypted.setblocking(False)
        local.setblocking(False)
        inward, outward = bytearray(), bytearray()
        is_over = False
        poll = select.poll()
        while not (is_over and not inward):
            wants_read, wants_write = len(inward) < _MOST_HELD and not is_over, False
            if wants_read:
                try:
                    data = encrypted.recv(_CHUNK)
                    inward += data
                    is_over = not data
                except ssl.SSLWantReadError:
                    pass
                except ssl.SSLWantWriteError:
                    wants_write = True
                except OSError:
                    is_over = True
            if outward and not is_over:
                try:
                    del outward[: encrypted.send(outward)]
                except ssl.SSLWantReadError:
                    wants_read = True
                except ssl.SSLWantWriteError:
                    wants_write = True
            with contextlib.suppress(BlockingIOError):
                if inward:
                    del inward[: local.send(inward)]
            if (is_over and not inward) or (
                wants_read and encrypted.pending() and len(inward) < _MOST_HELD
            ):
                continue
            poll.register(
                encrypted,
                (select.POLLIN if wants_read and not is_over else 0)
                | (select.POLLOUT if wants_write else 0),
            )
            room = len(outward) < _MOST_HELD and not is_over
            poll.register(local, (select.POLLIN if room else 0) | (select.POLLOUT if inward else 0))
            for fd, event in poll.poll():
                if fd == local.fileno() and event & (
                    select.POLLIN | select.POLLHUP | select.POLLERR
                ):
                    data = local.recv(_CHUNK) if event & select.POLLIN else b""
                    if not data:
                        return
                    outward += data


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
                return _relayed(connection)  # type: ignore[arg-type]
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

        return client(self)


def connect(host: str | None = None) -> Engine:
    """The engine at `host`; else at DOCKER_HOST, of the current docker context, or at the usual
    socket. Nothing is asked yet."""
    return Engine(find(host))


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


_BUILD_SECONDS = 3600


def client(engine: Engine) -> APIClient:
    """A client whose every connection is one of ours: an engine behind ssh needs no more packages,
    and errors are told as ours are."""
    try:
        import docker.errors
        from docker import APIClient
    except ImportError:
        raise MissingExtra(
            "building images for Docker needs the package docker: pip install 'fumehood[docker]'"
        ) from None
    import requests.adapters
    import urllib3.connection
    import urllib3.connectionpool

    class Connection(urllib3.connection.HTTPConnection):
        def connect(self) -> None:
            self.sock = dial(engine.address)
            self.sock.settimeout(_BUILD_SECONDS)

    class Pool(urllib3.connectionpool.HTTPConnectionPool):
        ConnectionCls = Connection

    class Adapter(requests.adapters.HTTPAdapter):  # type: ignore[misc,unused-ignore]
        def get_connection_with_tls_context(self, *_arguments: Any, **_options: Any) -> Any:
            return Pool("docker.localhost")

        get_connection = (
            get_connection_with_tls_context  # as it was called in older versions of requests
        )

        def request_url(self, request: requests.PreparedRequest, _proxies: Any) -> str:
            return str(request.path_url)  # the engine is never behind a proxy for the web

    version = engine.ask("GET", "/version")["ApiVersion"]
    try:
        made = APIClient(
            base_url="tcp://docker.localhost:1", version=version, timeout=_BUILD_SECONDS
        )
    except docker.errors.DockerException as error:
        raise DockerFailed(
            f"the docker package and the engine at {engine.address} do not fit: {error}"
        ) from None
    made.trust_env = False
    made.mount("http://", Adapter())
    return made


def as_ours(error: Exception) -> DockerFailed:
    """What the `docker` package raises, as one of ours."""
    import docker.errors
    import requests

    if isinstance(error, DockerFailed):
        return error
    if isinstance(error, docker.errors.APIError):
        return DockerFailed(one_line(error.explanation or error), status=error.status_code)
    if isinstance(error, requests.exceptions.RequestException):
        return DockerUnavailable(f"the Docker engine stopped answering: {one_line(error)}")
    return DockerFailed(one_line(error))
