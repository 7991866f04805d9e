"""How a server ends: in good order, at once, or by being killed; and what the next one finds."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from ..serving import served
from .asking import Client, until

KEY = "ending-0123456789abcdef0123456789abcdef"


def _started(pid: int) -> tuple[int, str] | None:
    """A process that cannot be taken for a later one of the same number; None if it is gone, or
    only waits to be noticed."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else (pid, fields[19])


def _family(pid: int) -> set[tuple[int, str]]:
    """A process's children, and theirs."""
    found: set[tuple[int, str]] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            one = _started(int(child))
            if one is not None:
                found |= {one} | _family(int(child))
    return found


def _are_gone(family: set[tuple[int, str]]) -> bool:
    return not [pid for pid, since in family if _started(pid) == (pid, since)]


def _in_background(function: Any, *args: Any) -> tuple[threading.Thread, list[Any]]:
    outcome: list[Any] = []

    def work() -> None:
        try:
            outcome.append(function(*args))
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    return thread, outcome


def _is_running(client: Client) -> bool:
    return bool(client.get("/v1/key").json()["running"])


def test_a_cell_that_ends_in_time_is_answered_and_nobody_else_is_let_in(tmp_path: Path) -> None:
    with (
        served(tmp_path, "--import", "time", "--shutdown-seconds", "60", keys=[KEY]) as server,
        Client(server.url, KEY) as client,
    ):
        sandbox = client.create()
        family = _family(server.process.pid)
        assert family
        thread, outcome = _in_background(client.run, sandbox, "import time\ntime.sleep(5)\n'done'")
        until(lambda: _is_running(client), "the cell ran")
        server.process.send_signal(signal.SIGTERM)
        statuses: list[int] = []
        until(
            lambda: (
                statuses.append(client.post("/v1/sandboxes").status_code) or statuses[-1] == 503
            ),
            "others were refused",
        )
        assert client.get("/health").status_code == 200
        client.made.clear()
        thread.join(60)
        assert outcome[0]["value"] == "done"
        assert server.process.wait(60) == 0
        until(lambda: _are_gone(family), "every process was gone")
    assert not list(tmp_path.glob("fumehood-serve-*/server-*"))


@pytest.mark.extended
def test_a_cell_that_does_not_end_is_interrupted(tmp_path: Path) -> None:
    with (
        served(tmp_path, "--shutdown-seconds", "0.2", keys=[KEY]) as server,
        Client(server.url, KEY) as client,
    ):
        sandbox = client.create()
        thread, outcome = _in_background(client.run, sandbox, "while True: pass")
        until(lambda: _is_running(client), "the cell ran")
        client.made.clear()
        assert server.end(signal.SIGINT) == 0
        thread.join(60)
        assert outcome[0]["fault"] == "killed"


@pytest.mark.extended
def test_a_second_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    with (
        served(tmp_path, "--shutdown-seconds", "3000", keys=[KEY]) as server,
        Client(server.url, KEY) as client,
    ):
        sandbox = client.create()
        family = _family(server.process.pid)
        thread, outcome = _in_background(client.run, sandbox, "while True: pass")
        until(lambda: _is_running(client), "the cell ran")
        server.process.send_signal(signal.SIGINT)
        until(lambda: client.get("/v1/key").status_code == 503, "the server was ending")
        client.made.clear()
        server.process.send_signal(signal.SIGINT)
        server.process.wait(60)
        thread.join(60)
        assert isinstance(outcome[0], (httpx.TransportError, AssertionError, dict))
        until(lambda: _are_gone(family), "every process was gone")


@pytest.mark.extended
def test_nothing_is_left_of_a_server_that_was_killed_and_the_next_clears_its_directory(
    tmp_path: Path,
) -> None:
    with served(tmp_path, keys=[KEY]) as server:
        client = Client(server.url, KEY)
        sandbox = client.create()
        client.create()
        client.post(f"/v1/sandboxes/{sandbox}/snapshots")
        family = _family(server.process.pid)
        assert len(family) > 3
        (left,) = tmp_path.glob("fumehood-serve-*/server-*")
        (left / "half an upload").write_bytes(b"x" * 1000)
        server.end(signal.SIGKILL)
        client.made.clear()
        client.close()
        until(lambda: _are_gone(family), "every process was gone")
        assert left.exists(), "nobody was there to remove it"
    with served(tmp_path, keys=[KEY]) as again:
        assert not left.exists()
        (own,) = tmp_path.glob("fumehood-serve-*/server-*")
        with served(tmp_path, keys=[KEY]), Client(again.url, KEY) as client:
            assert own.exists(), "the directory of one that lives is not touched"
            assert client.value(client.create(), "1 + 1") == 2


def test_a_directory_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    directory = tmp_path / "open"
    directory.mkdir()
    directory.chmod(0o777)
    with (
        pytest.raises(AssertionError, match="only this user can write"),
        served(tmp_path, "--directory", str(directory), keys=[KEY]),
    ):
        pass
