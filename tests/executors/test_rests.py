"""When a sandbox rests: no call that has begun is held up, however the two coincide."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from fumehood.executors import supervisor


class Zygote:
    """Takes down what it is asked."""

    processes = SimpleNamespace(is_remote=False)

    def __init__(self) -> None:
        self.requests: list[str] = []

    def rest(self, sandbox: supervisor.Sandbox) -> None:
        self.requests.append("rest")

    def wake(self, sandbox: supervisor.Sandbox) -> None:
        self.requests.append("wake")


class User:
    """`when_seen` runs when the watcher asks for the sandbox."""

    def __init__(self, sandbox: Any, when_seen: Callable[[], None] = lambda: None) -> None:
        self._sandbox, self._when_seen = sandbox, when_seen
        self.turn = threading.Lock()

    @property
    def sandbox(self) -> Any:
        self._when_seen()
        return self._sandbox

    def hold(self) -> bool:
        return self.turn.acquire(blocking=False)

    def let_go(self) -> None:
        self.turn.release()


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> supervisor.Rests:
    """Without the thread: the tests watch themselves."""
    made = supervisor.Rests()
    made._is_watching = True
    naps = iter([None])

    def sleep(_seconds: float) -> None:
        if next(naps, "over") == "over":
            raise StopIteration

    monkeypatch.setattr(supervisor.time, "sleep", sleep)
    return made


@pytest.fixture
def sandbox() -> supervisor.Sandbox:
    return supervisor.Sandbox(Zygote(), 1, None, 0)  # type: ignore[arg-type]


def watch_once(rests: supervisor.Rests) -> None:
    with pytest.raises(StopIteration):
        rests._watch()


def test_a_sandbox_without_calls_rests(rests: Any, sandbox: Any) -> None:
    user = User(sandbox)
    rests.add(user)
    rests.wake(sandbox)
    watch_once(rests)
    assert sandbox.zygote.requests == ["wake", "rest"] and not sandbox.is_awake
    assert user.hold(), "calls can begin again"


def test_a_sandbox_with_a_call_in_progress_stays_awake(rests: Any, sandbox: Any) -> None:
    user = User(sandbox)
    rests.add(user)
    rests.wake(sandbox)
    with user.turn:
        watch_once(rests)
    assert sandbox.zygote.requests == ["wake"] and sandbox.is_awake


def test_a_user_that_comes_while_others_are_looked_at_is_noticed(rests: Any, sandbox: Any) -> None:
    def begin_call() -> None:  # of an executor that is not in the list yet
        if not sandbox.is_awake:
            threading.Thread(target=rests.wake, args=[sandbox]).start()
            assert began.acquire(timeout=60)

    began = threading.Semaphore(0)
    wake = sandbox.zygote.wake
    sandbox.zygote.wake = lambda woken: (wake(woken), began.release())
    user = User(sandbox, begin_call)
    rests.add(user)
    rests.wake(sandbox)
    watch_once(rests)
    while not sandbox.is_awake:
        threading.Event().wait(0.01)
    assert "rest" not in sandbox.zygote.requests
