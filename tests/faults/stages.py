"""Where a fault happens: a host with a sandbox in one of the places, and what can be seen of both
from outside."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import fumehood
from fumehood.docker.engine import Engine

from ..clouds import Serving
from ..containers import of_process
from ..executors.hosts import (
    answer_of,
    cgroups,
    cgroups_of,
    descendants,
    host,
    living,
    mounts,
    named,
    wait_until,
)
from ..server.asking import Client
from ..serving import served
from .relays import Relay

_VICTIM = (
    f"exec(compile({Path(__file__).with_name('victim.py').read_text()!r}, 'victim', 'exec'),"
    " globals())\nmain()"
)
_KEY = "faults-0123456789abcdef0123456789abcdef"
_LEFT_SECONDS = 60.0
_FIRST_SECONDS = 240.0
"""For what comes first, which is to import and to start everything."""
_PATIENCE = {"ray": 120.0}
"""How long a host may take to answer, in seconds, where that is more than usual: actors are
processes that import much."""
_OURS = ("relayed", "jump", "access.jsonl", "stderr.txt", "server.toml")
"""Files of the stage itself."""
_SHARED = re.compile(r".*/fumehood-serve-\d+/lock")
"""What all servers of a user have in common, and none of them removes."""


@dataclass(frozen=True)
class Told:
    """What a caller sees: a value, a fault of the cell, an error; and its words."""

    kind: str
    text: str
    is_ours: bool = True

    @classmethod
    def of(cls, answer: dict[str, Any]) -> Told:
        return cls(answer["kind"], answer["text"], answer.get("is_ours", True))


@dataclass
class Around:
    """What a place needs that is not the host's, made when it is needed: `find` gives a fixture by
    its name."""

    find: Callable[[str], Any]
    relay: Relay | None = None

    @property
    def engine(self) -> Engine:
        found: Engine = self.find("engine")
        return found

    @property
    def cloud(self) -> Serving:
        found: Serving = self.find("cloud")
        return found

    def options(
        self, place: str, directory: Path, *, by_relay: bool, alone: bool
    ) -> dict[str, Any]:
        """Arguments for an executor of a place; by way of a line that can be cut, or on a cluster
        that nobody else uses, if asked."""
        if place == "ray":
            return {"address": self.find("ray_address_alone" if alone else "ray_address")}
        if place == "docker":
            engine = self.engine
            self.find(
                "containers"
            )  # which has the image built: no fault is to be blamed for the time that takes
            options: dict[str, Any] = {"base": self.find("base")}
            if by_relay:
                path = Path(str(engine.address).partition("://")[2])
                if not path.is_socket():
                    pytest.skip("the engine is not at a path of this machine")
                self.relay = Relay(lambda: _dial(path), directory / "relayed")
                options["host"] = f"unix://{directory}/relayed"
            return options
        if place == "e2b":
            options = {**self.cloud.options, "retries": 0}
            if by_relay:
                there = urlsplit(self.cloud.url)
                self.relay = Relay(
                    lambda: socket.create_connection((there.hostname, there.port), 10)
                )
                options |= dict.fromkeys(
                    ("api_url", "sandbox_url"), f"http://127.0.0.1:{self.relay.port}"
                )
            return options
        return {}


def _dial(path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.connect(str(path))
    return made


@dataclass
class Wish:
    """What a fault wants of its stage."""

    limits: Mapping[str, Any] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)
    """Waits of ours, by module and name, made shorter than they are: so long nobody wants to wait
    for a test."""
    by_relay: bool = False
    alone: bool = False
    """On a cluster that nobody else uses, and on a node of it that can be lost."""
    before_exec: Callable[[Path], None] | None = None
    """Done in the host's process before it begins, given its directory of temporary files."""
    environment: Callable[[Path], dict[str, str]] = lambda directory: {}


