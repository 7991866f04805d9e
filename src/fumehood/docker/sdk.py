"""The `docker` package, held to our connections. Imported only where it is needed: it takes a tenth
of a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fumehood.errors import DockerFailed, DockerUnavailable, MissingExtra

if TYPE_CHECKING:
    from docker import APIClient

    from fumehood.docker.engine import Engine

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

    from fumehood.docker.dialing import dial

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

    from fumehood.docker.engine import one_line

    if isinstance(error, DockerFailed):
        return error
    if isinstance(error, docker.errors.APIError):
        return DockerFailed(one_line(error.explanation or error), status=error.status_code)
    if isinstance(error, requests.exceptions.RequestException):
        return DockerUnavailable(f"the Docker engine stopped answering: {one_line(error)}")
    return DockerFailed(one_line(error))
