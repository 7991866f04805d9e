"""The host to which faults happen: a program of its own, that does what it is told line by line and
says what its caller would see.

It is run by its text (stages.py), behind what every host program can use
(tests/executors/hosts.py): `say`, and all of fumehood's names.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import re
import resource
import signal
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fumehood import (
    DockerExecutor,
    E2BExecutor,
    ExecutorPool,
    Limits,
    LocalPythonExecutor,
    Policy,
    RayExecutor,
)
from fumehood.errors import FumehoodError
from fumehood.executors import supervisor
from fumehood.tunnel import pidfds

_KEPT_THREADS = "fumehood-tool"
"""By name, those that are kept to be used again."""
_RAYS_LOG = re.compile(r"/.*/logs/python-core-driver-.*\.log")
"""By the number of the connection, of which there are two."""
_SETTLED_SECONDS = 30.0
_JOINED_SECONDS = 60.0

say: Callable[[Any], None] = globals()["say"]


def holdings() -> Counter[str]:
    """What this process has that it could leak: descriptors by kind, and threads."""
    found: Counter[str] = Counter()
    for entry in [*Path("/proc/self/fd").iterdir()]:
        with contextlib.suppress(OSError):
            kind = _RAYS_LOG.sub("Ray's log", str(entry.readlink()))
            found[
                f"descriptor {kind if kind.startswith(('anon_inode', '/')) else kind.split(':')[0]}"
            ] += 1
    found.update(
        f"thread {thread.name}"
        for thread in threading.enumerate()
        if thread.name.partition("_")[0] != _KEPT_THREADS
    )
    return found


def seen(action: Callable[[], Any]) -> dict[str, Any]:
    """What a caller gets: a value, an error of the code, or an exception."""
    try:
        execution = action()
    except BaseException as error:
        return {
            "kind": type(error).__name__,
            "text": str(error),
            "is_ours": isinstance(error, FumehoodError),
        }
    if execution.error is None:
        return {"kind": "value", "text": repr(execution.value)}
    fault = execution.fault
    return {
        "kind": f"fault {fault}" if fault else execution.error.type,
        "text": execution.error.message,
        "type": execution.error.type,
    }


class Victim:
    def __init__(self, asked: dict[str, Any]) -> None:
        for name, value in asked["bounds"].items():
            module, _, attribute = name.rpartition(".")
            assert hasattr(importlib.import_module(module), attribute), name
            setattr(importlib.import_module(module), attribute, value)
        self.before = holdings()
        self.begun = threading.Event()
        self.results: list[dict[str, Any]] = []
        self.hoarded: list[int] = []
        place, options = asked["place"], asked["options"]
        limits = Limits(**asked["limits"])
        policy = (
            Policy(imports=("time",), limits=limits)
            if place == "inline"
            else Policy(files=True, language="off", limits=limits)
        )
        self.pool: ExecutorPool | None = None
        self.beside: Any = None
        if place == "pool":
            self.pool = ExecutorPool(1, max_size=3, policy=policy)
            self.lease = self.pool.checkout(60)
            self.executor: Any = self.lease.executor
        else:
            kinds: dict[str, Callable[[], Any]] = {
                "local": lambda: LocalPythonExecutor(policy=policy, **options),
                "inline": lambda: LocalPythonExecutor(policy=policy, isolation="inline", **options),
                "docker": lambda: DockerExecutor(policy=policy, **options),
                "e2b": lambda: E2BExecutor(policy=policy, **options),
                "ray": lambda: RayExecutor(policy=policy, **options),
            }
            self.make = kinds[place]
            if place in (
                "e2b",
                "ray",
            ):  # whose packages keep what they have opened once for the next time
                self.executor = self.make()
                self.leave()
                self.before = holdings()
            self.executor = self.make()
            if asked["alone"]:
                self.move_away()
        self.executor.send_tools({"begun": self.begun.set})
        self.executor("kept = 1")
        self.executor("kept")  # the second cell has a checkpoint, for which it opens a socket

    def move_away(self) -> None:
        """Be on another node than Ray's own part of this process is, which would end with that; and
        have somebody on that one."""
        import ray

        until = time.monotonic() + _JOINED_SECONDS
        while len(self.executor.cluster.nodes()) < 2 and time.monotonic() < until:
            time.sleep(0.1)
        self.beside = self.make()
        if self.executor.node.id == ray.get_runtime_context().get_node_id():
            self.executor, self.beside = self.beside, self.executor
        self.beside("kept = 2")

    def leave(self) -> None:
        """Close the executors, and end the connection to a cluster."""
        cluster = getattr(self.executor, "cluster", None)
        for executor in (self.executor, self.beside):
            if executor is not None:
                executor.close()
        self.executor = self.beside = None
        if cluster is not None:
            import ray

            cluster.close()
            ray.shutdown()
        gc.collect()

    # -- cells

    def run(self, code: str) -> dict[str, Any]:
        return seen(lambda: self.executor.run(code))

    def run_beside(self, code: str) -> dict[str, Any]:
        """On the other node."""
        return seen(lambda: self.beside.run(code))

    def begin(self, code: str) -> bool:
        """Run a cell in another thread; True when it is running."""
        self.begun.clear()
        self.results.clear()
        self.thread = threading.Thread(
            target=lambda: self.results.append(self.run(code)), daemon=True
        )
        self.thread.start()
        return self.begun.wait(60)

    def end(self, seconds: float) -> dict[str, Any]:
        """What came of it; or that it hangs."""
        self.thread.join(seconds)
        return self.results[0] if self.results else {"kind": "hangs", "text": ""}

    def fresh(self) -> dict[str, Any]:
        """What comes of a new executor, in the same place."""
        return seen(self._try_fresh)

    def _try_fresh(self) -> Any:
        if self.pool is not None:
            with self.pool.checkout(60) as lent:
                return lent.run("20 + 22")
        with self.make() as made:
            return made.run("20 + 22")

    def fresh_later(self) -> None:
        self.results.clear()
        self.thread = threading.Thread(
            target=lambda: self.results.append(self.fresh()), daemon=True
        )
        self.thread.start()

    # -- what happens to it from inside

    def where(self) -> Any:
        """By what the place knows its sandbox."""
        place = next(
            (
                found
                for name in ("container", "sandbox", "node")
                if (found := getattr(self.executor, name, None))
            ),
            None,
        )
        return None if place is None else place.id

    def actors(self) -> list[int]:
        """Processes that stand for fumehood on nodes of a cluster, for this process."""
        found = []
        for node in self.executor.cluster.nodes():
            with contextlib.suppress(FumehoodError):
                if node._host is not None:
                    found.append(node.call("about", seconds=60)["pid"])
        return found

    def cut(self) -> None:
        """Break the line to where the sandbox is, as both ends see it when a connection is reset on
        its way."""
        self.executor._session._runner.sandbox.zygote.processes._stream.shutdown(socket.SHUT_RDWR)

    def signal(self, who: str, number: int) -> None:
        """Send a signal to the runner or the init, by the executor's own handle: no other way is
        sure to find the right one."""
        runner = self.executor._session._runner
        if who == "runner":
            runner.signal(number)
        else:
            runner.sandbox.zygote.processes.send_signal(runner.sandbox.init, number)

    def runner(self) -> int:
        """The runner's number."""
        return pidfds.pid_of(self.executor._session._runner.handle)

    def limit(self, name: str, value: int | None) -> None:
        """Set this process's own limit, or take it away again."""
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (hard if value is None else value, hard))

    def mapped(self) -> int:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()

    def hoard(self) -> None:
        """Use up every descriptor but those that are in use."""
        with contextlib.suppress(OSError):
            while True:
                self.hoarded.append(os.dup(0))

    def release(self) -> None:
        while self.hoarded:
            os.close(self.hoarded.pop())

    def close(self) -> list[str]:
        """End everything; gives what is left of it in this process."""
        if self.pool is not None:
            self.lease.close()
            self.pool.close()
            self.pool = None
        self.leave()
        supervisor.close_all()
        until = time.monotonic() + _SETTLED_SECONDS
        while (left := holdings() - self.before) and time.monotonic() < until:
            time.sleep(0.02)
            gc.collect()
        return [f"{count} × {what}" for what, count in left.items()]


def lines() -> Iterator[list[Any]]:
    while line := sys.stdin.readline():
        yield json.loads(line)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        victim = Victim(json.loads(os.environ["VICTIM"]))
    except Exception as error:
        say(
            {
                "kind": type(error).__name__,
                "text": str(error),
                "is_ours": isinstance(error, FumehoodError),
            }
        )
        return
    say("ready")
    for name, *arguments in lines():
        say(getattr(victim, name)(*arguments))
