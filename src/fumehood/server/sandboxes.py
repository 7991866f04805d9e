"""Who has which sandbox, and until when.

An id is a name nobody can guess, and still is looked for only among the sandboxes of the key that asks: another's is not there, in the
same words and the same way as one that never was. Everything here is the event loop's; what blocks goes to threads by `do`.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from fumehood.errors import PolicyError, SandboxFailed, SnapshotGone
from fumehood.executors.branching import Snapshot
from fumehood.executors.local import LocalPythonExecutor
from fumehood.policy import Policy
from fumehood.server.keys import Key
from fumehood.server.refusals import Busy, Closing, Conflict, Failed, Gone, Invalid, NotFound
from fumehood.server.settings import Template
from fumehood.server.threads import Desk, Line, Threads

if TYPE_CHECKING:
    from fumehood.server.watching import Watcher

T = TypeVar("T")

# Why sandboxes end.
ENDS: Final = {
    "closed": "its owner closed it",
    "expired": "its time was over",
    "idle": "nobody used it",
    "forgotten": "it was paused, and nobody resumed it",
    "server": "the server ended",
}

OWN_POLICY: Final = frozenset({"", "base", "default", "code-interpreter-v1"})
"""Names of templates that mean the key's own policy: what E2B's clients ask for when they are not told otherwise."""

_ENDERS: Final = 4
"""Threads that end sandboxes."""
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
    created: float = field(default_factory=time.time)
    cells: int = 0

    async def do(self, function: Callable[..., T], *args: Any) -> T:
        """A call of this context's executor: in turn with others of this context, beside those of the sandbox and its other contexts."""
        return await self.sandbox._do(self.line, function, args)


class Sandbox:
    """A sandbox as its owner sees it. Moments are the monotonic clock's, but for `created` and `expires`, which are told to people."""

    def __init__(self, sandbox_id: str, key: Key, executor: LocalPythonExecutor, desk: Desk) -> None:
        self.id = sandbox_id
        self.key = key
        self.executor = executor
        self.desk = desk
        self.line = desk.line()
        self.template = ""
        self.token = secrets.token_urlsafe(32)
        """What opens this sandbox and nothing else, without the key."""
        self.contexts: dict[str, Context] = {}
        self.metadata: dict[str, str] = {}
        self.environment: dict[str, str] = {}
        self.created = time.time()
        self.began = self.used = self.ends = time.monotonic()
        self.paused: float | None = None
        """Since when its clock stands."""
        self.calls = 0
        """Calls that run or wait. A sandbox is not idle while it has any."""
        self.cells = 0
        self.is_over = False
        self.extras: dict[str, Any] = {}
        """What others keep with it, by their names: tools by callback, processes, watchers. What has a `close` is closed with it."""

    # -- time -------------------------------------------------------------------------------------------------------------------------

    def touch(self) -> None:
        """Somebody uses it."""
        self.used = time.monotonic()

    @property
    def expires(self) -> float:
        """When it ends, in seconds since 1970. A paused one has as much left as when it was paused."""
        now = time.monotonic()
        return time.time() + self.ends - (now if self.paused is None else self.paused)

    def set_timeout(self, seconds: float) -> None:
        """Let it end in so many seconds from now; never later than its key's `lifetime_seconds` allow."""
        now = time.monotonic() if self.paused is None else self.paused
        self.ends = min(now + seconds, self.began + self.key.quotas.lifetime_seconds)

    @property
    def is_paused(self) -> bool:
        return self.paused is not None

    def pause(self) -> None:
        """Let its clock stand, and refuse whatever is asked of it. Its memory is kept. Conflict if it is paused, or in use."""
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

    # -- calls ------------------------------------------------------------------------------------------------------------------------

    async def do(self, function: Callable[..., T], *args: Any) -> T:
        """A call of its executor, from a thread: in turn with its other calls, within the key's share of the threads. Busy if there is
        too much waiting already, Conflict if it is paused."""
        return await self._do(self.line, function, args)

    async def aside(self, function: Callable[..., T], *args: Any) -> T:
        """A call that need not wait for its other calls, though for the key's share of the threads: for commands, and for watching."""
        return await self._do(self.desk.line(), function, args)

    async def _do(self, line: Line, function: Callable[..., T], args: tuple[Any, ...]) -> T:
        if self.paused is not None:
            raise Conflict("this sandbox is paused; resume it first")
        self.calls += 1
        try:
            return await line.do(function, *args)
        finally:
            self.calls -= 1
            self.touch()

    # -- contexts ---------------------------------------------------------------------------------------------------------------------

    async def add_context(self, environment: Mapping[str, str] | None = None) -> Context:
        """Another process in this sandbox, with variables of its own."""
        if len(self.contexts) >= self.key.quotas.contexts:
            raise Busy(f"a sandbox of this key may have {self.key.quotas.contexts} contexts, and this one has them", retry_after=10)
        wanted = {**self.environment, **(environment or {})}

        def make() -> LocalPythonExecutor:
            executor = self.executor.beside()  # type: ignore[attr-defined]
            if wanted:
                executor.set_environment(wanted)
            return executor  # type: ignore[no-any-return]

        executor = await self.do(make)
        if self.is_over:
            await self.aside(executor.close)
            raise NotFound("there is no such sandbox, or not any more")
        context = Context(new_id(), self, executor, self.desk.line())
        self.contexts[context.id] = context
        return context

    def context(self, context_id: str) -> Context:
        context = self.contexts.get(context_id)
        if context is None:
            raise NotFound("there is no such context, or not any more")
        return context

    async def close_context(self, context_id: str) -> None:
        context = self.context(context_id)
        del self.contexts[context_id]
        await self.aside(context.executor.close)

    def executors(self) -> list[LocalPythonExecutor]:
        return [self.executor, *(context.executor for context in self.contexts.values())]


