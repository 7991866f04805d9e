"""Template and keepers of a jail in a container: copies are made where they belong, orphans come to
their keeper, and it tells who died."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood.jail import contained, enter, kernel, script, template
from fumehood.jail.script import Script
from fumehood.worker import orphans

from .forking import in_a_fork


@pytest.fixture(params=["machine code", "python"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(contained, "_CODE", {})
        monkeypatch.setattr(script, "_CODE", {})
    elif kernel.MACHINE not in contained._CODE:
        pytest.skip(f"no machine code for {kernel.MACHINE}")


def _be_template(theirs: socket.socket) -> None:
    template.settle(theirs, (), "/")
    keeper, usual = Script(template.SOCKET + 1), Script(template.SOCKET + 1)
    enter.keeper_script(keeper)
    usual.write("greet", template.SOCKET + 1, b"usual")
    packet, outcome = contained.serve(contained.Scripts(keeper, usual), b"ready")
    if packet == contained.USUAL and outcome is None:
        usual.run()
    elif packet == contained.USUAL:
        assert outcome is not None
        usual.has_run(outcome)
    os.closerange(3, 100)  # its keeper's socket among them
    asked = {} if packet == contained.USUAL else json.loads(packet)
    for _ in range(asked.get("orphans", 0)):
        if not os.fork():
            if os.fork():
                os._exit(0)
            asked = {}  # an orphan stays, and starts no others
            break
    if "exit" in asked:
        os._exit(asked["exit"])
    while True:
        signal.pause()


def _as_zygote(body: Callable[[socket.socket], Any]) -> Any:
    """What a function gives that is called with the line to a template, in a process of its own
    that ends with all it has started."""

    def zygote() -> Any:
        kernel.adopt_orphans()
        line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if not os.fork():
            try:
                _be_template(theirs)
            finally:
                os._exit(1)
        theirs.close()
        assert line.recv(100) == b"ready"
        try:
            return body(line)
        finally:
            orphans.end_own_children()

    return in_a_fork(zygote)


def _keeper(line: socket.socket) -> tuple[int, socket.socket]:
    own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        return contained.copy(line, contained.KEEPER, (theirs.fileno(),)), own


def _until(condition: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.001)
    return found


def test_a_keeper_is_a_child_of_the_zygote_and_a_runner_is_one_of_its_keeper() -> None:
    def body(line: socket.socket) -> list[bool]:
        keeper, own = _keeper(line)
        runner = contained.copy(own, b"{}", ())
        parents = [orphans.process(pid).parent for pid in (keeper, runner)]  # type: ignore[union-attr]
        return [parents[0] == os.getpid(), parents[1] == keeper]

    assert _as_zygote(body) == [True, True]


def test_the_usual_runner_has_run_its_script_with_what_it_was_sent() -> None:
    def body(line: socket.socket) -> str:
        _pid, own = _keeper(line)
        reader, writer = os.pipe()
        contained.copy(own, contained.USUAL, (writer,))
        os.close(writer)
        return os.read(reader, 100).decode()

    assert _as_zygote(body) == "usual"


def test_nothing_that_was_sent_stays_open_in_the_keeper() -> None:
    def body(line: socket.socket) -> list[int]:
        keeper, own = _keeper(line)
        reader, writer = os.pipe()
        found = []
        for _ in range(3):
            runner = contained.copy(own, b'{"exit": 0}', (writer, reader))
            _until(lambda runner=runner: contained.ending_of(runner, own, lets_go=True) is not None)
            found.append(len([*Path(f"/proc/{keeper}/fd").iterdir()]))
        return found

    first, *others = _as_zygote(body)
    assert others == [first, first]
    assert first == 6  # the standard three, two for its socket, and a directory


def test_a_keeper_tells_how_its_children_ended_and_of_nobody_else() -> None:
    def body(line: socket.socket) -> list[Any]:
        _pid, own = _keeper(line)
        exits, sleeps = contained.copy(own, b'{"exit": 7}', ()), contained.copy(own, b"{}", ())
        found: list[Any] = [_until(lambda: contained.ending_of(exits, own, lets_go=False))]
        found.append(contained.ending_of(exits, own, lets_go=True))
        found.append(contained.ending_of(exits, own, lets_go=True))  # let go of, and so nobody's
        found.append(contained.ending_of(sleeps, own, lets_go=False))
        os.kill(sleeps, signal.SIGTERM)
        found.append(_until(lambda: contained.ending_of(sleeps, own, lets_go=False)))
        found.append(contained.ending_of(os.getppid(), own, lets_go=True))
        return found

    assert _as_zygote(body) == [7, 7, None, None, -signal.SIGTERM, None]


def test_what_a_dead_runner_leaves_becomes_its_keeper_s() -> None:
    def body(line: socket.socket) -> list[int]:
        keeper, own = _keeper(line)
        other, _line = _keeper(line)
        runner = contained.copy(own, b'{"orphans": 3, "exit": 1}', ())
        _until(lambda: contained.ending_of(runner, own, lets_go=True) is not None)
        _until(
            lambda: (
                sum(
                    seen.parent == keeper and not seen.is_dead
                    for seen in orphans.all_processes().values()
                )
                == 3
            )
        )
        return [len(orphans.children_of(other))]

    assert _as_zygote(body) == [0]


def test_a_killed_keeper_leaves_everybody_to_the_zygote() -> None:
    def body(line: socket.socket) -> bool:
        keeper, own = _keeper(line)
        runner = contained.copy(own, b"{}", ())
        os.kill(keeper, signal.SIGKILL)
        os.waitpid(keeper, 0)
        with contextlib.suppress(template.Gone):
            contained.copy(own, b"{}", ())
            return False
        return runner in orphans.children_of(os.getpid())

    assert _as_zygote(body) is True


def test_one_that_stands_still_is_taken_for_gone() -> None:
    def body(line: socket.socket) -> str:
        keeper, own = _keeper(line)
        os.kill(keeper, signal.SIGSTOP)
        # of this copy alone, and not before the keeper is there: a busy machine takes longer for
        # that
        contained._PATIENCE_SECONDS = 0.05
        try:
            contained.copy(own, b"{}", ())
        except template.Gone as gone:
            return str(gone)
        return ""

    assert "stands still" in _as_zygote(body)


def test_more_than_fits_a_packet_is_an_error_and_no_copy() -> None:
    def body(line: socket.socket) -> list[Any]:
        keeper, own = _keeper(line)
        try:
            contained.copy(own, b"{" + b" " * 5000, ())
        except OSError as error:
            return [str(error), len(orphans.children_of(keeper))]
        return []

    assert _as_zygote(body) == ["too much to tell a runner at once", 0]
