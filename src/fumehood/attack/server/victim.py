"""The tenant that is attacked: what it has, what of that nobody else may come to know, and whether
it still has it.

An attacker is told its ids, as if they had leaked: they are to be of no use. What is behind them
are canaries.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from fumehood.attack.canaries import canary
from fumehood.attack.server.client import Answer, Client

TOOL = {
    "name": "ask_owner",
    "description": "Asks whoever owns this sandbox.",
    "inputs": {"what": {"type": "string"}},
    "timeout_seconds": 3600,
}
PUBLIC = b"what everybody who has the link may read"


@dataclass
class Victim:
    """One set of things on one server, with a key that makes them."""

    client: Client
    key: str
    name: str
    tokens: set[str] = field(default_factory=set)
    sandbox: str = ""
    calling: str = ""
    """A sandbox in which a cell waits for the answer to a call."""
    context: str = ""
    snapshot: str = ""
    call: str = ""
    access: str = ""
    """The token of its sandbox: an attacker is not told it, and a link is made with it."""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        return self.client.request(method, path, body, key=self.key, headers=headers)

    def token(self, word: str) -> str:
        self.tokens.add(made := canary(word))
        return made

    def prepare(self) -> None:
        """Have everything that there is to attack."""
        self.tokens |= {self.key, self.name}
        self.sandbox = self._create({"metadata": {"note": self.token("metadata")}})
        self._hidden = self._create({})
        self.tokens.add(self._hidden)
        here = f"/v1/sandboxes/{self.sandbox}"
        self._secret, self._content, self._inner = (
            self.token("variable"),
            self.token("content"),
            self.token("context"),
        )
        self.ask("PUT", f"{here}/variables", {"variables": {"secret": self._secret}})
        self.ask("PUT", f"{here}/files/content?path=secret.txt", self._content.encode())
        self.ask("PUT", f"{here}/files/content?path=public.txt", PUBLIC)
        self.context = self.ask("POST", f"{here}/contexts", {}).json["id"]
        self.ask(
            "PUT",
            f"{here}/variables",
            {"variables": {"inner": self._inner}, "context": self.context},
        )
        self.snapshot = self.ask(
            "POST", f"{here}/snapshots", {"name": self.token("snapshot")}
        ).json["id"]
        self.access = self.ask("GET", f"/sandboxes/{self.sandbox}").json["envdAccessToken"]
        self.tokens.add(self.access)
        self._begin_call()
        self._runs()
        self.look()

    def look(self) -> None:
        """From now on what is changed is an attacker's doing."""
        self._before = self._state()

    def _create(self, body: dict[str, Any]) -> str:
        made = self.ask("POST", "/v1/sandboxes", body)
        if not made.is_good:
            raise RuntimeError(f"the victim cannot have a sandbox: {made.body!r:.200}")
        return str(made.json["id"])

    def _begin_call(self) -> None:
        """Code in a sandbox of the victim's asks its owner something, and waits."""
        self.calling = self._create({})
        here = f"/v1/sandboxes/{self.calling}"
        self.ask("POST", f"{here}/tools", {"tools": [TOOL]})
        code = f"ask_owner({self.token('argument')!r})"
        threading.Thread(
            target=self.ask, args=("POST", f"{here}/run", {"code": code}), daemon=True
        ).start()
        while not (calls := self.ask("GET", f"{here}/calls?wait_seconds=30").json["calls"]):
            pass
        self.call = calls[0]["call"]

    # -- what is seen of it

    def _state(self) -> dict[str, object]:
        """What must be the same after an attack as before it."""
        here = f"/v1/sandboxes/{self.sandbox}"
        about = self.ask("GET", here)
        return {
            "its sandbox": (
                {name: about.json[name] for name in ("state", "metadata", "contexts")}
                if about.is_good
                else about.status
            ),
            # Counted from a clock of its own each time, so not the same to the second.
            "its time": (
                round(about.json["expires"] - about.json["created"], -2) if about.is_good else 0
            ),
            "its other sandbox": self.ask("GET", f"/v1/sandboxes/{self._hidden}").status,
            "its variable": self.ask("GET", f"{here}/variables/secret").body,
            "its variables": sorted(self.ask("GET", f"{here}/variables").json.get("names", [])),
            "its context": self.ask("GET", f"{here}/variables/inner?context={self.context}").body,
            "its file": self.ask("GET", f"{here}/files/content?path=secret.txt").body,
            "its files": sorted(
                entry["path"] for entry in self.ask("GET", f"{here}/files").json.get("entries", [])
            ),
            "its snapshots": [
                kept["id"] for kept in self.ask("GET", "/v1/snapshots").json.get("snapshots", [])
            ],
            "its tools": self.ask("GET", f"{here}/tools").body,
            "the call that waits for its answer": (
                self.ask("GET", f"/v1/sandboxes/{self.calling}/calls").body
            ),
            "its number of sandboxes": len(
                self.ask("GET", "/v1/sandboxes").json.get("sandboxes", [])
            ),
        }

    def findings(self) -> list[str]:
        """What an attack did to it, in words."""
        try:
            now = self._state()
            found = [
                f"the victim has lost or sees changed: {what}"
                for what, was in self._before.items()
                if now[what] != was
            ]
            if not self._runs():
                found.append("the victim's code does not run")
        except (ValueError, KeyError) as error:
            return [f"the victim gets no proper answer: {error}"]
        return found

    def _runs(self) -> bool:
        ran = self.ask("POST", f"/v1/sandboxes/{self.sandbox}/run", {"code": "20 + 22"})
        return ran.is_good and ran.json["value"] == 42
