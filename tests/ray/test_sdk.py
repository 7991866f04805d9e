"""Ray's package: not installed, not reachable, not what was asked for."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from fumehood import MissingExtra, PolicyError, RayExecutor, RayUnavailable
from fumehood.ray import sdk


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as made:
        yield made


def _address(listening: socket.socket) -> str:
    return f"127.0.0.1:{listening.getsockname()[1]}"


def test_without_ray_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(
        MissingExtra, match=r"^RayExecutor needs the package ray: pip install 'fumehood\[ray\]'$"
    ):
        RayExecutor()


def test_importing_fumehood_imports_no_ray() -> None:
    program = "import sys, fumehood.executors.ray, fumehood.ray.host; print('ray' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )


@pytest.mark.usefixtures("nobody_is_connected")
@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_where_nobody_listens_one_line_says_so(listening: socket.socket, scheme: str) -> None:
    address = scheme + _address(listening)
    listening.close()
    with pytest.raises(
        RayUnavailable,
        match=rf"^nobody answers at {address}, where a Ray cluster should be: .*refused.*right\?$",
    ):
        RayExecutor(address=address)


@pytest.mark.usefixtures("nobody_is_connected")
def test_somebody_else_is_not_taken_for_a_cluster(listening: socket.socket) -> None:
    def answer() -> None:
        caller, _address = listening.accept()
        with caller:
            caller.recv(100)
            caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    threading.Thread(target=answer, daemon=True).start()
    with pytest.raises(RayUnavailable, match=r"is no Ray cluster; is the cluster up"):
        RayExecutor(address=_address(listening))


@pytest.mark.usefixtures("nobody_is_connected")
def test_one_who_never_answers_is_not_waited_for(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray itself would try for minutes."""
    monkeypatch.setattr(sdk, "_PROBE_SECONDS", 0.1)
    with pytest.raises(RayUnavailable, match=r"nobody answers at .*timed out"):
        RayExecutor(address=_address(listening))


@pytest.mark.usefixtures("nobody_is_connected")
def test_an_address_of_ray_client_s_without_a_port_is_refused_at_once() -> None:
    """Ray itself would try for half a minute."""
    with pytest.raises(
        PolicyError,
        match=(
            r"^an address that begins with ray:// has a port, as in ray://head:10001; 'ray://head'"
            r" has none$"
        ),
    ):
        RayExecutor(address="ray://head")


@pytest.mark.parametrize("address", ["", 7, b"127.0.0.1:6379"])
def test_what_is_no_address_is_refused(address: object) -> None:
    with pytest.raises(PolicyError, match="address must be a string such as"):
        RayExecutor(address=address)  # type: ignore[arg-type]


def test_a_fork_of_a_process_that_has_used_ray_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sdk, "_used_by", 1)
    with pytest.raises(RayUnavailable, match="forked"):
        RayExecutor()
