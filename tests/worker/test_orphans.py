"""Finding processes by who is above whom, and ending those that nobody knows. All with real
processes, below one of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood.jail import kernel
from fumehood.worker import orphans

from ..jail.forking import in_a_fork


def _apart(body: Callable[[], Any]) -> Any:
    """What a function gives in a process whose children are all its own, and end with it."""

    def alone() -> Any:
        os.setsid()
        kernel.prctl("PR_SET_CHILD_SUBREAPER", 36, 1)
        try:
            return body()
        finally:
            while children := orphans.children_of(os.getpid()):
                orphans.kill_and_see(children)
                for child in children:
                    os.waitpid(child, 0)

    return in_a_fork(alone)


def _start(*then: Callable[[], None]) -> int:
    """A child that does something and then sleeps."""
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            for step in then:
                step()
            os.write(writer, b"\0")
            while True:
                signal.pause()
        finally:
            os._exit(1)
    os.close(writer)
    os.read(reader, 1)
    os.close(reader)
    return pid


def _until(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def _fields(pid: int) -> list[str]:
    """State, parent, group and so on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["X", "0", "0"]


def _is_over(pid: int) -> bool:
    return _fields(pid)[0] in "ZX"


def _living(group: int) -> int:
    found = [_fields(int(path.name)) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return sum(int(fields[2]) == group and fields[0] not in "ZX" for fields in found)


def test_the_dead_are_children_until_somebody_has_waited_for_them() -> None:
    def body() -> list[Any]:
        pid = _start()
        os.kill(pid, signal.SIGKILL)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        before = [pid in orphans.children_of(os.getpid()), _is_over(pid)]
        os.waitpid(pid, 0)
        return [*before, pid in orphans.children_of(os.getpid())]

    assert _apart(body) == [True, True, False]


@pytest.fixture(params=["the kernel's list", "looking at all"])
def a_way_to_find(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "looking at all":

        def refuse(path: str) -> Any:
            if path.endswith("/children"):
                raise FileNotFoundError(path)
            return Path(path).open()

        monkeypatch.setattr(orphans, "open", refuse, raising=False)


def test_children_are_found_with_the_kernel_s_list_and_without(a_way_to_find: None) -> None:
    def body() -> bool:
        children = {_start(), _start(lambda: void(_start()))}
        return orphans.children_of(os.getpid()) == children

    assert _apart(body) is True


def void(_: object) -> None:
    """For what has to be done and gives nothing that is wanted."""


def test_who_is_below_whom() -> None:
    def body() -> list[bool]:
        reader, writer = os.pipe()
        child = _start(lambda: void(os.write(writer, str(_start()).encode())))
        grandchild = int(os.read(reader, 20))
        other = _start()
        return [
            orphans.tree([child]) == {child, grandchild},
            orphans.tree([child, other]) == {child, grandchild, other},
        ]

    assert _apart(body) == [True, True]


def test_what_is_known_is_left_alone_with_all_that_it_has_started() -> None:
    def body() -> list[bool]:
        reader, writer = os.pipe()
        known = _start(lambda: void(os.write(writer, str(_start()).encode())))
        below_known = int(os.read(reader, 20))
        unknown = _start(lambda: void(os.write(writer, str(_start()).encode())))
        below_unknown = int(os.read(reader, 20))

        def find() -> set[int]:
            unknown = orphans.children_of(os.getpid()) - {known}
            return {pid for pid in orphans.tree(unknown) if not _is_over(pid)}

        orphans.end_all(find, {known})
        return [_is_over(pid) for pid in (known, below_known, unknown, below_unknown)]

    assert _apart(body) == [False, False, True, True]


def test_a_crowd_whose_members_start_each_other_is_ended() -> None:
    def multiply() -> None:
        for _ in range(7):
            os.fork()
            time.sleep(0.002)
        time.sleep(60)

    def body() -> int:
        group = os.getpgrp()
        if not os.fork():
            multiply()
            os._exit(0)
        _until(lambda: _living(group) > 8)

        def find() -> set[int]:
            below = orphans.tree([os.getpid()]) - {os.getpid()}
            return {pid for pid in below if not _is_over(pid)}

        orphans.end_all(find, set())
        return _living(group)

    assert _apart(body) == 1


def test_ending_somebody_who_is_gone_harms_nobody() -> None:
    orphans.kill_and_see([1 << 22])


def test_a_sandbox_that_rests_twice_goes_on_when_it_wakes() -> None:
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        throttle = orphans.Throttle()
        throttle.rest(1, {burner.pid}, 0)
        while state_of(burner.pid) != "T":
            throttle.look()
            time.sleep(0.01)
        throttle.rest(1, {burner.pid}, 0)
        throttle.wake(1)
        while state_of(burner.pid) == "T":
            time.sleep(0.01)
    finally:
        burner.kill()
        burner.wait()


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


REUSED = """
import os, signal, time
from fumehood.worker import orphans

def start(busy):
    pid = os.fork()
    while not pid:
        if not busy:
            signal.pause()
    return pid

throttle = orphans.Throttle()
dead = start(False)
throttle.rest(1, {dead}, 0)
os.kill(dead, signal.SIGKILL)
os.waitpid(dead, 0)
time.sleep(0.05)  # the kernel counts starts in hundredths of a second
with open("/proc/sys/kernel/ns_last_pid", "w") as last:
    last.write(str(dead - 1))
other = start(True)
assert other == dead
throttle.rest(2, {own := start(True)}, 0)
states = set()
while len(states) < 2 or orphans._numbers_of(other)["cpu"] < 50:
    throttle.look()
    with open(f"/proc/{own}/stat") as file:
        states.add(file.read().rpartition(")")[2].split()[0])
    with open(f"/proc/{other}/stat") as file:
        assert file.read().rpartition(")")[2].split()[0] != "T"
print("never stopped")
"""


def test_a_process_that_has_the_id_of_a_dead_runner_is_never_stopped() -> None:
    unshare = ["unshare", "-Urpf", "--mount-proc", "--kill-child"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"]).returncode:
        pytest.skip("no pid namespace of its own, in which an id can be given anew")
    done = subprocess.run(
        [*unshare, sys.executable, "-c", REUSED], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "never stopped\n", done.stderr
