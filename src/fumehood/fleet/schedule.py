"""Which item goes to which node, what becomes of the items of a node that is lost, and in what
order outcomes are given. No I/O, no clock.

Items wait here, not on the nodes: a node is handed only what it runs now and what it will need
until the driver has heard of it again (its window). How long that is depends on the pace: a driver
of few nodes hears of each many times a second, one of a thousand nodes less often, because each
time costs it a moment. So batches grow as cells get shorter and as nodes get more, and stay small
where cells are long: an item that waits behind a long one on one node, while another node is idle,
would be late.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fumehood.errors import PolicyError

O = TypeVar("O")  # noqa: E741

_LINGER = 0.05
"""Seconds for which a node may collect outcomes before it sends them."""
_LINGER_FOR_EACH = 0.002
"""For each node, if that is more: about twice what hearing of one costs the driver, so that it has
time for the items too."""
_LINGERS_AHEAD = 4
"""A node is given work for so many times that, so that it does not wait for the driver."""
_LINGERS_LONG = 20
"""Items that take longer than so many are not handed out ahead at all."""
_MOST_AHEAD = 256
"""For each slot; a node that measures nothing but zeros is not handed everything there is."""
_LEAST_ROOM = 0.05
"""Of its slots: what a node counts for whose processors others hold, all of them. It is handed
something when all others have enough."""
_REMEMBERS = 0.1
"""The weight of the last item in what is believed of the next."""
_RESERVE = 4
"""An order holds so many windows of items, unless it is told how many: some run, some wait, and
some are done before one that was first."""
_LEAST_RESERVE = 256
_MOST_RESERVE = 100_000


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a driver hears of each node, and how much work each has ahead, both in seconds."""

    linger: float
    ahead: float

    @classmethod
    def of(cls, nodes: int) -> Pace:
        linger = max(_LINGER, _LINGER_FOR_EACH * nodes)
        return cls(linger, _LINGERS_AHEAD * linger)


class Order(Generic[O]):
    """The items of one map. `in_flight` bounds how many are taken in and not given out yet; None
    for as many as the nodes can use."""

    def __init__(
        self,
        *,
        in_order: bool = True,
        retries: int = 2,
        repeatable: bool = True,
        in_flight: int | None = None,
    ) -> None:
        if type(retries) is not int or retries < 0:
            raise PolicyError(f"retries must be a whole number of at least 0, not {retries!r}")
        if in_flight is not None and (type(in_flight) is not int or in_flight < 1):
            raise PolicyError(
                f"in_flight must be a whole number of at least 1 or None, not {in_flight!r}"
            )
        for name, value in (("in_order", in_order), ("repeatable", repeatable)):
            if type(value) is not bool:
                raise PolicyError(f"{name} must be True or False, not {value!r}")
        self.in_order, self.retries, self.repeatable, self.in_flight = (
            in_order,
            retries,
            repeatable,
            in_flight,
        )
        self.is_over = False
        """Whether nobody wants its outcomes any more."""
        self._done: dict[int, O] = {}
        self._due = 0

    def done(self, index: int, outcome: O) -> list[O]:
        """An item is over. Gives what can be given now: its outcome, or, in order, whatever that
        was holding up."""
        if not self.in_order:
            return [outcome]
        self._done[index] = outcome
        given = []
        while self._due in self._done:
            given.append(self._done.pop(self._due))
            self._due += 1
        return given


@dataclass(eq=False, slots=True)
class Item(Generic[O]):
    """One item of an order, as it travels. `number` is another each time it is handed out: who is
    late with an answer answers nothing."""

    order: Order[O]
    index: int
    parcel: bytes
    attempts: int = 0
    number: int = 0


@dataclass(slots=True)
class Books(Generic[O]):
    """What is known of one node. `slots` are the items that it could run at once if it had nothing
    else to do."""

    name: str
    slots: int
    pace: Pace
    room: float = math.inf
    """How many of them other work leaves processors for, as was last said."""
    beside: float = 0.0
    """What else of the driver's there is to do, in items."""
    on: dict[int, Item[O]] = field(default_factory=dict)
    """What was handed out to it, by number."""
    exchanges: int = 0
    """How often it was asked and has not answered yet."""
    seconds: float | None = None
    """What an item takes, as far as was seen."""

    @property
    def at_once(self) -> int:
        """How many items it is to run at once: one at least, for whoever holds its processors may
        never let go of them."""
        return self.slots if self.room >= self.slots else max(int(self.room), 1)

    @property
    def load(self) -> tuple[bool, float]:
        """Whether one item more would have to wait there, which may be for as long as another
        takes; and how much there would be to do, for what it can do."""
        return len(self.on) >= self.at_once, (len(self.on) + 1 + self.beside) / max(
            min(self.room, self.slots), self.slots * _LEAST_ROOM
        )

    @property
    def window(self) -> int:
        """How many items it may have at once."""
        at_once = self.at_once
        if self.seconds is None:
            return 2 * at_once
        if self.seconds >= _LINGERS_LONG * self.pace.linger:
            return at_once
        return at_once + math.ceil(
            at_once * min(self.pace.ahead / max(self.seconds, 1e-6), _MOST_AHEAD)
        )

    @property
    def low(self) -> int:
        """With fewer items that wait than this, it would run dry while it collects outcomes, so it
        does not."""
        if self.seconds is None:
            return self.at_once
        return max(
            math.ceil(self.at_once * min(self.pace.linger / max(self.seconds, 1e-6), _MOST_AHEAD)),
            1,
        )

    @property
    def is_open(self) -> bool:
        """Whether it can be handed something now. While it is being asked, only if it would soon
        have nothing to do: what is collected meanwhile goes together."""
        return not self.exchanges or self.exchanges == 1 and len(self.on) < 2 * self.slots

    def took(self, seconds: float) -> None:
        self.seconds = (
            seconds
            if self.seconds is None
            else self.seconds + _REMEMBERS * (seconds - self.seconds)
        )


