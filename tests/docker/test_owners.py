"""Whose a container is, and those that are nobody's."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from typing import ClassVar

import pytest

from fumehood.docker import containers as owners
from fumehood.docker.engine import Engine
from fumehood.errors import DockerFailed

SLEEP = "import time; time.sleep(600)"


@pytest.fixture
def ended():
    """The labels of a process that is gone."""
    program = "import json; from fumehood.docker import containers as owners; print(json.dumps(owners.labels()))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_another_process_of_the_same_number_is_not_the_same():
    assert owners.is_gone({**owners.labels(), owners.STARTED: "1"}) is True


def test_a_dead_process_that_nobody_has_collected_is_gone():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        started = owners._started(process.pid)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert (
            owners.is_gone(
                {**owners.labels(), owners.PID: str(process.pid), owners.STARTED: started or "1"}
            )
            is True
        )


@pytest.mark.parametrize(
    "change",
    [{owners.MACHINE: "another"}, {owners.PID: ""}, {owners.PID: "x"}, {owners.STARTED: ""}],
)
def test_of_what_is_not_known_from_here_nothing_is_said(change):
    assert owners.is_gone({**owners.labels(), **change}) is None
    assert owners.is_gone({}) is None


def test_only_what_is_nobodys_is_swept(engine, start, is_there, ended, monkeypatch):
    # A machine of its own: otherwise other sweeps remove the container while it starts.
    machine = secrets.token_hex(8)
    monkeypatch.setattr(owners, "machine", lambda: machine)
    monkeypatch.setattr(owners, "sweep_once", lambda engine: None)
    living = start(SLEEP)
    with monkeypatch.context() as patched:
        patched.setattr(owners, "labels", lambda: {**ended, owners.MACHINE: machine})
        left = start(SLEEP)
        patched.setattr(owners, "labels", lambda: {**ended, owners.MACHINE: "another"})
        elsewhere = start(SLEEP)
    assert owners.sweep(engine) == 1
    assert not is_there(left.id)
    assert is_there(living.id) and is_there(elsewhere.id)


class BusyEngine(Engine):
    """Fails to remove anything the first time, as an engine does that is busy."""

    refused: ClassVar[list[str]] = []

    def ask(self, method, path, query=None, body=None, *, seconds=30.0):
        if method == "DELETE" and path not in self.refused:
            self.refused.append(path)
            raise DockerFailed(
                "driver failed to remove root filesystem: device or resource busy", status=500
            )
        return Engine.ask(self, method, path, query, body, seconds=seconds)


def test_what_a_busy_engine_did_not_remove_is_removed_later(engine, start, is_there):
    container = start(SLEEP)
    owners._end(BusyEngine(engine.address), container.id, None, os.getpid())
    assert len(BusyEngine.refused) == 1
    while is_there(container.id):
        time.sleep(0.05)
