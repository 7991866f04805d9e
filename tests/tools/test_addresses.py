"""Which addresses a tool may reach on behalf of code."""

from __future__ import annotations

import socket
import time
from ipaddress import ip_network
from typing import Any

import pytest

from fumehood.errors import ToolError
from fumehood.tools.addresses import REFUSED_V4, REFUSED_V6, addresses_of, why_refused


@pytest.mark.parametrize("network", [*REFUSED_V4, *REFUSED_V6])
def test_every_network_of_the_tables_is_refused_from_its_first_address_to_its_last(
    network: str,
) -> None:
    reason = (REFUSED_V4 | REFUSED_V6)[network]
    found = ip_network(network)
    assert why_refused(str(found[0])) == reason
    assert why_refused(str(found[-1])) == reason


@pytest.mark.parametrize(
    "address",
    "8.8.8.8 1.1.1.1 93.184.215.14 9.255.255.255 11.0.0.0 126.255.255.255 128.0.0.0 169.253.255.255"
    " 169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 223.255.255.255"
    " 2606:4700:4700::1111 2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::808:808".split(),
)
def test_addresses_of_the_public_internet_are_reached(address: str) -> None:
    assert why_refused(address) is None


@pytest.mark.parametrize(
    "address",
    "none ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1 fec0::1 ::127.0.0.1"
    " ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::a00:1 64:ff9b:1::1 100::1 4000::1"
    " 2002:7f00:1:: 2001:0:7f00::1 not-an-address 127.1 2130706433".split(),
)
def test_whatever_else_there_is_is_not(address: str) -> None:
    assert why_refused(address)


def test_a_name_with_one_address_that_must_not_be_reached_is_refused_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80))
        for address in ("8.8.8.8", "10.0.0.7")
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: rows)
    with pytest.raises(
        ToolError, match=r"example\.com is 10\.0\.0\.7, a private network: only the public internet"
    ):
        addresses_of("example.com", 80, time.monotonic() + 5, allow_private=False)
    assert addresses_of("example.com", 80, time.monotonic() + 5, allow_private=True) == [
        "8.8.8.8",
        "10.0.0.7",
    ]


def test_a_resolver_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: time.sleep(2) or [])
    with pytest.raises(ToolError, match="was not found in time"):
        addresses_of("example.com", 80, time.monotonic() + 0.05, allow_private=False)


# -- what is really connected to


class _Stream:
    def __init__(self, address: str) -> None:
        self.address = address
        self.is_closed = False

    def get_extra_info(self, info: str) -> Any:
        return (self.address, 80) if info == "server_addr" else None

    def close(self) -> None:
        self.is_closed = True


class _Backend:
    """Connects to whatever it likes, whatever it was told."""

    def __init__(self, peer: str) -> None:
        self.stream = _Stream(peer)
        self.asked: list[str] = []

    def connect_tcp(self, host: str, port: int, **options: Any) -> _Stream:
        self.asked.append(host)
        return self.stream


def test_the_address_that_was_looked_at_is_the_one_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name that changes between the look and the connection gains nothing: it is resolved
    once."""
    pytest.importorskip("httpcore")
    from fumehood.tools.fetching import _Network

    answers = iter(["8.8.8.8", "127.0.0.1"])
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *args, **kwargs: [(0, 0, 0, "", (next(answers), 80))]
    )
    backend = _Backend("8.8.8.8")
    _Network(backend, time.monotonic() + 5, allow_private=False).connect_tcp("example.com", 80)
    assert backend.asked == ["8.8.8.8"]


def test_a_connection_that_ends_up_elsewhere_is_closed_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("httpcore")
    from fumehood.tools.fetching import _Network

    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *args, **kwargs: [(0, 0, 0, "", ("8.8.8.8", 80))]
    )
    backend = _Backend("127.0.0.1")
    with pytest.raises(ToolError, match="this machine"):
        _Network(backend, time.monotonic() + 5, allow_private=False).connect_tcp("example.com", 80)
    assert backend.stream.is_closed
