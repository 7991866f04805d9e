"""One program against a server: a hostile client runs here, beside a tenant that must not notice,
and all that came back is looked at."""

from __future__ import annotations

import contextlib
import json
import runpy
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, urlencode

from fumehood.attack.canaries import Canaries
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import PROGRAMS, Program
from fumehood.attack.outcomes import Outcome
from fumehood.attack.server import client as words
from fumehood.attack.server.client import Answer, Client
from fumehood.attack.server.target import KEYS, VICTIM, Target, serving
from fumehood.attack.server.victim import Victim

_LINK_SECONDS = 3600
_WATCH_SECONDS = 0.05


class ServerRuns:
    """Runs programs against one server, which is started for the first of them."""

    def __init__(self, configuration: Configuration, directory: Path) -> None:
        self._configuration = configuration
        self._directory = directory
        self._things = contextlib.ExitStack()
        self._target: Target | None = None

    def run(self, program: Program) -> Outcome:
        if self._target is None:
            room = Path(
                self._things.enter_context(
                    tempfile.TemporaryDirectory(dir=self._directory, prefix="server-")
                )
            )
            self._target = self._things.enter_context(
                serving(room, guarded=self._configuration.guarded)
            )
            self._victim = victim_on(self._target)
        return attempt(program, self._target, self._victim, KEYS["attacker"], self._directory)

    def close(self) -> None:
        """End the server; for another program there would be another."""
        self._things.close()
        self._target = None


def victim_on(target: Target) -> Victim:
    """A tenant that has everything that there is to attack."""
    victim = Victim(
        Client(target.port, max(target.patience, 30.0)), KEYS[VICTIM], VICTIM, {target.planted}
    )
    victim.prepare()
    return victim


@dataclass
class Attacker:
    """Who attacks: with a key of its own, or, to see whether the program would notice, with the
    victim's."""

    key: str
    sandbox: str
    token: str


def attempt(program: Program, target: Target, victim: Victim, key: str, directory: Path) -> Outcome:
    """What became of a program whose client has this key."""
    client = Client(target.port, target.patience)
    made = client.request("POST", "/v1/sandboxes", {}, key=key)
    if not made.is_good:
        raise RuntimeError(f"the attacker cannot have a sandbox: {made.body!r:.200}")
    is_owner = key == victim.key
    token = (
        victim.access
        if is_owner
        else client.request("GET", f"/sandboxes/{made.json['id']}", key=key).json["envdAccessToken"]
    )
    attacker = Attacker(key, made.json["id"], token)
    if is_owner:
        victim.look()
    canaries = Canaries(directory)
    outcome = Outcome()
    client.heard.clear()
    client.statuses.clear()
    target.begin()
    try:
        with _watched(victim, target.blocked_seconds, outcome):
            _run(program, client, attacker, victim, canaries, outcome)
        outcome.findings += [*canaries.findings(), *victim.findings()]
        if "log" in program.host_steps:
            outcome.findings += target.log_findings(
                Client(target.port, target.patience), {victim.key, key}
            )
        outcome.leaks = _leaks(
            b"".join(client.heard) + outcome.value.encode(),
            {*canaries.tokens, *victim.tokens} - {key},
        )
    finally:
        canaries.close()
        _clean_up(Client(target.port, target.patience), attacker, is_owner)
    outcome.findings += target.findings()
    if client.statuses and all(400 <= status < 600 for status in client.statuses):
        outcome.faults = ["refused"]
        outcome.violations = [{"name": str(status)} for status in client.statuses]
    return outcome


def _leaks(heard: bytes, tokens: set[str]) -> list[str]:
    return sorted(token for token in tokens if token.encode() in heard)


