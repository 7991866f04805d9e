"""How the two ends of a direct line prove to each other who they are: both know a secret, which
went by Ray's own way. No Ray in here.

driver → node    a number that nobody used before
node → driver    another, and a digest of both that only the node can make
driver → node    a digest of both that only the driver can make

Neither says the secret, and no digest is of use a second time. What follows is not encrypted, no
more than Ray's own lines are; where Ray's are, there is no direct line (ways.py).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

SIZE = 32
"""Bytes of a secret, of a number and of a digest."""


class Refused(Exception):
    """Whoever is there does not know the secret."""


def secret() -> bytes:
    return secrets.token_bytes(SIZE)


def _digest(secret: bytes, who: bytes, driver: bytes, node: bytes) -> bytes:
    return hmac.new(secret, b"fumehood line 1 " + who + driver + node, hashlib.sha256).digest()


class Driver:
    """What the driver's end says, in order."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self.hello = secrets.token_bytes(SIZE)

    def answer(self, said: bytes) -> bytes:
        """To what the node's end has said, 2·SIZE bytes. Refused if that is none."""
        node, digest = said[:SIZE], said[SIZE:]
        if not hmac.compare_digest(digest, _digest(self._secret, b"node", self.hello, node)):
            raise Refused("whoever answers is not the node")
        return _digest(self._secret, b"driver", self.hello, node)


class Node:
    """What the node's end says."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._own = secrets.token_bytes(SIZE)
        self._hello = b""

    def answer(self, hello: bytes) -> bytes:
        """To the driver's first, SIZE bytes."""
        self._hello = hello
        return self._own + _digest(self._secret, b"node", hello, self._own)

    def check(self, digest: bytes) -> None:
        """Refused if whoever has called is not the driver."""
        if not hmac.compare_digest(
            digest, _digest(self._secret, b"driver", self._hello, self._own)
        ):
            raise Refused("whoever calls is not the driver")
