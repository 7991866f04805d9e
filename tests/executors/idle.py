"""Executors that do nothing, and a workshop that makes them when it may: a pool's races, one step
at a time."""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fumehood import Execution, ExecutorPool, Policy, PythonExecutor

MakePool = Callable[..., ExecutorPool]


class Idle(PythonExecutor):
    """An executor that runs nothing and says what became of it."""

    def __init__(self) -> None:
        self.lives = True
        self.closings = 0
        self.static_tools: Mapping[str, Any] = {}

    def is_alive(self) -> bool:
        return self.lives

    def close(self) -> None:
        self.closings += 1
        self.lives = False

    @property
    def state(self) -> dict[str, Any]:
        return {}

    def run(self, code: str) -> Execution:
        return Execution()

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        self.static_tools = tools

    def send_variables(self, variables: Mapping[str, Any]) -> None: ...

    def interrupt(self) -> bool:
        return False

    def report(self) -> str:
        return "nothing"


class Workshop:
    """Makes executors that do nothing, when it may."""

    def __init__(self) -> None:
        self.made: list[weakref.ref[Idle]] = []
        self.is_open = threading.Event()
        self.is_open.set()
        self.asked = threading.Semaphore(0)
        self.failure: BaseException | None = None

    def __call__(self, policy: Policy) -> PythonExecutor:
        self.asked.release()
        assert self.is_open.wait(60)
        if self.failure is not None:
            raise self.failure
        executor = Idle()
        self.made.append(weakref.ref(executor))
        return executor

    def living(self) -> int:
        return sum(1 for made in self.made if (executor := made()) is not None and executor.lives)


@contextlib.contextmanager
def pools(workshop: Workshop) -> Iterator[MakePool]:
    """Makes pools whose executors come from a workshop, and closes them."""
    made: list[ExecutorPool] = []

    def make(size: int = 1, max_size: int = 2, **options: Any) -> ExecutorPool:
        made.append(ExecutorPool(size, max_size=max_size, **{"make": workshop, **options}))
        return made[-1]

    yield make
    workshop.is_open.set()
    for pool in made:
        pool.close(0)


def is_full(pool: ExecutorPool) -> bool:
    stats = pool.stats()
    return (
        stats.ready == pool.size
        and stats.starting == 0
        and stats.alive == stats.ready + stats.in_use
    )


def in_thread(function: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """A function under way in a thread, and where its result or its exception will be."""
    results: list[Any] = []

    def work() -> None:
        try:
            results.append(function())
        except BaseException as error:
            results.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread, results


def result_of(started: tuple[threading.Thread, list[Any]]) -> Any:
    started[0].join(60)
    assert started[1], "hangs"
    return started[1][0]
