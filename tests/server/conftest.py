"""One server for most tests, with several keys: each test uses the key whose quotas it is about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ..serving import Served, served
from .asking import Client

KEYS = {
    name: f"{name}-0123456789abcdef0123456789abcdef"
    for name in ("alice", "bob", "small", "brief", "slow", "forgetful")
}

CONFIG = """
upload_bytes = 3_000_000
body_bytes = 300_000
header_seconds = 5
body_seconds = 5
heartbeat_seconds = 0.3

[policy]
imports = ["time"]

[keys.alice]
key = "{alice}"
templates = ["counting"]

[keys.bob]
key = "{bob}"

[keys.small]
key = "{small}"
quotas = {{sandboxes = 2, snapshots = 1, contexts = 1, cells = 1, waiting = 1, patience_seconds = 30}}
policy = {{limits = {{cell_seconds = 20, memory_bytes = 100_000_000}}}}

[keys.brief]
key = "{brief}"
quotas = {{lifetime_seconds = 1.5}}

[keys.forgetful]
key = "{forgetful}"
quotas = {{idle_seconds = 4, paused_seconds = 1.5, snapshot_seconds = 1}}

[keys.slow]
key = "{slow}"
quotas = {{requests_per_second = 0.25, burst = 5, memory_bytes = 1_100_000_000}}

[templates.counting]
setup = "numbers = [1, 2, 3]"
"""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    directory = tmp_path_factory.mktemp("server")
    config = directory / "server.toml"
    config.write_text(CONFIG.format(**KEYS))
    config.chmod(0o600)
    with served(directory, "--config", str(config)) as running:
        yield running


@pytest.fixture
def client(server: Served) -> Iterator[Client]:
    """Alice's."""
    with Client(server.url, KEYS["alice"]) as alice:
        yield alice


@pytest.fixture
def other(server: Served) -> Iterator[Client]:
    """Bob's."""
    with Client(server.url, KEYS["bob"]) as bob:
        yield bob


@pytest.fixture
def nobody(server: Served) -> Iterator[httpx.Client]:
    """Somebody without a key."""
    with httpx.Client(base_url=server.url, timeout=60) as stranger:
        yield stranger


@pytest.fixture
def access_log(server: Served) -> Path:
    return server.stderr.with_name("access.jsonl")
