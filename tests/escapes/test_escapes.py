"""Controls of the programs that hand over loot: plain Python gives up something forbidden. That
fumehood does not is in tests/attacks."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator

import pytest

from fumehood import LocalPythonExecutor
from fumehood.attack.corpus import Program, names, read

from ..attacks.choosing import share
from .attempt_server import AttemptServer

EVERY_PROGRAM = [
    name for name in names() if not read(name).judges_itself and not read(name).host_steps
]


@pytest.fixture(scope="module")
def server() -> Iterator[AttemptServer]:
    server = AttemptServer()
    yield server
    server.close()


def _runs_here(program: Program) -> bool:
    return program.runs_on(sys.version_info[:2]) and all(
        importlib.util.find_spec(module) is not None for module in program.imports
    )


WITH_CONTROL = [name for name in EVERY_PROGRAM if read(name).plain == "loot"]


@pytest.mark.parametrize("category", sorted({name.partition("/")[0] for name in WITH_CONTROL}))
def test_plain_python_lets_the_program_have_its_loot(
    category: str, server: AttemptServer, extended: bool
) -> None:
    """Without this a program with a typing error would pass for an escape that was stopped."""
    every = [
        name for name in WITH_CONTROL if name.startswith(f"{category}/") and _runs_here(read(name))
    ]
    if not every:
        pytest.skip("no program of this category runs here")
    without = {}
    for name in every if extended else share(every, 6):
        outcome = server.attempt(name, "plain")
        if not outcome.loot:
            without[name] = outcome.error or "no error"
    assert without == {}


@pytest.mark.parametrize("name", [name for name in EVERY_PROGRAM if "limit" in read(name).fields])
def test_what_inline_isolation_does_not_stop_is_in_its_report(
    name: str, server: AttemptServer
) -> None:
    """If this fails because the program got nothing: fumehood stops it now, so take `limit` out of
    its header."""
    program = read(name)
    if not _runs_here(program):
        pytest.skip("does not run here")
    outcome = server.attempt(name, "guarded")
    assert outcome.loot or outcome.host_changes
    with LocalPythonExecutor(isolation="inline") as executor:
        assert program.fields["limit"] in " ".join(executor.report().split())