@dataclass(eq=False)
class Kept:
    """A snapshot that was made for a key. It lives on when its sandbox ends."""

    id: str
    key: Key
    snapshot: Snapshot
    sandbox_id: str
    template: str
    name: str
    created: float = field(default_factory=time.time)


class Sandboxes:
    """All of them."""

    def __init__(self, threads: Threads, most: int, watcher: Watcher) -> None:
        self._threads = threads
        self._most = most
        self._watcher = watcher
        self._all: dict[str, Sandbox] = {}
        self._snapshots: dict[str, Kept] = {}
        self._desks: dict[Key, Desk] = {}
        self._enders = ThreadPoolExecutor(_ENDERS, "fumehood-server-end")
        self._coming: dict[Key, int] = {}
        """Sandboxes that are being made: they count already."""
        self.is_closing = False

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Sandbox]:
        return iter([*self._all.values()])

    def executors(self) -> list[LocalPythonExecutor]:
        return [executor for sandbox in self._all.values() for executor in sandbox.executors()]

    # -- looking ----------------------------------------------------------------------------------------------------------------------

    def get(self, key: Key, sandbox_id: str) -> Sandbox:
        sandbox = self._all.get(sandbox_id)
        if sandbox is None or sandbox.key is not key:
            raise NotFound("there is no such sandbox, or not any more")
        return sandbox

    def by_token(self, sandbox_id: str, token: str) -> Sandbox:
        """The sandbox that a token opens. NotFound for every other token, or none."""
        sandbox = self._all.get(sandbox_id)
        if sandbox is None or not secrets.compare_digest(sandbox.token.encode(), token.encode("utf-8", "surrogateescape")):
            raise NotFound("there is no such sandbox, or not any more")
        return sandbox

    def list(self, key: Key) -> list[Sandbox]:
        return [sandbox for sandbox in self._all.values() if sandbox.key is key]

    def desk(self, key: Key) -> Desk:
        desk = self._desks.get(key)
        if desk is None:
            quotas = key.quotas
            desk = self._desks[key] = Desk(self._threads, quotas.cells, quotas.waiting, quotas.patience_seconds)
        return desk

    # -- making -----------------------------------------------------------------------------------------------------------------------

    async def create(
        self,
        key: Key,
        *,
        template: str | None = None,
        timeout_seconds: float | None = None,
        metadata: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        policy: Policy | None = None,
        snapshot: str | None = None,
    ) -> Sandbox:
        """A new sandbox of a key, fresh or as a snapshot is. `policy` is one that the caller has made from the key's own."""
        kept = None if snapshot is None else self.snapshot_of(key, snapshot)
        chosen = self._template(key, template)
        policy = policy or (kept.snapshot.policy if kept is not None else chosen.policy if chosen is not None else key.policy)
        setup = chosen.setup if chosen is not None and kept is None else ""
        desk = self.desk(key)
        began = time.monotonic()
        self._reserve(key, 1, policy)
        try:
            executor = await desk.line().do(_open, policy, key.settings.on_fault, environment, setup, kept and kept.snapshot)
        finally:
            self._coming[key] -= 1
        sandbox = self._enter(key, executor, timeout_seconds, metadata, environment)
        sandbox.template = template or ""
        self._watcher.created(time.monotonic() - began)
        return sandbox

    def _template(self, key: Key, name: str | None) -> Template | None:
        if name is None or name in OWN_POLICY:
            return None
        if name not in key.templates:
            raise NotFound(f"there is no template {name!r} for this key; known are {', '.join(['base', *key.templates])}")
        return key.templates[name]

    def _reserve(self, key: Key, number: int, policy: Policy) -> None:
        """Count sandboxes that will be made. Busy if they would be too many."""
        if self.is_closing:
            raise Closing("the server is ending")
        coming = self._coming.get(key, 0)
        own = self.list(key)
        quotas = key.quotas
        if len(own) + coming + number > quotas.sandboxes:
            raise Busy(f"this key may have {quotas.sandboxes} sandboxes at once, and has them; close some", retry_after=10)
        if len(self._all) + sum(self._coming.values()) + number > self._most:
            raise Busy(f"the server has all {self._most} sandboxes that it may have", retry_after=10)
        if quotas.memory_bytes is not None:
            taken = sum(other.executor.policy.limits.memory_bytes for other in own) + (coming + number) * policy.limits.memory_bytes
            if taken > quotas.memory_bytes:
                raise Busy(f"this key's sandboxes may take {quotas.memory_bytes:,} bytes of memory together; close some", retry_after=10)
        self._coming[key] = coming + number

    def reserve(self, key: Key, policy: Policy) -> None:
        """Count one more sandbox of a key that is not one of these: of a far end's. Busy if it would be too many."""
        self._reserve(key, 1, policy)

    def release(self, key: Key) -> None:
        """One of those is over."""
        self._coming[key] -= 1

    def _enter(
        self,
        key: Key,
        executor: LocalPythonExecutor,
        timeout_seconds: float | None,
        metadata: Mapping[str, str] | None,
        environment: Mapping[str, str] | None,
    ) -> Sandbox:
        sandbox = Sandbox(new_id(), key, executor, self.desk(key))
        sandbox.set_timeout(key.quotas.timeout_seconds if timeout_seconds is None else timeout_seconds)
        sandbox.metadata = dict(metadata or {})
        sandbox.environment = dict(environment or {})
        self._all[sandbox.id] = sandbox
        return sandbox

    async def fork(self, key: Key, sandbox_id: str, number: int = 1) -> list[Sandbox]:
        """So many new sandboxes that begin where this one is."""
        parent = self.get(key, sandbox_id)
        self._reserve(key, number, parent.executor.policy)
        try:
            made = await parent.do(parent.executor.fork, number)
        except SandboxFailed as error:
            raise Conflict(str(error)) from None
        finally:
            self._coming[key] -= number
        left = max(0.0, parent.expires - time.time())
        forks = [self._enter(key, executor, left, parent.metadata, parent.environment) for executor in made]
        for fork in forks:
            fork.template, fork.cells = parent.template, parent.cells
        return forks

    # -- snapshots --------------------------------------------------------------------------------------------------------------------

    async def snapshot(self, key: Key, sandbox_id: str, name: str = "") -> Kept:
        """Keep a sandbox as it is. The snapshot is the key's: it lives on when the sandbox ends."""
        sandbox = self.get(key, sandbox_id)
        if len(self.snapshots(key)) >= key.quotas.snapshots:
            raise Busy(f"this key may have {key.quotas.snapshots} snapshots at once, and has them; discard some", retry_after=10)

        def take() -> Snapshot:
            taken = sandbox.executor.snapshot(name)
            sandbox.executor.history().forget(taken)  # else it would end with the sandbox
            return taken

        try:
            taken = await sandbox.do(take)
        except SandboxFailed as error:
            raise Conflict(str(error)) from None
        kept = Kept(new_id(), key, taken, sandbox.id, sandbox.template, name)
        self._snapshots[kept.id] = kept
        return kept

    def snapshots(self, key: Key, sandbox_id: str | None = None) -> list[Kept]:  # type: ignore[valid-type]
        return [kept for kept in self._snapshots.values() if kept.key is key and sandbox_id in (None, kept.sandbox_id)]

    def snapshot_of(self, key: Key, snapshot_id: str) -> Kept:
        kept = self._snapshots.get(snapshot_id)
        if kept is None or kept.key is not key:
            raise NotFound("there is no such snapshot, or not any more")
        return kept

    async def restore(self, key: Key, sandbox_id: str, snapshot_id: str) -> Sandbox:
        """Have a sandbox be as a snapshot is. The snapshot stays."""
        sandbox, kept = self.get(key, sandbox_id), self.snapshot_of(key, snapshot_id)
        try:
            await sandbox.do(sandbox.executor.restore, kept.snapshot)
        except SnapshotGone as error:
            self._snapshots.pop(kept.id, None)
            raise Gone(str(error)) from None
        except PolicyError as error:
            raise Invalid(str(error)) from None
        except SandboxFailed as error:
            raise Failed(str(error)) from None
        return sandbox

    async def discard(self, key: Key, snapshot_id: str) -> None:
        kept = self.snapshot_of(key, snapshot_id)
        del self._snapshots[kept.id]
        await self.desk(key).line().do(kept.snapshot.discard)

    # -- ending -----------------------------------------------------------------------------------------------------------------------

    async def close(self, key: Key, sandbox_id: str, why: str = "closed") -> bool:
        """End a sandbox, and a cell that runs in it. False if there is none."""
        sandbox = self._all.get(sandbox_id)
        if sandbox is None or sandbox.key is not key:
            return False
        del self._all[sandbox_id]
        sandbox.is_over = True
        self._watcher.ended(why)
        await self._end(_close, sandbox)
        return True

    async def close_all(self) -> None:
        """End every sandbox and every snapshot."""
        self.is_closing = True
        ending = [self.close(sandbox.key, sandbox.id, "server") for sandbox in self]
        kept, self._snapshots = [*self._snapshots.values()], {}
        await asyncio.gather(*ending, *(self._end(other.snapshot.discard) for other in kept), return_exceptions=True)

    async def _end(self, function: Callable[..., None], *args: Any) -> None:
        """Not by the threads that calls have: all of those may be waiting for what is to be ended here."""
        await self._threads.loop.run_in_executor(self._enders, function, *args)


def _open(
    policy: Policy, on_fault: Any, environment: Mapping[str, str] | None, setup: str, snapshot: Snapshot | None
) -> LocalPythonExecutor:
    executor = LocalPythonExecutor(policy=policy, on_fault=on_fault)
    try:
        if snapshot is not None:
            executor.restore(snapshot)
        if environment:
            executor.set_environment(environment)  # type: ignore[attr-defined]
        if setup:
            executor(setup)
    except BaseException:
        executor.close()
        raise
    return executor


def _close(sandbox: Sandbox) -> None:
    for extra in sandbox.extras.values():
        if hasattr(extra, "close"):
            extra.close()
    for context in sandbox.contexts.values():
        context.executor.close()
    sandbox.executor.close()
