"""Where an engine is looked for."""

from __future__ import annotations

import hashlib
import json

import pytest

from fumehood.docker.engine import USUAL_SOCKET, find
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


def test_with_nothing_said_it_is_the_usual_socket(tmp_path):
    found = find(None, {"DOCKER_CONFIG": str(tmp_path)})
    assert (found.scheme, found.path, found.is_local, str(found)) == (
        "unix",
        USUAL_SOCKET,
        True,
        f"unix://{USUAL_SOCKET}",
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("unix:///run/user/1000/docker.sock", "unix:///run/user/1000/docker.sock"),
        ("unix://", f"unix://{USUAL_SOCKET}"),
        ("tcp://machine", "tcp://machine:2375"),
        ("http://machine:99", "tcp://machine:99"),
        ("https://machine", "tcp://machine:2376"),
        ("tcp://[::1]:2375", "tcp://[::1]:2375"),
        ("ssh://me@machine", "ssh://me@machine:22"),
        ("ssh://machine:2222", "ssh://machine:2222"),
    ],
)
def test_addresses_are_read_as_the_docker_command_writes_them(text, told):
    assert str(find(text, {})) == told


@pytest.mark.parametrize(
    "text",
    [
        "machine:2375", "npipe:////./pipe/docker", "tcp://", "tcp://machine:port", "ftp://machine", "", "tcp://machine/path",
        "ssh://user:secret@machine", "ssh://-oProxyCommand=evil", "ssh://-l@machine", "fd://", "tcp://machine:99999", 7, "unix:///a\0b",
    ],
)  # fmt: skip
def test_what_is_no_address_is_told_in_one_line(text):
    with pytest.raises(
        PolicyError, match="is no address of a Docker engine; write for example"
    ) as refused:
        find(text, {})
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("endpoint", [None, [], {"Host": 7}])
def test_a_context_that_cannot_be_read_is_told(configuration, endpoint):
    with pytest.raises(PolicyError, match="the docker context 'far'"):
        find(None, configuration(endpoint=endpoint))


def test_the_certificates_of_a_context_are_used(configuration):
    found = find(
        None,
        configuration(
            endpoint={"Host": "tcp://c:2376", "SkipTLSVerify": False},
            tls=("ca.pem", "cert.pem", "key.pem"),
        ),
    )
    assert found.scheme == "tls"
    assert found.certificates is not None and found.certificates.verify
    assert [
        name
        for name in (found.certificates.ca, found.certificates.cert, found.certificates.key)
        if name is None
    ] == []