def _run(
    program: Program,
    client: Client,
    attacker: Attacker,
    victim: Victim,
    canaries: Canaries,
    outcome: Outcome,
) -> None:
    def judge(attack: Callable[[], object]) -> None:
        """As the word of the other programs: an OSError is a refusal, any other error a mistake of
        the program."""
        try:
            obtained = attack()
        except OSError as error:
            outcome.ending, outcome.value = "held", f"held: {error}"
            return
        outcome.ending = "escaped" if obtained else "held"
        outcome.value = (f"ESCAPED: {obtained}" if obtained else "held: nothing was obtained")[
            :4000
        ]

    def ask(method: str, path: str, body: Any = None, **headers: str) -> Answer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.request(method, path, body, key=attacker.key, headers=named)

    expires = int(time.time()) + _LINK_SECONDS
    link = {"path": "public.txt", "username": "user", "signature_expiration": str(expires)}
    signed = words.signature("public.txt", "read", "user", victim.access, expires)
    given: dict[str, Any] = {
        **canaries.variables,
        **{
            name: getattr(words, name)
            for name in ("TEXT", "BINARY", "CLOSE", "PING", "PONG", "CONTINUATION")
        },
        **{
            name: getattr(words, name)
            for name in (
                "frame",
                "envelope",
                "packed_zeros",
                "signature",
                "answers_in",
                "answer_in",
            )
        },
        **{
            name: getattr(client, name)
            for name in ("line", "raw", "request", "websocket", "patience")
        },
        "mine": attacker,
        "theirs": SimpleNamespace(
            **{
                name: getattr(victim, name)
                for name in ("sandbox", "calling", "context", "snapshot", "call")
            }
        ),
        "here": f"/v1/sandboxes/{attacker.sandbox}",
        "there": f"/v1/sandboxes/{victim.sandbox}",
        "link": {**link, "signature": signed},
        "link_to": lambda **changed: (
            "/files?" + urlencode({**link, "signature": signed, **changed})
        ),
        "signed_for": lambda path: _signed_for(victim, path),
        "ask": ask,
        "judge": judge,
        "run": lambda code: (
            ask("POST", f"/v1/sandboxes/{attacker.sandbox}/run", {"code": code}).json
        ),
        "victim_is_served": lambda: (
            victim.ask("POST", f"/v1/sandboxes/{victim.sandbox}/run", {"code": "1"}).is_good
        ),
        "quote": quote,
        "json": json,
    }
    runpy.run_path(str(PROGRAMS / f"{program.name}.py"), given)


def _signed_for(victim: Victim, path: str) -> str:
    """The signature of a link that the victim makes for whoever may read a file, whose name
    somebody else may have chosen."""
    return words.signature(path, "read", "user", victim.access)


def _clean_up(client: Client, attacker: Attacker, is_owner: bool) -> None:
    """Nothing of the attacker's is there for the next. Of an owner all is the victim's, and whoever
    made that sees to it."""
    kept = client.request("GET", "/v1/snapshots", key=attacker.key)
    made = client.request("GET", "/v1/sandboxes", key=attacker.key)
    if is_owner or not kept.is_good or not made.is_good:
        return
    for one in kept.json["snapshots"]:
        client.request("DELETE", f"/v1/snapshots/{one['id']}", key=attacker.key)
    for one in made.json["sandboxes"]:
        client.request("DELETE", f"/v1/sandboxes/{one['id']}", key=attacker.key)


@contextlib.contextmanager
def _watched(victim: Victim, most_seconds: float, outcome: Outcome) -> Any:
    """Meanwhile the victim asks again and again, as others do, and must not have to wait."""
    is_over = threading.Event()
    longest = [0.0]

    def watch() -> None:
        while not is_over.wait(_WATCH_SECONDS):
            began = time.monotonic()
            with contextlib.suppress(OSError):
                victim.client.request("GET", "/health")
            longest[0] = max(longest[0], time.monotonic() - began)

    watcher = threading.Thread(target=watch, name="fumehood-attack-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_over.set()
        watcher.join()
    victim.client.heard.clear()
    if longest[0] > most_seconds:
        outcome.findings.append(f"somebody else waited {longest[0]:.1f} seconds for an answer")
