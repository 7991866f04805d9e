"""Ctrl-C in a driver that waits for nodes: what it waited for ends there, and what it has can be
used."""

from __future__ import annotations

import fcntl
import os
import signal
from pathlib import Path

import pytest

from ..executors.hosts import Host, host
from ..rays import until

# An item has a lock for as long as it lives, however it ends.
ITEM = """
import fcntl, time
mark = open(f"/marks/{input}", "w")
fcntl.flock(mark, fcntl.LOCK_EX)
mark.write("begun")
mark.flush()
time.sleep(3600)
"""

PROGRAM = """
import asyncio
policy = Policy(files=True, language="off", mounts=(Mount({marks!r}, "/marks", writable=True),))
fleet = Fleet({address!r}, per_node={per_node}, policy=policy)
while len(fleet.metrics().nodes) < {nodes}: pass

def in_a_thread(names):
    for result in fleet.run_all({code!r}, names, timeout_seconds=3600): say("over")

async def in_a_task(names):
    async for result in fleet.map({code!r}, names, timeout_seconds=3600): say("over")

for way in (in_a_thread, lambda names: asyncio.run(in_a_task(names))):
    try:
        way([f"{{way.__name__[:3]}}-{{n}}" for n in range(3)])
    except KeyboardInterrupt:
        say("interrupted")
    say([result.value for result in fleet.run_all("input", [1, 2], timeout_seconds=60)])
{then}
fleet.close()
"""

EXECUTOR = """
executor = RayExecutor(address={address!r}, on_output=lambda text: say("running"), timeout_seconds=None)
executor("kept = 1")
try:
    executor.run("kept = 2\\nprint('on', flush=True)\\nwhile True: pass")
except KeyboardInterrupt:
    say("interrupted")
say([executor("kept").output, executor("6 * 7").output])
"""


def _interrupt(driver: Host) -> None:
    os.killpg(driver.process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    assert driver.answer() == "interrupted"


def _begun(marks: Path, way: str) -> list[Path]:
    return [mark for mark in marks.glob(f"{way}-*") if mark.read_text()]


def _lives(mark: Path) -> bool:
    with mark.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def _twice(driver: Host, marks: Path) -> None:
    """Both ways to wait, one after the other."""
    for way in ("in_", "<la"):
        until(lambda way=way: len(_begun(marks, way)) == 2, "two items have begun")  # type: ignore[misc]
        begun = _begun(marks, way)
        assert all(map(_lives, begun))
        _interrupt(driver)
        until(lambda begun=begun: not any(map(_lives, begun)), "what ran has ended")  # type: ignore[misc]
        assert driver.answer() == [1, 2], "the fleet is there"
        assert len(_begun(marks, way)) == 2, "what waited was not begun"


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    made = tmp_path / "marks"
    made.mkdir()
    made.chmod(0o777)  # code is nobody's
    return made


def test_a_fleet_of_this_machine_drops_what_ran_and_can_be_used(marks: Path) -> None:
    with host(
        PROGRAM.format(marks=str(marks), address="local", per_node=2, nodes=1, code=ITEM, then="")
    ) as driver:
        _twice(driver, marks)
        assert driver.process.wait(60) == 0


def test_a_fleet_and_an_executor_on_a_cluster_drop_what_ran_and_can_be_used(
    ray_address: str, marks: Path
) -> None:
    then = EXECUTOR.format(address=ray_address)
    with host(
        PROGRAM.format(
            marks=str(marks), address=ray_address, per_node=1, nodes=2, code=ITEM, then=then
        )
    ) as driver:
        _twice(driver, marks)
        assert driver.answer() == "running"
        _interrupt(driver)
        assert driver.answer() == [
            2,
            42,
        ], "its variables are there, with what the cell has made of them"
        assert driver.process.wait(60) == 0
