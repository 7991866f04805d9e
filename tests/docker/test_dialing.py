"""Engines that cannot be reached, each told in one line with what to do; and those that are reached
by TLS and by ssh."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from fumehood.docker.containers import Container
from fumehood.docker.engine import Engine
from fumehood.errors import DockerFailed, DockerUnavailable
from fumehood.policy import Policy


def why(host):
    with pytest.raises(DockerUnavailable) as refused:
        Engine(host).ask("GET", "/_ping", seconds=20)
    assert "\n" not in str(refused.value)
    return str(refused.value)


# -- nobody there


def test_a_socket_that_is_missing_is_told(tmp_path):
    told = why(f"unix://{tmp_path}/docker.sock")
    assert told.startswith(f"no Docker engine listens at unix://{tmp_path}/docker.sock: install")


def test_a_socket_that_is_not_for_us():
    """Tried by somebody who is not root, to whom everything is open."""
    program = """import os, sys, docker.errors, ssl
from fumehood.docker.engine import Engine
if os.geteuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)
try: Engine("unix://" + sys.argv[1]).ask("GET", "/_ping")
except Exception as error: print(type(error).__name__, error)"""
    with tempfile.TemporaryDirectory() as directory, socket.socket(socket.AF_UNIX) as listener:
        Path(directory).chmod(0o755)
        path = Path(directory) / "docker.sock"
        listener.bind(str(path))
        listener.listen()
        path.chmod(0)
        done = subprocess.run(
            [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
        )
    assert done.stdout.startswith(
        f"DockerUnavailable you may not use the Docker engine at unix://{path}: permission denied"
    )
    assert "Join the group that owns the socket" in done.stdout


# -- somebody else there


@contextlib.contextmanager
def saying(path, answer):
    """Somebody at a socket who gives the same answer to everything."""

    def serve():
        with contextlib.suppress(OSError):
            while True:
                with listener.accept()[0] as connection:
                    connection.recv(1 << 16)
                    connection.sendall(answer)

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        threading.Thread(target=serve, daemon=True).start()
        yield f"unix://{path}"
        listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort",
        b"\0" * 70000,
    ],
)
def test_what_answers_and_is_no_engine_is_told(tmp_path, answer):
    with saying(tmp_path / "s", answer) as host:
        assert "gave no answer" in why(host)


def test_a_refusal_has_its_status_and_one_line_of_text(tmp_path):
    answer = (
        b'HTTP/1.1 418 Teapot\r\nConnection: close\r\n\r\n{"message": "no\\ncoffee\\u001b[0m here"}'
    )
    with (
        saying(tmp_path / "s", answer) as host,
        pytest.raises(DockerFailed, match=r"^no coffee \[0m here$") as refused,
    ):
        Engine(host).ask("GET", "/coffee")
    assert refused.value.status == 418


def test_an_engine_that_does_not_answer_is_told(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        with pytest.raises(DockerUnavailable, match="did not answer in time"):
            Engine(f"unix://{tmp_path}/s").ask("GET", "/_ping", seconds=0.05)


# -- by ssh


@pytest.fixture
def ssh(tmp_path, monkeypatch):
    """An `ssh` that runs what it is told to right here, as one to this machine would."""

    def put(program):
        (tmp_path / "ssh").write_text(f"#!{sys.executable}\nimport os, sys\n{program}\n")
        (tmp_path / "ssh").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        return tmp_path / "arguments"

    return put


HERE = """open(os.path.dirname(__file__) + "/arguments", "w").write("\\n".join(sys.argv[1:]))
os.execvp("sh", ["sh", "-c", sys.argv[-1]])"""


@pytest.mark.skipif(
    shutil.which("docker") is None,
    reason="the docker command, which ssh would start, is not installed",
)
def test_an_engine_behind_ssh_is_asked_by_way_of_ssh(engine, ssh):
    arguments = ssh(HERE)
    there = Engine("ssh://me@machine:2222")
    assert there.ask("GET", "/version") == engine.ask("GET", "/version")
    told = arguments.read_text().splitlines()
    assert told[-3:] == ["--", "machine", "docker system dial-stdio"]
    assert told[told.index("-l") + 1] == "me" and told[told.index("-p") + 1] == "2222"


# -- by TLS


@pytest.fixture(scope="module")
def certificates(tmp_path_factory) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificates, is not installed")
    directory = tmp_path_factory.mktemp("certificates")
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext"
        " subjectAltName=DNS:localhost,IP:127.0.0.1"
    )
    subprocess.run(
        [*command.split(), "-keyout", directory / "key.pem", "-out", directory / "cert.pem"],
        check=True,
        capture_output=True,
    )
    shutil.copy(directory / "cert.pem", directory / "ca.pem")
    return directory


@contextlib.contextmanager
def encrypting(engine, certificates, asks_for_one=True):
    """What stands before an engine and speaks TLS, as an engine does by itself when it is told
    to."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")
    if asks_for_one:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(certificates / "ca.pem")

    def pump(source, sink):
        with contextlib.suppress(OSError, ValueError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)

    def serve():
        with contextlib.suppress(OSError):
            while True:
                plain = listener.accept()[0]
                try:
                    there = context.wrap_socket(plain, server_side=True)
                except OSError:
                    plain.close()
                    continue
                here = socket.socket(socket.AF_UNIX)
                here.connect(engine.address.removeprefix("unix://"))
                for ends in ((here, there), (there, here)):
                    threading.Thread(target=pump, args=ends, daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://localhost:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def by_tls(certificates, monkeypatch):
    monkeypatch.setenv("DOCKER_CERT_PATH", str(certificates))
    monkeypatch.setenv("DOCKER_TLS_VERIFY", "1")


def test_an_engine_is_reached_by_tls_with_certificates(engine, certificates, by_tls):
    with encrypting(engine, certificates) as host:
        there = Engine(host)
        assert there.ask("GET", "/version") == engine.ask("GET", "/version")


def echo(there, image):
    """Sends more through a container and back than buffers on the way can hold."""
    program = (
        "import sys\nwhile data := sys.stdin.buffer.read1(65536):"
        " sys.stdout.buffer.write(data); sys.stdout.buffer.flush()"
    )
    container = Container.start(there, image, ["python3", "-c", program], policy=Policy())
    try:
        assert type(container.stream) is socket.socket
        sent = os.urandom(3 << 20)
        threading.Thread(target=container.stream.sendall, args=(sent,), daemon=True).start()
        came = bytearray()
        while len(came) < len(sent):
            came += container.output.feed(container.stream.recv(1 << 16))
        assert came == sent
    finally:
        container.remove()


def test_the_stream_of_a_container_is_a_plain_socket_by_tls_too(
    engine, certificates, by_tls, image
):
    with encrypting(engine, certificates) as host:
        echo(Engine(host), image)


@pytest.mark.skipif(shutil.which("docker") is None, reason="the docker command is not installed")
def test_the_stream_of_a_container_is_a_plain_socket_by_ssh_too(ssh, image):
    ssh(HERE)
    echo(Engine("ssh://machine"), image)


def test_a_certificate_without_a_known_authority_is_told(engine, certificates, monkeypatch):
    for name in ("DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY"):
        monkeypatch.delenv(name, raising=False)
    with encrypting(engine, certificates, asks_for_one=False) as host:
        told = why(host.replace("tcp://", "https://"))
        assert "certificate" in told.lower() and "Check the certificates" in told
