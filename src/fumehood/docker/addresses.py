"""Where an engine is: what the caller says, else DOCKER_HOST, else the current docker context, else
the usual socket."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fumehood.errors import PolicyError

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
