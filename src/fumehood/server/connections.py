"""Connections of clients: how many there are, from where, and whose they are.

A connection belongs to a key from the moment it shows one, and counts as one of the key's
descriptors until it ends. Connections that have not shown a key have a number of their own; one
more closes the oldest of them, so that they cannot keep others out.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import MutableMapping
from typing import Any

from fumehood.server.keys import Key
from fumehood.server.refusals import Busy, Closing, Refusal
from fumehood.server.settings import Settings
from fumehood.server.shares import Shares

Client = tuple[str, int]


class Connections:
    """All of them, by the client's address and port."""

    def __init__(self, settings: Settings, shares: Shares) -> None:
        self._settings = settings
        self._descriptors = shares.descriptors
        self.most_without_key = max(1, min(shares.reserved // 2, settings.connections))
        self._without_key: OrderedDict[Client, asyncio.BaseTransport] = OrderedDict()
        self._keys: dict[Client, Key] = {}
        self._per_address: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._per_address.total()

    def made(self, client: Client | None, transport: asyncio.BaseTransport) -> Refusal | None:
        """A connection was made. Gives why it may not be, if so; it counts until it ends."""
        client = client or ("", 0)
        self._per_address[client[0]] += 1
        if len(self) > self._settings.connections:
            return Closing("the server has all the connections that it may have")
        if self._per_address[client[0]] > self._settings.connections_per_address:
            return Busy("there are too many connections from this address")
        self._without_key[client] = transport
        if len(self._without_key) > self.most_without_key:
            _, oldest = self._without_key.popitem(last=False)
            oldest.close()
        return None

    def lost(self, client: Client | None) -> None:
        client = client or ("", 0)
        self._per_address[client[0]] -= 1
        if self._per_address[client[0]] <= 0:
            del self._per_address[client[0]]
        self._without_key.pop(client, None)
        key = self._keys.pop(client, None)
        if key is not None:
            self._descriptors.give_back(key)

    def belongs_to(self, scope: MutableMapping[str, Any], key: Key) -> None:
        """A request of this key came by a connection. Busy if the key may have no more of them."""
        client = tuple(scope.get("client") or ("", 0))
        before = self._keys.get(client)
        if before is key or before is None and client not in self._without_key:
            return  # known already, or not a connection of ours: another server runs the app
        self._descriptors.take(key)
        if before is not None:
            self._descriptors.give_back(before)
        self._without_key.pop(client, None)
        self._keys[client] = key