class Stage:
    """One host of one place. `seen` collects every process of it that was ever looked at."""

    place: str
    relay: Relay | None = None

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.directory = Path(tempfile.mkdtemp(prefix="faults-"))
        self._mounts = mounts()
        self._others_groups = {*cgroups()}

    # -- to be had by each kind

    @property
    def pid(self) -> int:
        raise NotImplementedError

    def run(self, code: str) -> Told:
        raise NotImplementedError

    def begin(self, code: str) -> None:
        raise NotImplementedError

    def end(self, seconds: float = 50) -> Told:
        raise NotImplementedError

    def fresh(self) -> Told:
        raise NotImplementedError

    def close(self) -> list[str]:
        """End what the host has; gives what is left of it there."""
        raise NotImplementedError

    def end_host(self) -> None:
        raise NotImplementedError

    def found(self) -> set[int]:
        """Processes of the host and of its sandboxes, but not the host itself."""
        return descendants(self.pid)

    def left_elsewhere(self) -> list[str]:
        return []

    # -- what all have

    def processes(self) -> set[int]:
        found = self.found()
        self.seen |= found
        return found

    def pids(self, name: str) -> list[int]:
        if name == "host":
            return [self.pid]
        found = named(self.processes(), f"fumehood-{name}")
        if name == "zygote":  # inits have its name, and are below it
            found = [
                pid
                for pid in found
                if not any(pid in descendants(other) for other in found if other != pid)
            ]
        assert found, f"no {name} is there"
        return found

    def send(self, name: str, number: int) -> None:
        """A signal to processes of some kind."""
        for pid in self.pids(name):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def see_dead(self, pids: set[int]) -> None:
        wait_until(lambda: not living(pids), "they are dead")

    def left(self) -> list[str]:
        """What is left on the machine when the host is over, and others of its kind have swept what
        is theirs to sweep."""
        until = time.monotonic() + max(_LEFT_SECONDS, _PATIENCE.get(self.place, 0))
        while (found := self._left()) and time.monotonic() < until:
            time.sleep(0.05)
        shutil.rmtree(self.directory, ignore_errors=True)
        return found

    def _left(self) -> list[str]:
        found = [f"process {pid}" for pid in living(self.seen)]
        if not found and self._groups():
            # Of a supervisor that was killed: the next one sweeps it.
            answer_of("LocalPythonExecutor().close()\nsay(0)")
        found += [f"cgroup {name}" for name in self._groups()]
        found += [
            f"mount {line}"
            for line in mounts()
            if line not in self._mounts and str(self.directory) in line
        ]
        files = [
            path
            for path in self.directory.rglob("*")
            if not path.is_dir() and path.name not in _OURS
        ]
        files = [path for path in files if not _SHARED.fullmatch(str(path))]
        found += [f"file {path.relative_to(self.directory)}" for path in files]
        return found + self.left_elsewhere()

    def _groups(self) -> list[str]:
        """Numbers of processes come again: what was there before is somebody else's."""
        return [name for name in cgroups_of(self.seen) if name not in self._others_groups]


class HostStage(Stage):
    """A program that uses fumehood."""

    def __init__(self, place: str, around: Around, wish: Wish) -> None:
        super().__init__()
        self.place, self._around = place, around
        options = around.options(place, self.directory, by_relay=wish.by_relay, alone=wish.alone)
        self.relay = around.relay
        self.actors: set[int] = set()
        self._patience = _PATIENCE.get(place, 60.0)
        asked = {
            "place": place,
            "options": options,
            "limits": {**wish.limits},
            "bounds": {**wish.bounds},
            "alone": wish.alone,
        }
        environment = {
            **os.environ,
            "PYTHONPATH": _path(),
            "TMPDIR": str(self.directory),
            "VICTIM": json.dumps(asked),
        }
        before = None if wish.before_exec is None else (lambda: wish.before_exec(self.directory))  # type: ignore[misc]
        self._others = {*around.cloud.cloud.alive} if place == "e2b" else set()
        self._holding = host(
            _VICTIM,
            before,
            stdin=subprocess.PIPE,
            env={**environment, **wish.environment(self.directory)},
        )
        self.host = self._holding.__enter__()
        try:
            first = self.host.answer(_FIRST_SECONDS)
            assert first == "ready", first
            self._see_actors()
        except BaseException:
            self.end_host()
            raise

    @property
    def pid(self) -> int:
        return self.host.process.pid

    def ask(self, *words: Any) -> Any:
        self.tell(*words)
        return self.host.answer(self._patience)

    def tell(self, *words: Any) -> None:
        assert self.host.process.stdin is not None
        self.host.process.stdin.write(json.dumps(words).encode() + b"\n")
        self.host.process.stdin.flush()

    def run(self, code: str) -> Told:
        return Told.of(self.ask("run", code))

    def begin(self, code: str) -> None:
        assert self.ask("begin", code) is True
        self.processes()

    def end(self, seconds: float = 50) -> Told:
        return Told.of(self.ask("end", seconds))

    def fresh(self) -> Told:
        return Told.of(self.ask("fresh"))

    def _see_actors(self) -> None:
        """Those of its processes that are below a cluster's, and not below it."""
        if self.place == "ray":
            self.actors = {*self.ask("actors")}
            self.processes()

    def raylet(self) -> int:
        """The process of a cluster that is the node of the sandbox."""
        node = self.ask("where")
        found = [
            int(entry.name) for entry in Path("/proc").glob("[0-9]*") if _is_raylet(entry, node)
        ]
        assert len(found) == 1, found
        return found[0]

    def close(self) -> list[str]:
        self._see_actors()
        self.processes()
        left: list[str] = self.ask("close")
        return left

    def end_host(self) -> None:
        self.processes()
        self._holding.__exit__(None, None, None)
        if self.relay is not None:
            self.relay.close()

    def found(self) -> set[int]:
        found = descendants(self.pid)
        if self.place == "docker":
            for name in of_process(self._around.engine, self.pid):
                with contextlib.suppress(Exception):
                    told = self._around.engine.ask(
                        "GET", f"/containers/{name.lstrip('/')}/top", {"ps_args": "-eo pid,comm"}
                    )
                    found |= {int(row[0]) for row in told["Processes"]}
        if self.place == "e2b":
            for name in {*self._around.cloud.cloud.alive} - self._others:
                for pid in self._around.cloud.cloud.sandboxes[name].processes:
                    found |= {pid, *descendants(pid)}
        for pid in self.actors:
            found |= {pid, *descendants(pid)}
        return found

    def expire(self, keep: str | None = None) -> None:
        """The service ends the sandboxes of this stage, except `keep`, as when their time ends."""
        for name in {*self._around.cloud.cloud.alive} - self._others - {keep}:
            self._around.cloud.cloud.sandboxes[name].ends_at = 0.0

    def left_elsewhere(self) -> list[str]:
        if self.place == "docker":
            return [f"container {name}" for name in of_process(self._around.engine, self.pid)]
        if self.place == "e2b":
            return [
                f"sandbox {name} of the service"
                for name in {*self._around.cloud.cloud.alive} - self._others
            ]
        return []


