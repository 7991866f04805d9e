"""Who has which sandbox, and until when.

An id is a name nobody can guess, and still is looked for only among the sandboxes of the key that
asks: another's is not there, in the same words and the same way as one that never was. Everything
here is the event loop's; what blocks goes to threads by `do`.
"""

from __future__ import annotations

import asyncio
import builtins
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fumehood.asked import shown
from fumehood.errors import InterpreterError, SandboxFailed, SnapshotGone
from fumehood.executors.local import LocalPythonExecutor
from fumehood.executors.options import Then
from fumehood.executors.snapshots import Snapshot
from fumehood.policy import Policy
from fumehood.server.keys import Key
from fumehood.server.refusals import Busy, Closing, Failed, NotFound
from fumehood.server.sandbox import Context, Sandbox, new_id
from fumehood.server.settings import Template
from fumehood.server.shares import Held, Shares
from fumehood.server.threads import Desk, Threads

if TYPE_CHECKING:
    from fumehood.server.watching import Watcher

__all__ = ["ENDS", "Context", "Kept", "Sandbox", "Sandboxes", "new_id"]

# Why sandboxes end.
ENDS: Final = {
    "closed": "its owner closed it",
    "expired": "its time was over",
    "idle": "nobody used it",
    "forgotten": "it was paused, and nobody resumed it",
    "server": "the server ended",
}

OWN_POLICY: Final = frozenset({"", "base", "default", "code-interpreter-v1"})
"""Names of templates that mean the key's own policy: what E2B's clients ask for when they are not
told otherwise."""

_ENDERS: Final = 4
"""Threads that end sandboxes of one key."""


@dataclass(eq=False)
class Kept:
    """A snapshot that was made for a key. It lives on when its sandbox ends."""

    id: str
    key: Key
    snapshot: Snapshot
    policy: Policy
    """What the sandbox was made with; what was installed since is in `packages`."""
    packages: tuple[str, ...]
    sandbox_id: str
    template: str
    name: str
    held: Held
    created: float = field(default_factory=time.time)
    began: float = field(default_factory=time.monotonic)


