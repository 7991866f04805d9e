"""Which addresses of the network a tool may reach on behalf of code: those of the public internet,
and nothing of the host's own.

The address that is really connected to is looked at, never a name or a spelling: a name may resolve
to something else the next time, and 2130706433, 0x7f.1 and ::ffff:127.0.0.1 are all the same
machine.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
import time

from fumehood.errors import ToolError
from fumehood.wire.show import one_line

# IPv4 networks that are refused, each with the reason.
REFUSED_V4 = {
    "0.0.0.0/8": "this machine, by another name",
    "10.0.0.0/8": "a private network",
    "100.64.0.0/10": "a provider's own network; some clouds tell secrets there",
    "127.0.0.0/8": "this machine",
    "168.63.129.16/32": "the host of a cloud's virtual machine",
    "169.254.0.0/16": "the local link, where clouds tell machines their secrets",
    "172.16.0.0/12": "a private network",
    "192.0.0.0/24": "kept for protocols; a cloud tells secrets there",
    "192.0.2.0/24": "kept for documentation",
    "192.88.99.0/24": "a relay into other networks",
    "192.168.0.0/16": "a private network",
    "198.18.0.0/15": "kept for measurements inside a network",
    "198.51.100.0/24": "kept for documentation",
    "203.0.113.0/24": "kept for documentation",
    "224.0.0.0/4": "many machines at once",
    "240.0.0.0/4": "reserved, broadcast included",
}

# Of IPv6 only this has been given out to the public, so all else is refused: loopback, private,
# local, multicast, unspecified, unknown.
PUBLIC_V6 = "2000::/3"
REFUSED_V6 = {
    "2001::/23": "kept for protocols; tunnels into other networks",
    "2001:db8::/32": "kept for documentation",
    "2002::/16": "a tunnel to an IPv4 address",
    "3fff::/20": "kept for documentation",
}

# IPv6 addresses that hold an IPv4 address in their last 32 bits, which is the one that is reached.
_EMBEDDING = tuple(map(ipaddress.IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96")))

_V4 = [(ipaddress.IPv4Network(network), reason) for network, reason in REFUSED_V4.items()]
_V6 = [(ipaddress.IPv6Network(network), reason) for network, reason in REFUSED_V6.items()]
_PUBLIC = ipaddress.IPv6Network(PUBLIC_V6)


def why_refused(address: str) -> str | None:
    """What an address is that a tool must not reach; None for one of the public internet."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "no address"
    if isinstance(found, ipaddress.IPv6Address):
        if any(found in network for network in _EMBEDDING):
            found = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        elif found not in _PUBLIC:
            return "this machine" if found.is_loopback else "no address of the public internet"
        else:
            return next((reason for network, reason in _V6 if found in network), None)
    return next((reason for network, reason in _V4 if found in network), None)


def addresses_of(host: str, port: int, deadline: float, *, allow_private: bool) -> list[str]:
    """The addresses that a name has now. Raises ToolError if there are none, or if any of them must
    not be reached."""
    found = _resolve(host, port, deadline)
    if not allow_private:
        for address in found:
            check(host, address)
    return found


def check(host: str, address: str) -> None:
    why = why_refused(address)
    if why is not None:
        at = "" if host == address else f" is {one_line(address, 60)},"
        raise ToolError(
            f"{one_line(host, 100)}{at or ' is'} {why}: only the public internet can be visited"
        )


def _resolve(host: str, port: int, deadline: float) -> list[str]:
    """Asked in a thread of its own: the system's resolver takes as long as it likes."""
    outcome: list[list[str] | Exception] = []

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            outcome.append([*dict.fromkeys(str(row[4][0]) for row in rows)])
        except (OSError, UnicodeError, ValueError) as error:
            outcome.append(error)

    thread = threading.Thread(target=ask, name="fumehood-resolve", daemon=True)
    thread.start()
    thread.join(max(deadline - time.monotonic(), 0.0))
    if not outcome:
        raise ToolError(
            f"{one_line(host, 100)} was not found in time: no name server answers; try again, or go"
            " on without"
        )
    if isinstance(outcome[0], Exception) or not outcome[0]:
        raise ToolError(
            f"{one_line(host, 100)} was not found; is the name right, and is there a network?"
        )
    return outcome[0]
