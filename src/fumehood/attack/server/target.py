"""A server that is attacked, as it is seen from outside: whether it lives, what it complains of,
what it holds, what its log says."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fumehood.attack.asking import HostNeverBegan
from fumehood.attack.sandboxed import HOST_GROWTH_BYTES
from fumehood.attack.server.client import Client

VICTIM = f"tenant-{secrets.token_hex(8)}"
"""The name of the key that is attacked: nobody else may come to know that there is such a
tenant."""
KEYS = {VICTIM: secrets.token_hex(24), "attacker": secrets.token_hex(24)}

# Small bounds, so that a program reaches them soon: what is too long, too slow or too much is the
# same thing at any size.
_SETTINGS = """
header_seconds = 1
body_seconds = 1
keep_alive_seconds = 2
heartbeat_seconds = 0.5
body_bytes = 300_000
upload_bytes = 3_000_000
spool_bytes = 20_000_000
connections_per_address = 1000
max_sandboxes = 60

[policy]
imports = ["os", "threading", "time"]
language = "{language}"
limits = {{cell_seconds = 20}}

[templates.private]
setup = "planted = '{planted}'"

[keys.{victim}]
key = "{victim_key}"
templates = ["private"]

[keys.attacker]
key = "{attacker_key}"
quotas = {{sandboxes = 6, cells = 2, waiting = 4, snapshots = 2, contexts = 2, patience_seconds = 1}}
"""  # noqa: E501

_DESCRIPTORS = 512
"""Few enough that a program can try to use them up."""


def _few_descriptors() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (_DESCRIPTORS, _DESCRIPTORS))


_READY = re.compile(r"fumehood: listening on http://\S+:(\d+)")
_LINE_FIELDS = frozenset(
    "time request client key method route status received sent seconds sandbox path refused"
    " left_out".split()
)
_SLACK_DESCRIPTORS = 16
"""A spare sandbox may have been made meanwhile."""


@dataclass
class Target:
    """A server that runs. `planted` is a canary of its settings."""

    port: int
    pid: int
    stderr: Path
    log: Path
    planted: str
    patience: float = 60.0
    """How long anything is waited for. A server that is in time is never waited for as long,
    however busy the machine."""
    blocked_seconds: float = 10.0
    """Others may not have to wait longer than this while it is attacked."""
    growth_bytes: int = HOST_GROWTH_BYTES
    """So much more memory it may have for a while."""

    def begin(self) -> None:
        """From now on what is seen is the program's doing."""
        self._complained = self.stderr.stat().st_size
        self._logged = self.log.stat().st_size if self.log.exists() else 0
        self._descriptors = self._open_descriptors()
        with contextlib.suppress(OSError):
            Path(f"/proc/{self.pid}/clear_refs").write_text("5")
        self._memory = self._peak()

    def findings(self) -> list[str]:
        if not Path(f"/proc/{self.pid}").exists():
            return ["the server is gone"]
        found = []
        if (growth := self._peak() - self._memory) > self.growth_bytes:
            found.append(f"the server took {growth >> 20} MB")
        end = time.monotonic() + self.patience
        while (
            more := self._open_descriptors() - self._descriptors
        ) > _SLACK_DESCRIPTORS and time.monotonic() < end:
            time.sleep(0.05)
        if more > _SLACK_DESCRIPTORS:
            found.append(f"the server keeps {more} descriptors")
        with self.stderr.open("rb") as file:
            file.seek(self._complained)
            if said := file.read(100_000).decode(errors="replace").strip():
                found.append(f"the server failed: {said.splitlines()[-1]}")
        return found

    def log_findings(self, client: Client, tokens: set[str]) -> list[str]:
        """Whether the access log is still one line for each request, of the server's own making."""
        head = client.request("GET", "/health").head.decode("latin-1")
        own = re.search(r"(?im)^x-request-id: (\S+)\r?$", head)
        if own is None:
            return ["an answer without an id"]
        end = time.monotonic() + self.patience
        while own[1] not in (text := self._new_lines()) and time.monotonic() < end:
            time.sleep(0.02)
        found = [f"the log holds {token[:12]}…" for token in tokens if token in text]
        lines = text.splitlines()
        if len(lines) != text.count("\n"):
            found.append("a line of the log is no line to everybody")
        seen = set()
        for line in lines:
            try:
                told = json.loads(line)
                is_known = (
                    told.keys() <= _LINE_FIELDS
                    and told["request"][:12] == own[1][:12]
                    and told["request"] not in seen
                )
                seen.add(told["request"])
            except (ValueError, AttributeError, KeyError, TypeError):
                is_known = False
            if not is_known:
                found.append(f"the log has a line that the server did not make: {line[:100]!r}")
        return found

    def _new_lines(self) -> str:
        if not self.log.exists():
            return ""
        with self.log.open("rb") as file:
            file.seek(self._logged)
            return file.read().decode(errors="replace")

    def _open_descriptors(self) -> int:
        with contextlib.suppress(OSError):
            return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))
        return 0

    def _peak(self) -> int:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) << 10
        return 0


@contextlib.contextmanager
def serving(directory: Path, *, guarded: bool) -> Iterator[Target]:
    """A `fumehood serve` on a free port of loopback, with two tenants. HostNeverBegan if there is
    none to be had."""
    planted = f"CANARY-setup-{secrets.token_hex(16)}"
    config, stderr, log = (
        directory / "server.toml",
        directory / "server.stderr",
        directory / "access.jsonl",
    )
    text = _SETTINGS.format(
        language="guarded" if guarded else "off",
        planted=planted,
        victim=VICTIM,
        victim_key=KEYS[VICTIM],
        attacker_key=KEYS["attacker"],
    )
    config.touch(0o600)
    config.write_text(text)
    environment = {**os.environ, "FUMEHOOD_API_KEYS": "", "TMPDIR": str(directory)}
    command = [
        sys.executable,
        "-m",
        "fumehood.cli",
        "serve",
        "--config",
        str(config),
        "--port",
        "0",
        "--log",
        str(log),
    ]
    with stderr.open("w") as complaints:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            env=environment,
            preexec_fn=_few_descriptors,
        )
    assert process.stdout is not None
    try:
        ready = next((found for line in process.stdout if (found := _READY.match(line))), None)
        if ready is None:
            said = stderr.read_text().strip().splitlines()
            raise HostNeverBegan(
                f"the server did not start: {said[-1] if said else 'it said nothing'}"
            )
        yield Target(int(ready[1]), process.pid, stderr, log, planted)
    finally:
        process.kill()  # its sandboxes end with it, however it ends
        process.wait()
        process.stdout.close()
