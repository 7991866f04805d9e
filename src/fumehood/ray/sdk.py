"""The `ray` package, imported where it is needed; connecting to a cluster, in bounded time; what it
raises as errors of ours."""

from __future__ import annotations

import os
import socket
import threading
from importlib import import_module
from typing import Any

from fumehood.errors import MissingExtra, PolicyError, RayUnavailable

ADDRESS = "RAY_ADDRESS"
_LONGEST = 400
_PROBE_SECONDS = 5.0
# What a client of HTTP/2, and so of gRPC, says first; a server answers with its settings.
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
_SETTINGS = 4
_CLIENT = "ray://"

_connecting = threading.Lock()
_used_by: int | None = None
"""The process that has used the package."""


def module() -> Any:
    """The package. MissingExtra if it is not installed. RayUnavailable in a fork of a process that
    has used it: threads that it relies on are not there, and a call would never end."""
    global _used_by
    if _used_by not in (None, os.getpid()):
        raise RayUnavailable(
            "Ray does not work in a process that was forked from one that has used it; start that"
            " process anew (spawn)"
        )
    try:
        import ray
    except ImportError as error:
        missing = "" if error.name == "ray" else f" ({error})"
        raise MissingExtra(
            f"RayExecutor needs the package ray: pip install 'fumehood[ray]'{missing}"
        ) from None
    _used_by = os.getpid()
    return ray


def connect(address: str | None, namespace: str | None) -> Any:
    """The package, connected to a cluster: to the one that this process is connected to already,
    else to the one at `address`. Without an address it is the one that RAY_ADDRESS names or that
    runs on this machine; if there is none, Ray starts one here. RayUnavailable, soon, if nobody
    answers there."""
    if address is not None and not (isinstance(address, str) and address):
        raise PolicyError(
            "address must be a string such as '10.0.0.1:6379', 'auto' or 'ray://10.0.0.1:10001',"
            f" not {address!r}"
        )
    ray = module()
    with _connecting:
        if ray.is_initialized():
            _see_if_same(ray, address)
            return ray
        meant = _meant(address)
        if meant is not None and meant.startswith(_CLIENT) and _parts(meant) is None:
            raise PolicyError(
                f"an address that begins with {_CLIENT} has a port, as in {meant}:10001; {meant!r}"
                " has none"
            )
        _probe(meant)
        _see_if_client(meant)
        try:
            ray.init(
                address=address,
                namespace=namespace,
                log_to_driver=False,
                logging_level="WARNING",
                include_dashboard=None,
            )
        except Exception as error:
            raise RayUnavailable(
                f"no Ray cluster at {address or 'this machine'}: {one_line(error)}"
            ) from None
    return ray


def connected() -> Any:
    """The package, if this process is connected to a cluster. RayUnavailable if it is not any
    more."""
    ray = module()
    if not ray.is_initialized():
        raise RayUnavailable(
            "this process is not connected to a Ray cluster any more; make a new executor"
        )
    return ray


def plain(function: Any) -> Any:
    """A function of the package that connects to nothing by itself: whoever has ended the
    connection must not find another in its place, made by a thread of ours that was about to ask
    something. By a proxy there is nothing to be left out: what is around a function is what asks
    the proxy."""
    return function if is_by_a_proxy() else getattr(function, "__wrapped__", function)


def is_by_a_proxy() -> bool:
    """Whether this process is connected by Ray Client, by way of a process of the cluster's: then
    nodes may be out of its reach."""
    from ray.util.client import ray as client

    return bool(client.is_connected())


def unheld_processors() -> dict[str, float]:
    """How many processors of each node no task and no actor holds, by the nodes' ids, as Ray knew
    it a moment ago. Empty where that cannot be known: a proxy does not tell, and Ray has it for
    developers only, who may find it gone one day."""
    try:
        from ray._private.state import available_resources_per_node

        rows = {} if is_by_a_proxy() else available_resources_per_node()
        return {str(node_id): float(row.get("CPU", 0.0)) for node_id, row in rows.items()}
    except Exception:  # whatever keeps it from saying so, sandboxes can be started
        return {}


def _see_if_same(ray: Any, address: str | None) -> None:
    if (
        address is None
        or address in ("auto", "local")
        or address.startswith(_CLIENT)
        or is_by_a_proxy()
    ):
        return
    known: str = ray.get_runtime_context().gcs_address
    asked, has = _parts(address), _parts(known)
    if (
        asked is None
        or has is None
        or asked[1] != has[1]
        or not _addresses(asked[0]) & (_addresses(has[0]) | {has[0]})
    ):
        raise PolicyError(
            f"this process is connected to the Ray cluster at {known}, and to no other at the same"
            " time; leave address out"
        )


def _addresses(host: str) -> set[str]:
    """What a name may stand for. Ray calls this machine by the address that others know it by."""
    try:
        found = {str(row[4][0]) for row in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    except OSError:
        return {host}
    if any(address.startswith("127.") or address == "::1" for address in found):
        from ray.util import get_node_ip_address

        found.add(get_node_ip_address())
    return found


def _parts(address: str) -> tuple[str, int] | None:
    host, colon, port = address.removeprefix(_CLIENT).partition("?")[0].rpartition(":")
    return (host.strip("[]"), int(port)) if colon and host and port.isdigit() else None


def _meant(address: str | None) -> str | None:
    """Where Ray would go: to the address, or to that in its environment, or to the last cluster of
    this machine, of which it keeps a file when that is long gone. None if it would start a
    cluster."""
    known = address or os.environ.get(ADDRESS)
    if known not in (None, "auto"):
        return known
    try:
        from ray._private.services import canonicalize_bootstrap_address

        found: str | None = canonicalize_bootstrap_address(known)
    except Exception:  # not a thing that Ray promises to have
        return known
    return found


def _see_if_client(address: str | None) -> None:
    """MissingExtra for an address of Ray Client's, where that is not installed: Ray itself says so
    in a paragraph."""
    if address is not None and address.startswith(_CLIENT):
        try:
            import_module("grpc")
        except ImportError:
            raise MissingExtra(
                f"an address that begins with {_CLIENT} needs Ray Client: pip install"
                " 'fumehood[ray]'"
            ) from None


def _probe(address: str | None) -> None:
    """See whether somebody answers there: Ray itself would try for minutes."""
    parts = _parts(address) if address else None
    if parts is None:
        return  # Ray knows, or says soon that it does not
    advice = "is the cluster up, and is the address right?"
    try:
        with socket.create_connection(parts, _PROBE_SECONDS) as line:
            if os.environ.get("RAY_USE_TLS", "0") not in ("0", ""):
                return
            line.settimeout(_PROBE_SECONDS)
            line.sendall(_PREFACE)
            answer = line.recv(9)
    except OSError as error:
        raise RayUnavailable(
            f"nobody answers at {address}, where a Ray cluster should be: {one_line(error)};"
            f" {advice}"
        ) from None
    if len(answer) < 4 or answer[3] != _SETTINGS:
        raise RayUnavailable(f"whoever answers at {address} is no Ray cluster; {advice}")


def why_dead(error: Exception) -> str:
    """In one line, what Ray says of an actor that is dead. It says much, and what matters last:
    what was raised while it was made, or how its process ended."""
    said = str(error).strip()
    if "creation task" in said:
        said = said.splitlines()[-1]
    return one_line(said.partition("Some common causes")[0].rpartition("Worker exit detail:")[2])


def one_line(error: object) -> str:
    """An error's text, as much as a line holds of it. Ray says much."""
    text = " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())
    return (text if len(text) <= _LONGEST else text[:_LONGEST] + "…") or type(error).__name__