class Sandboxes:
    """All of them."""

    def __init__(self, threads: Threads, most: int, watcher: Watcher, shares: Shares) -> None:
        self._shares = shares
        self._threads = threads
        self._most = most
        self._watcher = watcher
        self._all: dict[str, Sandbox] = {}
        self._snapshots: dict[str, Kept] = {}
        self._desks: dict[Key, Desk] = {}
        self._enders: dict[Key, ThreadPoolExecutor] = {}
        self._elsewhere: dict[Key, list[Held]] = {}
        """What the sandboxes of remote ends use."""
        self._coming: dict[Key, int] = {}
        """Sandboxes that are being made: they count already."""
        self._snapping: dict[Key, int] = {}
        """Snapshots that are being made, likewise."""
        self.is_closing = False

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Sandbox]:
        return iter([*self._all.values()])

    def executors(self) -> list[LocalPythonExecutor]:
        return [executor for sandbox in self._all.values() for executor in sandbox.executors()]

    # -- looking

    def get(self, key: Key, sandbox_id: str) -> Sandbox:
        sandbox = self._all.get(sandbox_id)
        if sandbox is None or sandbox.key is not key:
            raise NotFound("there is no such sandbox, or not any more")
        return sandbox

    def find(self, sandbox_id: str) -> Sandbox | None:
        """For those who see to it themselves that nobody reaches another's."""
        return self._all.get(sandbox_id)

    def list(self, key: Key) -> list[Sandbox]:
        return [sandbox for sandbox in self._all.values() if sandbox.key is key]

    @property
    def waiting(self) -> int:
        """Calls of all keys that wait for their turn."""
        return sum(desk.waiting for desk in self._desks.values())

    def desk(self, key: Key) -> Desk:
        desk = self._desks.get(key)
        if desk is None:
            quotas = key.quotas
            desk = self._desks[key] = Desk(
                self._threads, quotas.cells, quotas.waiting, quotas.patience_seconds
            )
        return desk

    # -- making

    async def create(
        self,
        key: Key,
        *,
        template: str | None = None,
        timeout_seconds: float | None = None,
        metadata: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        policy: Policy | None = None,
        on_fault: Then | None = None,
        snapshot: str | None = None,
    ) -> Sandbox:
        """A new sandbox of a key, fresh or as a snapshot is. `policy` is one that the caller has
        made from the key's own."""
        kept = None if snapshot is None else self.snapshot_of(key, snapshot)
        chosen = self._template(key, template)
        policy = policy or (
            kept.policy if kept is not None else chosen.policy if chosen is not None else key.policy
        )
        setup = chosen.setup if chosen is not None and kept is None else ""
        desk = self.desk(key)
        began = time.monotonic()
        (held,) = self._reserve(key, 1, policy)
        try:
            executor = await desk.line().do(
                _open, policy, on_fault or key.settings.on_fault, environment, setup, kept
            )
        except BaseException:
            held.release()
            raise
        finally:
            self._coming[key] -= 1
        if self.is_closing:
            await self._end(key, held, executor.close)
            raise Closing("the server is ending")
        sandbox = self._enter(key, executor, held, timeout_seconds, metadata, environment)
        sandbox.template = template or (kept.template if kept is not None else "")
        sandbox.policy, sandbox.packages = policy, () if kept is None else kept.packages
        self._watcher.created(time.monotonic() - began)
        return sandbox

    def policy_of(self, key: Key, template: str | None) -> Policy:
        """What a sandbox of this key and template may."""
        chosen = self._template(key, template)
        return key.policy if chosen is None else chosen.policy

    def _template(self, key: Key, name: str | None) -> Template | None:
        if name is None or name in OWN_POLICY:
            return None
        if name not in key.templates:
            raise NotFound(
                f"there is no template {shown(name)} for this key; known are"
                f" {', '.join(['base', *key.templates])}"
            )
        return key.templates[name]

    def _reserve(self, key: Key, number: int, policy: Policy) -> builtins.list[Held]:
        """Count sandboxes that will be made. Busy if they would be too many."""
        if self.is_closing:
            raise Closing("the server is ending")
        coming = self._coming.get(key, 0)
        own = self.list(key)
        quotas = key.quotas
        if len(own) + coming + number > quotas.sandboxes:
            raise Busy(
                f"this key may have {quotas.sandboxes} sandboxes at once, and has them; close some",
                retry_after=10,
            )
        if len(self._all) + sum(self._coming.values()) + number > self._most:
            raise Busy(
                f"the server has all {self._most} sandboxes that it may have; close some, or come"
                " back later",
                retry_after=10,
            )
        self._may_take(key, (coming + number) * policy.limits.memory_bytes)
        held: builtins.list[Held] = []
        try:
            for _ in range(number):
                held.append(self._shares.sandbox(key, policy.limits.processes))
        except Busy:
            for other in held:
                other.release()
            raise
        self._coming[key] = coming + number
        return held

    def reserve(self, key: Key, policy: Policy) -> None:
        """Count one more sandbox of a key that is not one of these: of a remote end's. Busy if it
        would be too many."""
        self._elsewhere.setdefault(key, []).extend(self._reserve(key, 1, policy))

    def release(self, key: Key) -> None:
        """One of those has ended."""
        self._coming[key] -= 1
        self._elsewhere[key].pop().release()

    def _may_take(self, key: Key, more: int) -> None:
        """Busy if a key may not have so many bytes of memory more than its sandboxes may take
        already."""
        most = key.quotas.memory_bytes
        if (
            most is not None
            and sum(sandbox.memory_bytes for sandbox in self.list(key)) + more > most
        ):
            raise Busy(
                f"this key's sandboxes may take {most:,} bytes of memory together; close some",
                retry_after=10,
            )

    def _enter(
        self,
        key: Key,
        executor: LocalPythonExecutor,
        held: Held,
        timeout_seconds: float | None,
        metadata: Mapping[str, str] | None,
        environment: Mapping[str, str] | None,
    ) -> Sandbox:
        sandbox = Sandbox(key, executor, self.desk(key), self._may_take, self._shares, held)
        sandbox.set_timeout(
            key.quotas.timeout_seconds if timeout_seconds is None else timeout_seconds
        )
        sandbox.metadata = dict(metadata or {})
        sandbox.environment = dict(environment or {})
        self._all[sandbox.id] = sandbox
        return sandbox

    async def fork(self, key: Key, sandbox_id: str, number: int = 1) -> builtins.list[Sandbox]:
        """So many new sandboxes that begin where this one is."""
        parent = self.get(key, sandbox_id)
        held = self._reserve(key, number, parent.executor.policy)
        try:
            made = await parent.do(lambda: parent.executor.fork(number))
        except BaseException:
            for other in held:
                other.release()
            raise
        finally:
            self._coming[key] -= number
        if self.is_closing:
            await asyncio.gather(
                *(
                    self._end(key, other, executor.close)
                    for executor, other in zip(made, held, strict=True)
                )
            )
            raise Closing("the server is ending")
        left = max(0.0, parent.expires - time.time())
        forks = [
            self._enter(key, executor, other, left, parent.metadata, parent.environment)
            for executor, other in zip(made, held, strict=True)
        ]
        for fork in forks:
            fork.template, fork.cells, fork.policy, fork.packages = (
                parent.template,
                parent.cells,
                parent.policy,
                parent.packages,
            )
            for extra in parent.extras.values():
                if hasattr(extra, "forked"):
                    await extra.forked(fork)
        return forks

    # -- snapshots

    async def snapshot(self, key: Key, sandbox_id: str, name: str = "") -> Kept:
        """Keep a sandbox as it is. The snapshot is the key's: it lives on when the sandbox ends."""
        sandbox = self.get(key, sandbox_id)
        if len(self.snapshots(key)) + self._snapping.get(key, 0) >= key.quotas.snapshots:
            raise Busy(
                f"this key may have {key.quotas.snapshots} snapshots at once, and has them; discard"
                " some",
                retry_after=10,
            )

        def take() -> Snapshot:
            taken = sandbox.executor.snapshot(name)
            sandbox.executor.history().forget(taken)  # else it would end with the sandbox
            return taken

        held = self._shares.snapshot(key)
        self._snapping[key] = self._snapping.get(key, 0) + 1
        try:
            taken = await sandbox.do(take)
        except BaseException:
            held.release()
            raise
        finally:
            self._snapping[key] -= 1
        kept = Kept(
            new_id(),
            key,
            taken,
            sandbox.policy,
            sandbox.packages,
            sandbox.id,
            sandbox.template,
            name,
            held,
        )
        self._snapshots[kept.id] = kept
        return kept

    def snapshots(self, key: Key, sandbox_id: str | None = None) -> builtins.list[Kept]:
        return [
            kept
            for kept in self._snapshots.values()
            if kept.key is key and sandbox_id in (None, kept.sandbox_id)
        ]

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
        except SnapshotGone:
            if self._snapshots.pop(kept.id, None) is not None:
                kept.held.release()
            raise
        return sandbox

    async def discard(self, key: Key, snapshot_id: str) -> None:
        kept = self.snapshot_of(key, snapshot_id)
        del self._snapshots[kept.id]
        await self._end(key, kept.held, kept.snapshot.discard)

    def old_snapshots(self, now: float) -> builtins.list[Kept]:
        """Those that were kept as long as they may be."""
        return [
            kept
            for kept in self._snapshots.values()
            if now - kept.began >= kept.key.quotas.snapshot_seconds
        ]

    # -- ending

    async def close(self, key: Key, sandbox_id: str, why: str = "closed") -> bool:
        """End a sandbox, and a cell that runs in it. False if there is none."""
        sandbox = self._all.get(sandbox_id)
        if sandbox is None or sandbox.key is not key:
            return False
        del self._all[sandbox_id]
        sandbox.is_over = True
        self._watcher.ended(why)
        await self._end(key, sandbox.held, _close, sandbox)
        for context in sandbox.contexts.values():
            context.held.release()
        return True

    async def close_all(self) -> None:
        """End every sandbox and every snapshot."""
        self.is_closing = True
        ending = [self.close(sandbox.key, sandbox.id, "server") for sandbox in self]
        kept, self._snapshots = [*self._snapshots.values()], {}
        await asyncio.gather(
            *ending,
            *(self._end(other.key, other.held, other.snapshot.discard) for other in kept),
            return_exceptions=True,
        )

    async def _end(self, key: Key, held: Held, function: Callable[..., None], *args: Any) -> None:
        """End something of a key, and give back what it used. Each key has its own threads for
        this: those of calls may all be waiting for what is ended here, and what does not end soon
        holds up its own key only."""
        enders = self._enders.get(key)
        if enders is None:
            enders = self._enders[key] = ThreadPoolExecutor(_ENDERS, "fumehood-server-end")
        ending = self._threads.loop.run_in_executor(enders, function, *args)
        ending.add_done_callback(lambda _: held.release())
        await asyncio.shield(ending)


def _open(
    policy: Policy,
    on_fault: Then,
    environment: Mapping[str, str] | None,
    setup: str,
    kept: Kept | None,
) -> LocalPythonExecutor:
    executor = LocalPythonExecutor(policy=policy, on_fault=on_fault)
    try:
        if kept is not None:
            if kept.packages:
                executor.install(*kept.packages)
            executor.restore(kept.snapshot)
        if environment:
            executor.set_environment(environment)
        if setup:
            _set_up(executor, setup)
    except BaseException:
        executor.close()
        raise
    return executor


def _set_up(executor: LocalPythonExecutor, code: str) -> None:
    try:
        executor(code)
    except SandboxFailed:
        raise
    except InterpreterError as error:
        raise Failed(f"the template's setup failed: {str(error).splitlines()[-1]}") from None


def _close(sandbox: Sandbox) -> None:
    for extra in sandbox.extras.values():
        if hasattr(extra, "close"):
            extra.close()
    for context in sandbox.contexts.values():
        context.executor.close()
    sandbox.executor.close()
