"""Controls of the programs that hand over loot: plain Python gives up something forbidden. That
fumehood does not is in tests/attacks."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator

import pytest

from fumehood import LocalPythonExecutor
from fumehood.attack.corpus import Program, names, read

from .attempt_server import AttemptServer

EVERY_PROGRAM = [
    name for name in names() if not read(name).judges_itself and not read(name).host_steps
]


@pytest.fixture(scope="module")
def server() -> Iterator[AttemptServer]:
    server = AttemptServer()
    yield server
    server.close()


def _readable_here(name: str) -> Program:
    program = read(name)
    if not program.runs_on(sys.version_info[:2]):
        pytest.skip(f"is about Python {program.fields['python']}")
    for module in program.imports:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    return program


@pytest.mark.parametrize("name", [name for name in EVERY_PROGRAM if read(name).plain == "loot"])
def test_plain_python_lets_the_program_have_its_loot(name: str, server: AttemptServer) -> None:
    """Without this a program with a typing error would pass for an escape that was stopped."""
    _readable_here(name)
    outcome = server.attempt(name, "plain")
    assert outcome.loot, (
        f"{name} obtained nothing even in plain Python ({outcome.error or 'no error'})"
    )


@pytest.mark.parametrize("name", [name for name in EVERY_PROGRAM if "limit" in read(name).fields])
def test_what_inline_isolation_does_not_stop_is_in_its_report(
    name: str, server: AttemptServer
) -> None:
    """If this fails because the program got nothing: fumehood stops it now, so take `limit` out of
    its header."""
    program = _readable_here(name)
    outcome = server.attempt(name, "guarded")
    assert outcome.loot or outcome.host_changes
    with LocalPythonExecutor(isolation="inline") as executor:
        assert program.fields["limit"] in " ".join(executor.report().split())
