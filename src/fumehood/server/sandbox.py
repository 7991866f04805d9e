"""A sandbox as its owner sees it: its calls, its contexts, and its time."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from fumehood.asked import shown
from fumehood.errors import SandboxFailed
from fumehood.executors.local import LocalPythonExecutor
from fumehood.server.keys import Key
from fumehood.server.refusals import Busy, Conflict, NotFound
from fumehood.server.shares import Held, Shares
from fumehood.server.threads import Desk, Line

T = TypeVar("T")

_ALPHABET: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_ID_LENGTH: Final = 25


def new_id() -> str:
    """129 bits, in lower-case letters and digits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))


@dataclass(eq=False)
class Context:
    """Another process in the same sandbox: the same files, variables of its own."""

    id: str
    sandbox: Sandbox
    executor: LocalPythonExecutor
    line: Line
    held: Held
    created: float = field(default_factory=time.time)
    cells: int = 0

    async def do(self, function: Callable[..., T], *args: Any) -> T:
        """A call of this context's executor: in turn with others of this context, beside those of
        the sandbox and its other contexts."""
        return await self.sandbox._do(self.line, function, args)


class Sandbox:
    """A sandbox as its owner sees it. Moments are the monotonic clock's, but for `created` and
    `expires`, which are told to people."""

    def __init__(
        self,
        key: Key,
        executor: LocalPythonExecutor,
        desk: Desk,
        may_take: Callable[[Key, int], None],
        shares: Shares,
        held: Held,
    ) -> None:
        """`may_take` raises Busy if the key may not take so many bytes of memory more. `held` is
        what it uses of the shares."""
        self.held = held
        self._shares = shares
        self.id = new_id()
        self.key = key
        self.executor = executor
        self.desk = desk
        self.line = desk.line()
        self.template = ""
        self.policy = executor.policy
        """What it was made with."""
        self.packages: tuple[str, ...] = ()
        """What was installed since, as it was asked for."""
        self.token = secrets.token_urlsafe(32)
        """What opens this sandbox and nothing else, without the key."""
        self.contexts: dict[str, Context] = {}
        self._coming = 0
        """Contexts that are being made: they count already."""
        self._may_take = may_take
        self.metadata: dict[str, str] = {}
        self.environment: dict[str, str] = {}
        self.created = time.time()
        self.began = self.used = self.ends = time.monotonic()
        self.paused: float | None = None
        """Since when its clock stands."""
        self.pauses = False
        """Whether it is paused when its time is over, and not ended."""
        self.calls = 0
        """Calls that run or wait. A sandbox is not idle while it has any."""
        self.cells = 0
        self.is_over = False
        self.extras: dict[str, Any] = {}
        """What others keep with it, by their names: tools by callback, processes, watchers. What
        has a `close` is closed with it, and what has a coroutine function `forked` is called with
        each fork, to give it one of its own."""

    # -- time

    def touch(self) -> None:
        """Somebody uses it."""
        self.used = time.monotonic()

    @property
    def expires(self) -> float:
        """When it ends, in seconds since 1970. A paused one has as much left as when it was
        paused."""
        now = time.monotonic()
        return time.time() + self.ends - (now if self.paused is None else self.paused)

    def set_timeout(self, seconds: float) -> None:
        """Let it end in so many seconds from now; never later than its key's `lifetime_seconds`
        allow."""
        now = time.monotonic() if self.paused is None else self.paused
        self.ends = min(now + seconds, self.began + self.key.quotas.lifetime_seconds)

    @property
    def is_paused(self) -> bool:
        return self.paused is not None

    def pause(self) -> None:
        """Let its clock stand, and refuse whatever is asked of it. Its memory is kept. Conflict if
        it is paused, or in use."""
        if self.paused is not None:
            raise Conflict("this sandbox is paused already")
        if self.calls:
            raise Conflict("this sandbox is in use; interrupt what runs in it first")
        self.paused = time.monotonic()

    def resume(self, timeout_seconds: float | None = None) -> None:
        """Let it go on: its clock too, which has not moved meanwhile."""
        if self.paused is None:
            raise Conflict("this sandbox is not paused")
        away = time.monotonic() - self.paused
        self.paused = None
        self.began += away
        self.ends += away
        self.touch()
        if timeout_seconds is not None:
            self.set_timeout(timeout_seconds)

    # -- calls

    async def do(self, function: Callable[..., T], *args: Any) -> T:
        """A call of its executor, from a thread: in turn with its other calls, within the key's
        share of the threads. Busy if there is too much waiting already, Conflict if it is
        paused."""
        return await self._do(self.line, function, args)

    async def aside(self, function: Callable[..., T], *args: Any) -> T:
        """A call that need not wait for its other calls, though for the key's share of the threads:
        for commands, and for watching."""
        return await self._do(self.desk.line(), function, args)

    async def _do(self, line: Line, function: Callable[..., T], args: tuple[Any, ...]) -> T:
        if self.paused is not None:
            raise Conflict("this sandbox is paused; resume it first")
        self.calls += 1
        try:
            return await line.do(function, *args)
        except SandboxFailed:
            if self.is_over:
                raise NotFound("this sandbox was ended meanwhile") from None
            raise
        finally:
            self.calls -= 1
            self.touch()

    # -- contexts

    async def add_context(self, environment: Mapping[str, str] | None = None) -> Context:
        """Another process in this sandbox, with variables of its own."""
        most = self.key.quotas.contexts
        if len(self.contexts) + self._coming >= most:
            raise Busy(
                f"a sandbox of this key may have {most} contexts, and this one has them; close"
                " some",
                retry_after=10,
            )
        self._may_take(self.key, self.executor.policy.limits.memory_bytes)

        def make() -> LocalPythonExecutor:
            executor = self.executor.beside()
            if environment:
                executor.set_environment(environment)
            return executor

        held = self._shares.sandbox(self.key, 0)  # processes count with the sandbox's
        self._coming += 1
        try:
            executor = await self.do(make)
        except BaseException:
            held.release()
            raise
        finally:
            self._coming -= 1
        if self.is_over:
            executor.close()  # quick: whatever it ran in is gone already
            held.release()
            raise NotFound("there is no such sandbox, or not any more")
        context = Context(new_id(), self, executor, self.desk.line(), held)
        self.contexts[context.id] = context
        return context

    @property
    def memory_bytes(self) -> int:
        """What it may take, with all its contexts."""
        return self.executor.policy.limits.memory_bytes * (1 + len(self.contexts) + self._coming)

    def context(self, context_id: str) -> Context:
        context = self.contexts.get(context_id)
        if context is None:
            raise NotFound(
                f"there is no context {shown(context_id)} in this sandbox, or not any more"
            )
        return context

    async def close_context(self, context_id: str) -> None:
        context = self.context(context_id)
        del self.contexts[context_id]
        try:
            await self.aside(context.executor.close)
        finally:
            context.held.release()

    def executors(self) -> list[LocalPythonExecutor]:
        return [self.executor, *(context.executor for context in self.contexts.values())]
