"""A connection to an engine: a socket, whichever way it is reached. What can go wrong is told in
one line, with what to do."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import subprocess
import threading
from collections import deque
from typing import TYPE_CHECKING

from fumehood.docker.addresses import Address
from fumehood.errors import DockerUnavailable

if TYPE_CHECKING:
    import ssl

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
