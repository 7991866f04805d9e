"""One server for all tests of the E2B surface, and a sandbox for those of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ...serving import served
from .service import CONFIG, KEYS, Service

pytest.importorskip("starlette", reason="the extra `server` is not installed")
e2b_code_interpreter = pytest.importorskip(
    "e2b_code_interpreter", reason="E2B's SDK is not installed"
)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    directory = tmp_path_factory.mktemp("e2b")
    config = directory / "server.toml"
    text = CONFIG
    for name, key in KEYS.items():
        text = text.replace(f'"{name.upper()}"', f'"{key}"')
    config.write_text(text)
    config.chmod(0o600)
    with served(directory, "--config", str(config)) as running:
        yield Service(running)
        errors = running.stderr.read_text()
    assert "Traceback" not in errors, errors


@pytest.fixture(scope="module")
def sandbox(service: Service) -> Iterator[e2b_code_interpreter.Sandbox]:
    """One that the tests of a file share: each uses names of its own."""
    made = e2b_code_interpreter.Sandbox.create(**service.options())
    yield made
    made.kill()
