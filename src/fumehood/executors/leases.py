"""What a pool lends: an executor with the duty to give it back."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from fumehood.errors import SandboxFailed
from fumehood.executors import life
from fumehood.executors.base import PythonExecutor
from fumehood.executors.stock import Stock
from fumehood.executors.waiters import TaskWaiter

if TYPE_CHECKING:
    from fumehood.executors.pool import ExecutorPool


class Lease:
    """An executor that is out. Closing the lease gives it back; when that returns, a pool that does
    not reuse has ended its sandbox."""

    def __init__(
        self, pool: ExecutorPool, stock: Stock, executor: PythonExecutor, ticket: int
    ) -> None:
        self._pool = pool  # which so is not collected while something of it is out
        self._stock = stock
        self._held = [executor]
        self._ticket = ticket
        self._marks = life.marks(executor) if pool.reuse else ()
        self._is_seen = False

    @property
    def executor(self) -> PythonExecutor:
        """SandboxFailed if the lease is over."""
        try:
            (executor,) = self._held
        except ValueError:
            raise SandboxFailed("this lease is over; check out another executor") from None
        self._is_seen = True
        return executor

    def close(self, *, dirty: bool = False) -> None:
        """Give it back. `dirty` says that nobody should get it again. Closing twice is harmless."""
        executor = self._release()
        if executor is None:
            return
        reason = self._verdict(executor, dirty)
        if reason is None:
            self._stock.post(self._stock.returned, self._ticket, executor)
            return
        self._stock.post(self._stock.leaving, self._ticket)
        try:
            # here and not by the pool: if it waits for a tool that hangs, nobody else does
            executor.close()
        finally:
            self._stock.post(self._stock.ended, self._ticket, reason)

    async def aclose(self, *, dirty: bool = False) -> None:
        """`close` without blocking the event loop. Cancelling this does not stop it."""
        executor = self._release()
        if executor is None:
            return
        reason = self._verdict(executor, dirty)
        if reason is None:
            self._stock.post(self._stock.returned, self._ticket, executor)
            return
        waiter = TaskWaiter()
        self._stock.post(self._stock.discarded, self._ticket, executor, reason, waiter)
        await waiter.wait(None)

    def _release(self) -> PythonExecutor | None:
        """The executor, for the first who asks; nothing in a fork, which holds nothing of its
        parent's."""
        if self._stock.pid != os.getpid():
            return None
        try:
            return self._held.pop()
        except IndexError:
            return None

    def _verdict(self, executor: PythonExecutor, dirty: bool) -> str | None:
        """Why it cannot be lent again, if it cannot."""
        if not life.is_alive(executor):
            return "died"
        if not self._pool.reuse:
            return "used" if self._is_seen or dirty else None
        if dirty or life.is_busy(executor) or not life.is_marked(executor, self._marks):
            return "dirty"
        return None

    def __enter__(self) -> PythonExecutor:
        return self.executor

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        self.close(dirty=kind is not None)


class AsyncCheckout:
    """A checkout that has not begun: await it for a Lease, or enter it."""

    def __init__(self, pool: ExecutorPool, timeout: float | None) -> None:
        self._pool = pool
        self._timeout = timeout
        self._lease: Lease | None = None

    def __await__(self) -> Generator[Any, None, Lease]:
        return self._pool._acheckout(self._timeout).__await__()

    async def __aenter__(self) -> PythonExecutor:
        if self._lease is not None:
            raise SandboxFailed("this checkout was entered before; make another")
        self._lease = await self._pool._acheckout(self._timeout)
        return self._lease.executor

    async def __aexit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        assert self._lease is not None
        await self._lease.aclose(dirty=kind is not None)
