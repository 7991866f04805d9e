"""Nodes of a Ray cluster: the driver's links to the workshops there, and the part of a node's actor that has them (ray/host.py).

What travels are numbers and parcels, as bytes; a call carries a batch of them there, and its answer what was done meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from typing import Any

from fumehood.errors import NodeLost, RayFailed
from fumehood.fleet.links import Link
from fumehood.fleet.workshop import Done, Workshop
from fumehood.policy import Policy
from fumehood.ray import sdk
from fumehood.ray.cluster import Cluster
from fumehood.ray.nodes import Node

PART = f"{__name__}:Workshops"
_OPEN_SECONDS = 60.0
"""How long an actor may take to start, with its first sandboxes."""
_MOMENT = 0.2
"""Who is there already does not wait longer than that for who is not."""
_REST = 5.0
"""A node on which no workshop could be opened is tried again after so many seconds."""


_MOST_THREADS = 64
"""Of all fleets on a node; each has two that wait, and a third when something is dropped."""


class Workshops:
    """In a node's actor: the workshops there, one for each fleet of the driver's. They end with the actor, as all of it does."""

    def __init__(self) -> None:
        self._open: dict[str, Workshop] = {}
        self._threads = ThreadPoolExecutor(_MOST_THREADS, "fumehood-fleet")

    async def open(self, fleet: str, policy: dict[str, Any], slots: int, setup: str | None) -> None:
        made = await self._in_thread(Workshop, Policy.from_fields(policy), slots, setup)
        try:
            await self._in_thread(made.rehearse)
        except BaseException:
            await self._in_thread(made.close)
            raise
        self._open[fleet] = made

    async def exchange(self, fleet: str, items: Sequence[tuple[int, bytes]], linger: float, low: int) -> list[tuple[Any, ...]]:
        workshop = self._open[fleet]
        return [astuple(done) for done in await self._in_thread(workshop.exchange, items, linger, low)]

    async def drop(self, fleet: str, numbers: Sequence[int]) -> None:
        await self._in_thread(self._open[fleet].drop, numbers)

    async def close(self, fleet: str) -> None:
        workshop = self._open.pop(fleet, None)
        if workshop is not None:
            await self._in_thread(workshop.close)

    async def _in_thread(self, work: Callable[..., Any], *args: object) -> Any:
        """Not one of the loop's own threads: those of a small machine are few, and an exchange waits in one."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)


class RayLink:
    part = PART

    def __init__(self, node: Node, fleet: str, slots: int) -> None:
        self.name, self.address, self.slots = node.name, node.address, slots
        self.node = node
        self._fleet = fleet
        self._host: Any = None
        self.has = 0
        """Items that are there."""

    async def open(self, policy: Policy, setup: str | None) -> None:
        self._host = await asyncio.to_thread(lambda: self.node.host)
        await asyncio.wait_for(self._ask("open", policy.as_fields(), self.slots, setup), _OPEN_SECONDS)

    async def exchange(self, items: Sequence[tuple[int, bytes]], linger: float, low: int) -> list[Done]:
        self.has += len(items)
        done = [Done(*row) for row in await self._ask("exchange", list(items), linger, low)]
        self.has -= len(done)
        return done

    async def drop(self, numbers: Sequence[int]) -> None:
        self.has -= len(numbers)
        await self._ask("drop", list(numbers))

    async def close(self) -> None:
        await self._ask("close")

    async def _ask(self, method: str, *args: object) -> Any:
        try:
            return await self._host.ask.remote(self.part, method, self._fleet, *args)
        except sdk.module().exceptions.RayTaskError as error:
            raise RayFailed(sdk.one_line(error.cause or error)) from None
        except Exception as error:  # the actor, its node or the whole cluster
            raise NodeLost(sdk.why_dead(error)) from None


class RayPlaces:
    """The nodes of a cluster, each with a workshop of this fleet's. RayUnavailable if there is no cluster."""

    def __init__(
        self, address: str | None, policy: Policy, per_node: int | None, setup: str | None, resources: Mapping[str, float] | None
    ) -> None:
        self._cluster = Cluster.shared(address, resources=resources) if resources else Cluster.shared(address)
        self._policy, self._per_node, self._setup = policy, per_node, setup
        self._fleet = secrets.token_hex(8)
        self._links: dict[str, RayLink] = {}
        self._opening: dict[str, asyncio.Task[None]] = {}
        self._rest: dict[str, float] = {}
        self._trouble: Exception | None = None

    async def links(self) -> Sequence[Link]:
        nodes = {node.id: node for node in self._cluster.nodes()}
        for gone in self._links.keys() - nodes.keys():
            del self._links[gone]
        for node in nodes.values():
            if node.id not in self._links and node.id not in self._opening and time.monotonic() >= self._rest.get(node.id, 0):
                self._opening[node.id] = asyncio.create_task(self._open(node))
        if self._opening:
            await asyncio.wait(self._opening.values(), timeout=_MOMENT)
        if not self._links and not self._opening and self._trouble is not None:
            raise self._trouble
        return list(self._links.values())

    async def _open(self, node: Node) -> None:
        link = RayLink(node, self._fleet, self._per_node or max(int(node.cpus), 1))
        try:
            await link.open(self._policy, self._setup)
        except Exception as error:
            self._trouble = error
            self._rest[node.id] = time.monotonic() + _REST
        else:
            self._links[node.id] = link
            node.add_load(lambda: min(link.has, link.slots))
        finally:
            del self._opening[node.id]

    def lost(self, link: Link) -> None:
        """Its actor may be gone and its node not; then there is a new actor."""
        assert isinstance(link, RayLink)
        link.has = 0
        if self._links.get(link.node.id) is link:
            del self._links[link.node.id]
        link.node._doubt(link._host)

    async def close(self) -> None:
        for task in self._opening.values():
            task.cancel()
        with contextlib.suppress(Exception):
            await asyncio.gather(*self._opening.values(), return_exceptions=True)
