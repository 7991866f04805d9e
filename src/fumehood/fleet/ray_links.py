"""Nodes of a Ray cluster: the driver's links to the workshops there, and the part of a node's actor
that has them (ray/host.py).

What travels are numbers and parcels, as bytes; a call carries a batch of them there, and its answer
what was done meanwhile.
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

from fumehood.errors import (
    CodeRaised,
    CodeRefused,
    JailUnavailable,
    LimitReached,
    NodeLost,
    PolicyError,
    RayFailed,
    RayUnavailable,
)
from fumehood.fleet.links import Link
from fumehood.fleet.workshop import Done, Workshop
from fumehood.policy import Policy
from fumehood.ray import sdk
from fumehood.ray.cluster import Cluster, Node

PART = f"{__name__}:Workshops"
_FOR_GOOD = (PolicyError, CodeRaised, CodeRefused, LimitReached, JailUnavailable)
"""What keeps a node from having sandboxes of a fleet's, now and later: a module that it does not
have, a setup that fails, no jail."""
_OPEN_SECONDS = 60.0
"""How long an actor may take to start, with its first sandboxes."""
_MOMENT = 0.2
"""Who is there already does not wait longer than that for who is not."""
_REST = 5.0
"""A node on which no workshop could be opened is tried again after so many seconds."""


_MOST_THREADS = 64
"""Of all fleets on a node; each has two that wait, and a third when something is dropped."""


class Workshops:
    """In a node's actor: the workshops there, one for each fleet of the driver's. They end with the
    actor, as all of it does."""

    def __init__(self) -> None:
        self._open: dict[str, Workshop] = {}
        self._threads = ThreadPoolExecutor(_MOST_THREADS, "fumehood-fleet")

    async def open(self, fleet: str, policy: dict[str, Any], slots: int, setup: str | None) -> str:
        """Gives in one line why there is none, if that would be the same another time; what might
        not be is raised."""
        made: Workshop | None = None
        try:
            asked = Policy.from_fields(policy)
            asked.verify_mounts()
            asked.verify_installed()
            made = await self._in_thread(Workshop, asked, slots, setup)
            await self._in_thread(made.rehearse)
        except BaseException as error:
            if made is not None:
                await self._in_thread(made.close)
            if isinstance(error, _FOR_GOOD):
                return sdk.one_line(error)
            raise
        self._open[fleet] = made
        return ""

    async def exchange(
        self, fleet: str, items: Sequence[tuple[int, bytes]], linger: float, low: int, at_once: int
    ) -> list[tuple[Any, ...]]:
        workshop = self._open[fleet]
        return [
            astuple(done)
            for done in await self._in_thread(workshop.exchange, items, linger, low, at_once)
        ]

    async def drop(self, fleet: str, numbers: Sequence[int]) -> None:
        await self._in_thread(self._open[fleet].drop, numbers)

    async def close(self, fleet: str) -> None:
        workshop = self._open.pop(fleet, None)
        if workshop is not None:
            await self._in_thread(workshop.close)

    async def _in_thread(self, work: Callable[..., Any], *args: object) -> Any:
        """Not one of the loop's own threads: those of a small machine are few, and an exchange
        waits in one."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)