class Schedule(Generic[O]):
    """All orders of one driver, and all its nodes."""

    def __init__(self) -> None:
        self.nodes: dict[str, Books[O]] = {}
        self.waiting: deque[Item[O]] = deque()
        self._numbers = itertools.count(1)
        self._windows = 0
        self._looked_at: set[str] = set()
        """Nodes that may have room. Of a thousand nodes most have none, and going through them for
        each item would take long."""

    # -- nodes

    def joined(self, name: str, slots: int) -> None:
        self.nodes[name] = Books(name, slots, Pace.of(1))
        self._looked_at.add(name)
        self._set_pace()

    def has_room(self, name: str, room: float, beside: float) -> None:
        """How many items of its slots a node has processors for, beside other work, and what else
        of this driver's it has to do."""
        books = self.nodes[name]
        if (books.room, books.beside) != (room, beside):
            self._windows -= books.window
            books.room, books.beside = room, beside
            self._windows += books.window
            self._looked_at.add(name)

    def lost(self, name: str) -> list[Item[O]]:
        """A node is gone. Its items are run again, before all others, if they may be; those that
        may not are given back."""
        books = self.nodes.pop(name, None)
        if books is None:
            return []
        self._looked_at.discard(name)
        self._set_pace()
        return self._again(books.on.values())

    def asked(self, name: str) -> None:
        """A node is sent what it was handed, or nothing, and asked for outcomes."""
        self.nodes[name].exchanges += 1

    def answered(self, name: str) -> None:
        self.nodes[name].exchanges -= 1
        self._looked_at.add(name)

    def is_unheard(self, name: str) -> bool:
        """Whether a node has items that nobody asks it for."""
        books = self.nodes[name]
        return bool(books.on) and not books.exchanges

    def _set_pace(self) -> None:
        for books in self.nodes.values():
            books.pace = Pace.of(len(self.nodes))
        self._windows = sum(books.window for books in self.nodes.values())

    @property
    def reserve(self) -> int:
        """How many items an order may hold that was not told how many."""
        return min(max(_RESERVE * self._windows, _LEAST_RESERVE), _MOST_RESERVE)

    # -- items

    def submit(self, item: Item[O]) -> None:
        self.waiting.append(item)

    def assign(self) -> dict[str, list[Item[O]]]:
        """Hand out what waits: each item to a node that can begin it at once, if there is one, and
        of those to the one that has least to do for what it can do beside other work. Gives what
        goes where."""
        handed: dict[str, list[Item[O]]] = {}
        if not self.waiting:
            return handed
        room = []
        for name in self._looked_at:
            books = self.nodes[name]
            free = books.window - len(books.on)
            if books.is_open and free > 0:
                room.append((books.load, name, free))
        heapq.heapify(room)
        while self.waiting and room:
            item = self.waiting.popleft()
            if item.order.is_over:
                continue
            _load, name, free = room[0]
            books = self.nodes[name]
            item.number = next(self._numbers)
            item.attempts += 1
            books.on[item.number] = item
            handed.setdefault(name, []).append(item)
            if free > 1:
                heapq.heapreplace(room, (books.load, name, free - 1))
            else:
                heapq.heappop(room)
        self._looked_at = {name for _load, name, _free in room}
        return handed

    def finished(self, name: str, number: int, seconds: float) -> Item[O] | None:
        """A node has run an item; None if it was not its to run any more, and its outcome is
        nobody's."""
        books = self.nodes.get(name)
        item = books.on.pop(number, None) if books is not None else None
        if books is None or item is None:
            return None
        self._windows -= books.window
        books.took(seconds)
        self._windows += books.window
        self._looked_at.add(name)
        return None if item.order.is_over else item

    def refused(self, name: str, number: int) -> list[Item[O]]:
        """A node could not even begin an item, which so can be run elsewhere whatever it does.
        Gives it back if that was tried enough."""
        books = self.nodes.get(name)
        item = books.on.pop(number, None) if books is not None else None
        return [] if item is None else self._again([item], is_begun=False)

    def _again(self, items: Iterable[Item[O]], *, is_begun: bool = True) -> list[Item[O]]:
        given_up: list[Item[O]] = []
        again: list[Item[O]] = []
        for item in items:
            if item.order.is_over:
                continue
            may = item.order.repeatable or not is_begun
            (again if may and item.attempts <= item.order.retries else given_up).append(item)
        self.waiting.extendleft(sorted(again, key=lambda item: item.index, reverse=True))
        return given_up

    def end(self, order: Order[O]) -> dict[str, list[int]]:
        """Nobody wants an order's outcomes any more. Gives what of it is on which node, to be
        stopped there."""
        order.is_over = True
        self.waiting = deque(item for item in self.waiting if item.order is not order)
        running: dict[str, list[int]] = {}
        for name, books in self.nodes.items():
            numbers = [number for number, item in books.on.items() if item.order is order]
            for number in numbers:
                del books.on[number]
            if numbers:
                running[name] = numbers
                self._looked_at.add(name)
        return running

    def give_up_waiting(self) -> list[Item[O]]:
        """There is no node and none comes: gives back all that waits."""
        waiting, self.waiting = list(self.waiting), deque()
        return [item for item in waiting if not item.order.is_over]
