"""Where an engine is looked for."""

from __future__ import annotations

import hashlib
import json

import pytest

from fumehood.docker.engine import USUAL_SOCKET, Engine
from fumehood.errors import PolicyError


@pytest.fixture
def configuration(tmp_path):
    """Writes what the docker command keeps of a context, and gives the environment in which it is
    current."""

    def write(name="far", endpoint=None, tls=()):
        digest = hashlib.sha256(name.encode()).hexdigest()
        meta = tmp_path / "contexts" / "meta" / digest
        meta.mkdir(parents=True)
        (meta / "meta.json").write_text(
            json.dumps({"Name": name, "Metadata": {}, "Endpoints": {"docker": endpoint}})
        )
        for file in tls:
            directory = tmp_path / "contexts" / "tls" / digest / "docker"
            directory.mkdir(parents=True, exist_ok=True)
            (directory / file).write_text("a certificate")
        (tmp_path / "config.json").write_text(json.dumps({"currentContext": name}))
        return {"DOCKER_CONFIG": str(tmp_path)}

    return write


@pytest.fixture
def environ(monkeypatch, tmp_path):
    """Sets the variables that an address is taken from, and no others."""

    def put(**variables):
        for name in ("HOST", "CONTEXT", "CERT_PATH", "TLS_VERIFY"):
            monkeypatch.delenv(f"DOCKER_{name}", raising=False)
        for name, value in {"DOCKER_CONFIG": str(tmp_path), **variables}.items():
            monkeypatch.setenv(name, value)

    put()
    return put


def test_without_an_address_it_is_the_usual_socket(environ):
    assert (Engine().address, Engine().is_local) == (f"unix://{USUAL_SOCKET}", True)


@pytest.mark.parametrize(
    "text",
    [
        "unix:///run/user/1000/docker.sock", "http://machine:99", "tcp://[::1]:2375",
        "ssh://me@machine", "ssh://machine:2222",
    ],
)  # fmt: skip
def test_addresses_are_read_as_the_docker_command_writes_them(text, environ):
    assert Engine(text).address == text
    environ(DOCKER_HOST=text)
    assert Engine().address == text


@pytest.mark.parametrize(
    "text",
    [
        "machine:2375", "tcp://", "tcp://machine", "tcp://machine:port", "ftp://machine", "",
        "ssh://user:secret@machine", "fd://", "tcp://machine:99999", 7, "unix:///a\0b",
    ],
)  # fmt: skip
def test_what_is_no_address_is_told_in_one_line(text, environ):
    with pytest.raises(PolicyError, match="is not the address of a Docker engine") as refused:
        Engine(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("endpoint", [None, [], {"Host": 7}])
def test_a_context_that_cannot_be_read_is_told(configuration, environ, endpoint):
    environ(**configuration(endpoint=endpoint))
    with pytest.raises(PolicyError, match="is not the address of a Docker engine"):
        Engine()


def test_a_context_that_does_not_exist_is_told(environ):
    environ(DOCKER_CONTEXT="elsewhere")
    with pytest.raises(PolicyError, match="the docker context 'elsewhere' does not exist"):
        Engine()


def test_the_certificates_of_a_context_are_used(configuration, environ):
    environ(
        **configuration(
            endpoint={"Host": "tcp://c:2376", "SkipTLSVerify": False},
            tls=("ca.pem", "cert.pem", "key.pem"),
        )
    )
    found = Engine()
    assert found.address == "tcp://c:2376" and found._tls.verify
    assert found._tls.ca_cert.endswith("ca.pem") and len(found._tls.cert) == 2