class RayLink:
    part = PART

    def __init__(self, node: Node, fleet: str, slots: int) -> None:
        self.name, self.address, self.slots = node.name, node.address, slots
        self.node = node
        self._fleet = fleet
        self._host: Any = None
        self._has: set[int] = set()
        """The numbers of items that are there. Numbers, not a count of them: one that is dropped
        may have been done already."""
        self._forget_load: Callable[[], None] = lambda: None

    @property
    def load(self) -> float:
        """Processors that its items may be using."""
        return min(len(self._has), self.slots)

    @property
    def room(self) -> float:
        """All slots, where there are processors enough for them; where there are fewer, slots
        shrink as processors do."""
        cpus = self.node.cpus
        return (
            min((cpus - self.node.taken) * max(self.slots / cpus, 1.0), self.slots)
            if cpus
            else self.slots
        )

    @property
    def beside(self) -> float:
        return max(self.node.load - self.load, 0.0)

    async def open(self, policy: Policy, setup: str | None) -> None:
        """RayUnavailable if the node will not have sandboxes of the fleet's."""
        self._host = await asyncio.to_thread(lambda: self.node.host)
        refusal = await asyncio.wait_for(
            self._ask("open", policy.as_fields(), self.slots, setup), _OPEN_SECONDS
        )
        if refusal:
            raise RayUnavailable(
                f"no node of the Ray cluster can be used: {self.name} says: {refusal}"
            )
        self._forget_load = self.node.add_load(lambda: self.load)

    async def exchange(
        self, items: Sequence[tuple[int, bytes]], linger: float, low: int, at_once: int
    ) -> list[Done]:
        self._has.update(number for number, _parcel in items)
        done = [
            Done(*row) for row in await self._ask("exchange", list(items), linger, low, at_once)
        ]
        self._has.difference_update(one.number for one in done)
        return done

    async def drop(self, numbers: Sequence[int]) -> None:
        self._has.difference_update(numbers)
        await self._ask("drop", list(numbers))

    def leave(self) -> None:
        """What it had keeps the node busy no more."""
        self._forget_load()

    async def close(self) -> None:
        await self._ask("close")

    def doubt(self) -> None:
        """It does not work: its node is told."""
        self.node.doubt(self._host)

    async def _ask(self, method: str, *args: object) -> Any:
        try:
            return await self._host.ask.remote(self.part, method, self._fleet, *args)
        except sdk.module().exceptions.RayTaskError as error:
            raise RayFailed(sdk.one_line(error.cause or error)) from None
        except Exception as error:  # the actor, its node or the whole cluster
            raise NodeLost(sdk.why_dead(error)) from None


class RayPlaces:
    """The nodes of a cluster, each with a workshop of this fleet's. RayUnavailable if there is no
    cluster."""

    def __init__(
        self,
        address: str | None,
        policy: Policy,
        per_node: int | None,
        setup: str | None,
        resources: Mapping[str, float] | None,
    ) -> None:
        self._cluster = (
            Cluster.shared(address, resources=resources) if resources else Cluster.shared(address)
        )
        self._policy, self._per_node, self._setup = policy, per_node, setup
        self._fleet = secrets.token_hex(8)
        self._links: dict[str, RayLink] = {}
        self._opening: dict[str, asyncio.Task[None]] = {}
        self._rest: dict[str, float] = {}
        self._trouble: dict[str, Exception] = {}
        """What was said last of why a node has no workshop."""

    @property
    def is_starting(self) -> bool:
        return bool(self._opening) and not self._trouble

    async def links(self) -> Sequence[Link]:
        nodes = {node.id: node for node in self._cluster.nodes()}
        for gone in self._links.keys() - nodes.keys():
            self._links.pop(gone).leave()
        for node in nodes.values():
            if (
                node.id not in self._links
                and node.id not in self._opening
                and time.monotonic() >= self._rest.get(node.id, 0)
            ):
                self._opening[node.id] = asyncio.create_task(self._open(node))
        if self._opening:
            await asyncio.wait(self._opening.values(), timeout=_MOMENT)
        troubles = [self._trouble[node_id] for node_id in nodes if node_id in self._trouble]
        if troubles and not self._links and not self._opening:
            raise next(
                (error for error in troubles if not isinstance(error, RayUnavailable)), troubles[0]
            )
        return list(self._links.values())

    async def _open(self, node: Node) -> None:
        link = RayLink(node, self._fleet, self._per_node or max(int(node.cpus), 1))
        try:
            await link.open(self._policy, self._setup)
        except Exception as error:
            self._trouble[node.id] = error
            self._rest[node.id] = time.monotonic() + _REST
        else:
            self._links[node.id] = link
            self._trouble.pop(node.id, None)
        finally:
            del self._opening[node.id]

    def lost(self, link: Link) -> None:
        """Its actor may be gone and its node not; then there is a new actor."""
        assert isinstance(link, RayLink)
        link.leave()
        if self._links.get(link.node.id) is link:
            del self._links[link.node.id]
        link.doubt()

    async def close(self) -> None:
        for task in self._opening.values():
            task.cancel()
        with contextlib.suppress(Exception):
            await asyncio.gather(*self._opening.values(), return_exceptions=True)
        for link in self._links.values():
            link.leave()
