"""The thread that keeps nodes busy: it sees them come and go, sends them what the schedule hands
out, and takes in what they have done.

Everything of the schedule happens in this thread; others leave word in its inbox. A node whose link
raises, or that says nothing for long, is lost: its items are run elsewhere, and it is a new node if
it comes back.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from fumehood.errors import NodeLost, RayUnavailable, SandboxFailed
from fumehood.fleet.links import Link, Places
from fumehood.fleet.results import FleetMetrics, NodeMetrics
from fumehood.fleet.runs import Given, Run
from fumehood.fleet.schedule import Item, Schedule
from fumehood.fleet.workshop import LONGEST_EXCHANGE, Done
from fumehood.results import ErrorInfo

T = TypeVar("T")

_SILENCE = 30.0
"""Seconds after which a node that should have answered is taken for lost. It answers every second
at least."""
_LOOK = 1.0
"""How often it is looked who is there, in seconds."""
_LOOK_WHEN_ALONE = 0.2
_ALONE = 60.0
"""Seconds for which items wait for the first node, or for the next."""
_END = 10.0
"""Seconds that ending everything may take."""


@dataclass(slots=True)
class _Tally:
    """What is counted of a node, however often it was lost."""

    address: str
    slots: int
    items: int = 0
    cells: int = 0
    errors: int = 0
    seconds_busy: float = 0.0
    exchanges: int = 0
    restarts: int = 0


class Engine:
    def __init__(self, places: Places) -> None:
        self._places = places
        self._schedule: Schedule[Given] = Schedule()
        self._links: dict[str, Link] = {}
        self._tallies: dict[str, _Tally] = {}
        self._inbox: deque[Item[Given] | Callable[[], None]] = deque()
        self._is_woken = False
        self._is_stopped = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._runs: set[Run] = set()
        self._alone_since = time.monotonic()
        self._trouble = ""
        """What was said last of why there is no node."""
        self._given = self._repeated = 0
        self.reserve = self._schedule.reserve
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._live, name="fumehood-fleet", daemon=True)
        self._thread.start()
        self._loop.call_soon_threadsafe(lambda: self._start(self._watch()))

    # -- from any thread

    def submit(self, item: Item[Given]) -> None:
        self._post(item)

    def refuse(self, run: Run, given: Given) -> None:
        self._post(lambda: self._give(run, given))

    def over(self, run: Run) -> None:
        self._post(lambda: self._end(run))

    def begin(self, run: Run) -> None:
        self.see_if_open()
        self._runs.add(run)

    def see_if_open(self) -> None:
        if self._is_stopped:
            raise SandboxFailed("the fleet was closed; make a new one")

    def metrics(self) -> FleetMetrics:
        return self._ask(self._metrics)

    def stop(self) -> None:
        """End everything, on the nodes too, in bounded time. Stopping twice is harmless."""
        if not self._is_stopped:
            self._is_stopped = True
            for run in list(self._runs):
                run.fail(SandboxFailed("the fleet was closed"))
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(lambda: self._start(self._stop()))
        if threading.current_thread() is not self._thread:
            self._thread.join(_END)

    def _post(self, word: Item[Given] | Callable[[], None]) -> None:
        self._inbox.append(word)
        if not self._is_woken:
            self._is_woken = True
            with contextlib.suppress(
                RuntimeError
            ):  # the loop is closed, and nobody waits for what this would have brought
                self._loop.call_soon_threadsafe(self._read)

    def _ask(self, question: Callable[[], T]) -> T:
        if not self._thread.is_alive() or self._is_stopped:
            return question()
        answer: Future[T] = Future()
        self._post(lambda: answer.set_result(question()))
        return answer.result(_END)

    # -- in the thread

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    def _start(self, work: Any) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _read(self) -> None:
        self._is_woken = False
        while self._inbox:
            word = self._inbox.popleft()
            if isinstance(word, Item):
                self._schedule.submit(word)
            else:
                word()
        self._hand_out()

    def _hand_out(self) -> None:
        for name, items in self._schedule.assign().items():
            self._exchange(name, items)

    def _exchange(self, name: str, items: list[Item[Given]]) -> None:
        self._schedule.asked(name)
        self._tallies[name].exchanges += 1
        self._start(self._exchanged(self._links[name], items))

    async def _exchanged(self, link: Link, items: list[Item[Given]]) -> None:
        name = link.name
        books = self._schedule.nodes[name]
        linger, low, at_once = books.pace.linger, books.low, books.at_once
        parcels = [(item.number, item.parcel) for item in items]
        try:
            done = await asyncio.wait_for(
                link.exchange(parcels, linger, low, at_once),
                LONGEST_EXCHANGE + 2 * linger + _SILENCE,
            )
        except TimeoutError:
            self._lose(link, f"it has not answered for {_SILENCE:g} seconds")
            return
        except Exception as error:
            self._lose(link, (str(error).splitlines() or [type(error).__name__])[0])
            return
        if self._links.get(name) is not link:
            return  # it was lost meanwhile, and what it had is somebody else's
        self._schedule.answered(name)
        self._take_in(name, done)
        self._hand_out()
        if self._schedule.is_unheard(name):
            self._exchange(name, [])

    def _take_in(self, name: str, done: list[Done]) -> None:
        tally = self._tallies[name]
        for one in done:
            if one.refusal:
                for item in self._schedule.refused(name, one.number):
                    self._fail(
                        item,
                        name,
                        "SandboxFailed",
                        f"no sandbox could be started on {name}: {one.refusal}",
                    )
                continue
            finished = self._schedule.finished(name, one.number, one.seconds)
            tally.items += 1
            tally.cells += one.cells
            tally.errors += one.is_error
            tally.seconds_busy += one.seconds
            if finished is not None:
                self._repeated += finished.attempts - 1
                given = Given(finished.index, finished.attempts, name, one.seconds, one.parcel)
                self._give(finished.order, given)
        self.reserve = self._schedule.reserve

    def _give(self, run: Any, given: Given) -> None:
        ready = run.done(given.index, given)
        if ready:
            self._given += len(ready)
            run.put(ready)

    def _fail(self, item: Item[Given], node: str, kind: str, message: str) -> None:
        self._give(
            item.order,
            Given(
                item.index,
                item.attempts,
                node,
                error=ErrorInfo(kind, message, f"{kind}: {message}"),
            ),
        )

    def _end(self, run: Run) -> None:
        self._runs.discard(run)
        for name, numbers in self._schedule.end(run).items():
            self._start(self._dropped(self._links[name], numbers))

    async def _dropped(self, link: Link, numbers: list[int]) -> None:
        with contextlib.suppress(Exception):  # a node that is lost has dropped them too
            await asyncio.wait_for(link.drop(numbers), _END)

    # -- who is there

    async def _watch(self) -> None:
        while True:
            try:
                links = {link.name: link for link in await self._places.links()}
            except RayUnavailable as error:
                for run in [*self._runs]:
                    run.fail(RayUnavailable(str(error)))
                    self._end(run)
            except Exception as error:
                self._trouble = (str(error).splitlines() or [type(error).__name__])[0]
            else:
                for name in [*self._links]:
                    if links.get(name) is not self._links[name]:
                        self._lose(self._links[name], "it has left the cluster")
                for name, link in links.items():
                    if name not in self._links:
                        self._join(link)
                    self._schedule.has_room(name, link.room, link.beside)
                self.reserve = self._schedule.reserve
                self._hand_out()
            self._see_if_alone()
            await asyncio.sleep(_LOOK if self._links else _LOOK_WHEN_ALONE)

    def _join(self, link: Link) -> None:
        name = link.name
        self._links[name] = link
        tally = self._tallies.get(name)
        if tally is None:
            self._tallies[name] = _Tally(link.address, link.slots)
        else:
            tally.restarts += 1
        self._schedule.joined(name, link.slots)

    def _lose(self, link: Link, why: str) -> None:
        if self._links.get(link.name) is not link:
            return
        del self._links[link.name]
        self._alone_since = time.monotonic()
        self._trouble = f"{link.name}: {why}"
        self._places.lost(link)
        for item in self._schedule.lost(link.name):
            again = (
                "" if item.order.repeatable else ", and it may not be run twice (repeatable=False)"
            )
            times = f" {item.attempts} times" if item.attempts > 1 else ""
            self._fail(
                item,
                link.name,
                NodeLost.__name__,
                f"the node that ran the item was lost{times}: {link.name}: {why}{again}",
            )
        self._hand_out()

    def _see_if_alone(self) -> None:
        """Whoever waits for a node that does not come is told."""
        if self._links or self._places.is_starting:
            self._alone_since = time.monotonic()
        elif time.monotonic() - self._alone_since > _ALONE:
            said = f"; the last that was said: {self._trouble}" if self._trouble else ""
            for item in self._schedule.give_up_waiting():
                self._fail(
                    item, "", NodeLost.__name__, f"no node was there for {_ALONE:g} seconds{said}"
                )

    def _metrics(self) -> FleetMetrics:
        books = self._schedule.nodes
        nodes = {
            name: NodeMetrics(
                node=name,
                address=tally.address,
                slots=tally.slots,
                at_once=books[name].at_once if name in books else 0,
                window=books[name].window if name in books else 0,
                items=tally.items,
                cells=tally.cells,
                errors=tally.errors,
                seconds_busy=tally.seconds_busy,
                in_flight=len(books[name].on) if name in books else 0,
                exchanges=tally.exchanges,
                restarts=tally.restarts,
                is_lost=name not in self._links,
            )
            for name, tally in self._tallies.items()
        }
        in_flight = sum(len(one.on) for one in books.values())
        return FleetMetrics(
            nodes, len(self._schedule.waiting), in_flight, self._given, self._repeated
        )

    async def _stop(self) -> None:
        me = asyncio.current_task()
        for task in [*self._tasks]:
            if task is not me:
                task.cancel()
        closing = [link.close() for link in self._links.values()]
        with contextlib.suppress(Exception):
            await asyncio.wait_for(asyncio.gather(*closing, return_exceptions=True), _END / 2)
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._places.close(), _END / 2)
        self._loop.call_soon(self._loop.stop)