class ServerStage(Stage):
    """A real `fumehood serve`, and a client of it."""

    place = "server"

    def __init__(self, around: Around, wish: Wish) -> None:
        super().__init__()
        config = self.directory / "server.toml"
        limits = "".join(f"{name} = {value}\n" for name, value in wish.limits.items())
        config.write_text(
            '[policy]\nimports = ["time"]\nlanguage = "off"\nfiles ='
            f" true\n[policy.limits]\n{limits}"
        )
        config.chmod(0o600)
        home = self.directory / "home"
        home.mkdir()
        before = None if wish.before_exec is None else (lambda: wish.before_exec(home))  # type: ignore[misc]
        self._holding = served(
            home,
            "--config",
            str(config),
            keys=[_KEY],
            environment=wish.environment(self.directory),
            before_exec=before,
        )
        self.server = self._holding.__enter__()
        if wish.by_relay:
            self.relay = Relay(
                lambda: socket.create_connection(("127.0.0.1", self.server.port), 10)
            )
        self.client = Client(self.server.url, _KEY)
        self.sandbox = self.client.create()
        self.run("kept = 1")

    @property
    def pid(self) -> int:
        return self.server.process.pid

    def run(self, code: str, client: Client | None = None) -> Told:
        try:
            answer = (client or self.client).post(
                f"/v1/sandboxes/{self.sandbox}/run", json={"code": code}
            )
        except Exception as error:
            return Told(type(error).__name__, str(error), is_ours=False)
        return _told(answer)

    def begin(self, code: str) -> None:
        """By way of the line that can be cut, if there is one."""
        self.results: list[Told] = []
        client = Client(f"http://127.0.0.1:{self.relay.port}", _KEY) if self.relay else self.client

        def work() -> None:
            self.results.append(self.run(code.replace("begun()", "pass"), client))

        self.thread = threading.Thread(target=work, daemon=True)
        self.thread.start()
        wait_until(
            lambda: bool(self.client.get("/v1/key").json()["running"]), "the cell is running"
        )
        self.processes()

    def end(self, seconds: float = 50) -> Told:
        self.thread.join(seconds)
        return self.results[0] if self.results else Told("hangs", "", is_ours=False)

    def fresh(self) -> Told:
        try:
            answer = self.client.post("/v1/sandboxes", json={})
            if answer.status_code != 201:
                return _told(answer)
            made = answer.json()["id"]
            self.client.made.append(made)
            told = _told(self.client.post(f"/v1/sandboxes/{made}/run", json={"code": "20 + 22"}))
            self.client.delete(f"/v1/sandboxes/{made}")
            return told
        except Exception as error:
            return Told(type(error).__name__, str(error), is_ours=False)

    def close(self) -> list[str]:
        self.processes()
        self.client.close()
        code = self.server.end()
        return [] if code == 0 else [f"the server ended with {code}"]

    def end_host(self) -> None:
        self.processes()
        if self.relay is not None:
            self.relay.close()
        self._holding.__exit__(None, None, None)
        home = self.directory / "home"
        if [*home.glob("*/server-*")]:  # of one that was killed: the next clears it
            with served(home, keys=[_KEY]):
                pass


def _is_raylet(entry: Path, node: str) -> bool:
    try:
        words = (entry / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return words[0].endswith(b"/raylet") and f"--node_id={node}".encode() in words


def _told(answer: Any) -> Told:
    body = answer.json()
    if answer.status_code not in (200, 201):
        return Told(f"HTTP {answer.status_code}", body.get("message", ""))
    if body.get("error"):
        return Told(
            f"fault {body['fault']}" if body.get("fault") else body["error"]["type"],
            body["error"]["message"],
        )
    return Told("value", repr(body.get("value")))


def _path() -> str:
    return os.pathsep.join(
        [
            str(Path(fumehood.__file__).parents[1]),
            *(path for path in sys.path if path.endswith("-packages")),
        ]
    )


@contextlib.contextmanager
def stage(place: str, around: Around, wish: Wish) -> Iterator[Any]:
    made = ServerStage(around, wish) if place == "server" else HostStage(place, around, wish)
    try:
        yield made
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(made.pid, signal.SIGCONT)
        made.end_host()
