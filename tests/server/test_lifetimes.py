"""When a sandbox is to end, moment by moment, without waiting for any."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from fumehood.policy import Policy
from fumehood.server.keys import Key
from fumehood.server.lifetimes import why_over
from fumehood.server.refusals import Conflict
from fumehood.server.sandbox import Sandbox
from fumehood.server.settings import KeySettings, Quotas, Settings
from fumehood.server.shares import Held, Shares
from fumehood.server.threads import Desk, Threads


class Stands:
    """What a sandbox has where others have an executor, in tests that run nothing in it."""

    policy = Policy()


@pytest.fixture
def make() -> Callable[..., Sandbox]:
    def made(timeout: float = 1000, **quotas: Any) -> Sandbox:
        key = Key(KeySettings("alice", b"", quotas=Quotas(**quotas)))
        shares = Shares(Settings(keys=(key.settings,)))
        desk = Desk(Threads(1), 1, 1, 60)
        sandbox = Sandbox(key, Stands(), desk, lambda key, more: None, shares, Held(key))  # type: ignore[arg-type]
        sandbox.set_timeout(timeout)
        return sandbox

    return made


def test_the_clock_goes_on_where_it_stood(make: Callable[..., Sandbox]) -> None:
    sandbox = make(timeout=100, lifetime_seconds=200, idle_seconds=None)
    sandbox.pause()
    assert sandbox.paused is not None
    sandbox.paused -= 70  # since when it is paused
    sandbox.resume()
    assert why_over(sandbox, sandbox.began + 99) == ""
    assert why_over(sandbox, sandbox.began + 101) == "expired"
    assert sandbox.ends - sandbox.began == pytest.approx(100)


def test_what_is_in_use_cannot_be_paused_and_what_is_paused_cannot_be_used(
    make: Callable[..., Sandbox],
) -> None:
    sandbox = make()
    sandbox.calls = 1
    with pytest.raises(Conflict, match="in use"):
        sandbox.pause()
    sandbox.calls = 0
    sandbox.pause()
    with pytest.raises(Conflict, match="paused already"):
        sandbox.pause()
    with pytest.raises(Conflict, match="resume it first"):
        asyncio.run(sandbox.do(print))
    sandbox.resume()
    with pytest.raises(Conflict, match="not paused"):
        sandbox.resume()


def test_one_that_pauses_when_its_time_is_over_is_not_kept_awake_by_being_used(
    make: Callable[..., Sandbox],
) -> None:
    sandbox = make(timeout=100, idle_seconds=None)
    sandbox.pauses = True
    assert why_over(sandbox, sandbox.ends + 1) == "paused"
    sandbox.calls = 1
    assert why_over(sandbox, sandbox.ends + 1) == ""
    assert why_over(sandbox, sandbox.ends + 1000) == "expired"
