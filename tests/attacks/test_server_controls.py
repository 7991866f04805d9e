"""Controls of the programs that attack a server: each succeeds with the victim's key in place of
its own, or with a server that holds nothing. That fumehood's holds them is in test_matrix.py. `make
test` runs a share.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood.attack.corpus import Program, names, read
from fumehood.attack.outcomes import Outcome
from fumehood.attack.server.client import Client
from fumehood.attack.server.runs import attempt, victim_on
from fumehood.attack.server.target import KEYS, VICTIM, Target, serving
from fumehood.attack.server.victim import Victim

from .choosing import share

OF_CLIENTS = [read(name) for name in names("server")]


def _of(plain: str) -> list[object]:
    every = [program.name for program in OF_CLIENTS if program.plain == plain]
    chosen = share(every, 6)
    return [
        name if name in chosen else pytest.param(name, marks=pytest.mark.extended) for name in every
    ]


def _is_noticed(outcome: Outcome) -> bool:
    return outcome.ending == "escaped" or bool(outcome.findings or outcome.leaks)


# -- with the victim's key


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with serving(tmp_path_factory.mktemp("server"), guarded=False) as running:
        yield running


@pytest.fixture
def victim(target: Target) -> Iterator[Victim]:
    made = victim_on(target)
    yield made
    client = Client(target.port, 60)
    for kept in client.request("GET", "/v1/snapshots", key=made.key).json["snapshots"]:
        client.request("DELETE", f"/v1/snapshots/{kept['id']}", key=made.key)
    for sandbox in client.request("GET", "/v1/sandboxes", key=made.key).json["sandboxes"]:
        client.request("DELETE", f"/v1/sandboxes/{sandbox['id']}", key=made.key)


@pytest.mark.parametrize("name", _of("owner"))
def test_the_owner_of_a_thing_is_let_have_it(
    name: str, target: Target, victim: Victim, tmp_path: Path
) -> None:
    """Without this, a request with a mistake in it would pass for one that was refused."""
    assert _is_noticed(attempt(read(name), target, victim, KEYS[VICTIM], tmp_path))


def test_an_owner_who_does_nothing_is_not_taken_for_an_attacker(
    target: Target, victim: Victim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "idle.py").write_text("judge(lambda: ask('GET', '/health') and None)\n")
    monkeypatch.setattr("fumehood.attack.server.runs.PROGRAMS", tmp_path)
    assert not _is_noticed(
        attempt(Program("server/idle", {}, ()), target, victim, KEYS[VICTIM], tmp_path)
    )


# -- with a server that holds nothing


class NaiveVictim(Victim):
    """Its server knows nobody, and keeps files and no more."""

    def prepare(self) -> None:
        self.sandbox, self.calling = self._create({}), self._create({})
        self.context, self.snapshot, self.call, self.access = "context", "snapshot", "call", "token"
        self.ask(
            "PUT",
            f"/v1/sandboxes/{self.sandbox}/files/content?path=secret.txt",
            self.token("content").encode(),
        )

    def findings(self) -> list[str]:
        return []


class NaiveServers:
    """One at a time, and another when a program has had it keep very much."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._process: subprocess.Popen[str] | None = None

    def one(self) -> Target:
        if self._process is None or _resident(self._process.pid) > 100 << 20:
            self.close()
            self._start()
        return self._target

    def _start(self) -> None:
        log, stderr = self._directory / "access.jsonl", self._directory / "stderr"
        with stderr.open("w") as complaints:
            command = [sys.executable, str(Path(__file__).with_name("naive_server.py")), str(log)]
            self._process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                env={"TMPDIR": str(self._directory)},
            )
        assert self._process.stdout is not None
        port = int(self._process.stdout.readline())
        self._target = Target(
            port,
            self._process.pid,
            stderr,
            log,
            "",
            patience=3.0,
            blocked_seconds=1.0,
            growth_bytes=16 << 20,
        )

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()


def _resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NaiveServers]:
    made = NaiveServers(tmp_path_factory.mktemp("naive"))
    yield made
    made.close()


@pytest.fixture
def naive(servers: NaiveServers) -> Target:
    return servers.one()


@pytest.mark.parametrize("name", _of("naive"))
def test_a_server_that_holds_nothing_lets_the_program_succeed(
    name: str, naive: Target, tmp_path: Path
) -> None:
    """Without this, a probe that notices nothing would pass for an attack that was held."""
    victim = NaiveVictim(Client(naive.port, naive.patience), "victim", "victim")
    victim.prepare()
    assert _is_noticed(attempt(read(name), naive, victim, "attacker", tmp_path))
