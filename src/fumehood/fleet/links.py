"""How a driver reaches a node: what a link is, and the one to a workshop in this very process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from fumehood.fleet.workshop import Done, Workshop
from fumehood.policy import Policy

T = TypeVar("T")


class Link(Protocol):
    """One node. Whatever it raises means that the node is lost, and the text says why."""

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def slots(self) -> int:
        """Items that run there at once, if there is nothing else to do."""

    @property
    def room(self) -> float:
        """How many of them other work of the machine leaves processors for, as far as that is
        known."""

    @property
    def beside(self) -> float:
        """What else of this process's is to be done there, in items."""

    async def exchange(
        self, items: Sequence[tuple[int, bytes]], linger: float, low: int, at_once: int
    ) -> list[Done]:
        """As of a Workshop."""

    async def drop(self, numbers: Sequence[int]) -> None: ...

    async def close(self) -> None: ...


class Places(Protocol):
    """Where nodes come from."""

    @property
    def is_starting(self) -> bool:
        """Whether a first node is still being made ready, and nothing has gone wrong with any."""

    async def links(self) -> Sequence[Link]:
        """Those that are there now; the same object for the same node, until that is lost.
        RayUnavailable if there is none and it is of no use to wait for one; anything else that is
        raised may pass."""

    def lost(self, link: Link) -> None:
        """A link does not work any more. If its node is there, the next `links()` has a new one."""

    async def close(self) -> None: ...


class LocalLink:
    """A workshop in this process. Its work is done by threads and sandboxes, so that only waiting
    is left to do here."""

    name = address = "local"
    beside = 0.0

    def __init__(self, workshop: Workshop, slots: int) -> None:
        self._workshop = workshop
        self.slots = slots
        self.room = float(slots)

    async def exchange(
        self, items: Sequence[tuple[int, bytes]], linger: float, low: int, at_once: int
    ) -> list[Done]:
        return await _in_thread(lambda: self._workshop.exchange(items, linger, low, at_once))

    async def drop(self, numbers: Sequence[int]) -> None:
        await _in_thread(lambda: self._workshop.drop(numbers))

    async def close(self) -> None:
        await _in_thread(self._workshop.close)


class LocalPlaces:
    """This machine, and no other. JailUnavailable, or whatever it is, if there are no sandboxes to
    be had."""

    is_starting = False

    def __init__(self, policy: Policy, slots: int, setup: str | None) -> None:
        workshop = Workshop(policy, slots, setup)
        try:
            workshop.rehearse()
        except BaseException:
            workshop.close()
            raise
        self._links = [LocalLink(workshop, slots)]

    async def links(self) -> Sequence[Link]:
        return self._links

    def lost(self, link: Link) -> None:
        self._links = []

    async def close(self) -> None:
        pass


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.to_thread(work)
