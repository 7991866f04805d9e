"""An encrypted connection as a plain socket: whoever has that can wait for it with others and give
its number away."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import threading

_CHUNK = 1 << 16
_MOST_HELD = 1 << 20


def plain(encrypted: ssl.SSLSocket) -> socket.socket:
    """A socket that gives what the other gives and takes what it takes, until either ends."""
    ours, theirs = socket.socketpair()
    threading.Thread(
        target=_relay, args=(encrypted, ours), name="fumehood-relay", daemon=True
    ).start()
    return theirs


def _relay(encrypted: ssl.SSLSocket, local: socket.socket) -> None:
    """One thread for both directions: a TLS connection is not for two."""
    with contextlib.suppress(OSError), encrypted, local:
        encrypted.setblocking(False)
        local.setblocking(False)
        inward, outward = bytearray(), bytearray()
        is_over = False
        poll = select.poll()
        while not (is_over and not inward):
            wants_read, wants_write = len(inward) < _MOST_HELD and not is_over, False
            if wants_read:
                try:
                    data = encrypted.recv(_CHUNK)
                    inward += data
                    is_over = not data
                except ssl.SSLWantReadError:
                    pass
                except ssl.SSLWantWriteError:
                    wants_write = True
                except OSError:
                    is_over = True
            if outward and not is_over:
                try:
                    del outward[: encrypted.send(outward)]
                except ssl.SSLWantReadError:
                    wants_read = True
                except ssl.SSLWantWriteError:
                    wants_write = True
            with contextlib.suppress(BlockingIOError):
                if inward:
                    del inward[: local.send(inward)]
            if (is_over and not inward) or (
                wants_read and encrypted.pending() and len(inward) < _MOST_HELD
            ):
                continue
            poll.register(
                encrypted,
                (select.POLLIN if wants_read and not is_over else 0)
                | (select.POLLOUT if wants_write else 0),
            )
            room = len(outward) < _MOST_HELD and not is_over
            poll.register(local, (select.POLLIN if room else 0) | (select.POLLOUT if inward else 0))
            for fd, event in poll.poll():
                if fd == local.fileno() and event & (
                    select.POLLIN | select.POLLHUP | select.POLLERR
                ):
                    data = local.recv(_CHUNK) if event & select.POLLIN else b""
                    if not data:
                        return
                    outward += data
