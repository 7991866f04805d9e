"""Executors block and the event loop must not: a bounded number of threads, and whose turn it is.

A *line* is what must be done one after the other: the calls of one executor. A *desk* has the lines
of one key, and lets so many of its calls run at once and so many wait; one more is refused (Busy),
so that no queue grows without bound. Desks take turns at the threads: a key with a thousand calls
waiting holds up another's by one call at most.

All of this is the event loop's, without locks. Threads only take a job and hand back what came of
it.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from fumehood.server.refusals import Busy, Closing
from fumehood.server.shares import Share

T = TypeVar("T")


class Job:
    """A call that waits, runs, or is over."""

    __slots__ = ("args", "began", "function", "future", "line", "timer")

    def __init__(
        self,
        line: Line,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        future: asyncio.Future[Any],
    ) -> None:
        self.line = line
        self.function = function
        self.args = args
        self.future = future
        self.began = False
        self.timer: asyncio.TimerHandle | None = None


class Line:
    """Calls that are made one after the other, in the order in which they came."""

    __slots__ = ("desk", "is_taken", "jobs")

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.jobs: deque[Job] = deque()
        self.is_taken = False
        """Whether a call runs, or is the next of its desk to run."""

    async def do(self, function: Callable[..., T], *args: Any) -> T:
        """What the function gives, or raises, from a thread. Busy if too much is waiting already,
        or it has waited too long. Cancelled before it began it is never called; cancelled later it
        goes on, and the next in line waits for it all the same."""
        return await self.desk.submit(self, function, args)


class Desk:
    """The calls of one key."""

    def __init__(
        self, threads: Threads, at_once: int, most_waiting: int, patience_seconds: float
    ) -> None:
        self._threads = threads
        self.at_once = at_once
        self.most_waiting = most_waiting
        self.patience_seconds = patience_seconds
        self.running = 0
        self.waiting = 0
        self.ready: deque[Line] = deque()

    def line(self) -> Line:
        return Line(self)

    async def submit(self, line: Line, function: Callable[..., T], args: tuple[Any, ...]) -> T:
        threads = self._threads
        if threads.is_closed:
            raise Closing("the server is ending")
        if self.waiting >= self.most_waiting:
            raise Busy(
                f"{self.waiting} calls of this key are waiting already; come back when some are"
                " done"
            )
        future: asyncio.Future[T] = threads.loop.create_future()
        job = Job(line, function, args, future)
        self.waiting += 1
        line.jobs.append(job)
        if not line.is_taken:
            line.is_taken = True
            self.ready.append(line)
            threads.hand_out(self)
        if not job.began:
            job.timer = threads.loop.call_later(self.patience_seconds, self._out_of_patience, job)
        try:
            return await future
        finally:
            if not job.began:
                self._withdraw(job)

    def _out_of_patience(self, job: Job) -> None:
        if not job.began and not job.future.done():
            job.future.set_exception(
                Busy(
                    f"no turn within {self.patience_seconds:g} s: {self.running} calls of this key"
                    " are running"
                )
            )

    def _withdraw(self, job: Job) -> None:
        if job.timer is not None:
            job.timer.cancel()
        with contextlib.suppress(ValueError):
            job.line.jobs.remove(job)
            self.waiting -= 1

    def begin_next(self) -> Job | None:
        """The next call, which now runs."""
        while self.ready and self.running < self.at_once:
            line = self.ready.popleft()
            while line.jobs:
                job = line.jobs.popleft()
                self.waiting -= 1
                if job.future.done():  # it gave up, and has not yet been seen to
                    job.began = True
                    continue
                job.began = True
                if job.timer is not None:
                    job.timer.cancel()
                self.running += 1
                return job
            line.is_taken = False
        return None

    def over(self, line: Line) -> None:
        """A call has ended."""
        self.running -= 1
        if line.jobs:
            self.ready.append(line)
        else:
            line.is_taken = False


class Threads:
    """So many threads, started when they are needed and kept."""

    def __init__(self, most: int, share: Share | None = None) -> None:
        """`share` says how many of the threads one desk may have at once."""
        self.most = most
        self._share = share
        self.is_closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._started = 0
        self._idle = most
        """Threads that have nothing to do, those included that were never started."""
        self._desks: deque[Desk] = deque()
        """Desks with a call that could run; the first has the next turn."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        return self._loop

    @property
    def running(self) -> int:
        return self.most - self._idle

    def hand_out(self, desk: Desk | None = None) -> None:
        """Begin what can begin, a call of each desk in turn."""
        if desk is not None and desk not in self._desks:
            self._desks.append(desk)
        while self._idle and self._desks:
            next_desk = self._desks.popleft()
            if self._share is not None and not self._share.allows(next_desk):
                continue  # it has calls that run, and comes back when one of them ends
            job = next_desk.begin_next()
            if job is None:
                continue  # it comes back when one of its calls is over
            if self._share is not None:
                self._share.take(next_desk)
            self._desks.append(next_desk)
            self._idle -= 1
            if self._started < self.most - self._idle:
                self._started += 1
                threading.Thread(
                    target=self._work,
                    args=(self.loop,),
                    name=f"fumehood-server-{self._started}",
                    daemon=True,
                ).start()
            self._jobs.put(job)

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        while (job := self._jobs.get()) is not None:
            result: Any = None
            error: BaseException | None = None
            try:
                result = job.function(*job.args)
            except BaseException as raised:
                error = raised
            try:
                loop.call_soon_threadsafe(self._done, job, result, error)
            except RuntimeError:  # the loop is closed, and nobody waits any more
                return
            del job, result, error

    def _done(self, job: Job, result: Any, error: BaseException | None) -> None:
        self._idle += 1
        desk = job.line.desk
        if self._share is not None:
            self._share.give_back(desk)
        desk.over(job.line)
        if not job.future.done():
            if error is None:
                job.future.set_result(result)
            elif isinstance(error, StopIteration):  # which a future cannot carry
                job.future.set_exception(RuntimeError("a call raised StopIteration"))
            else:
                job.future.set_exception(error)
        self.hand_out(desk)

    def close(self) -> None:
        """Take no more. What runs goes on; its thread ends after it."""
        self.is_closed = True
        for _ in range(self._started):
            self._jobs.put(None)
