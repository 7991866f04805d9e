"""Supervisors: what they are started with, and by whom, does not change what sandboxes are."""

from __future__ import annotations

import os
import secrets
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..executors.hosts import answer_of
from ..jail import identities

_OF_A_PROCESS_THAT_IS_CLOSED = """
    import json
    from fumehood.jail import kernel
    from fumehood.worker.remote import EarlySupervisor
    kernel.forbid_inspection()
    early = EarlySupervisor(Policy().as_fields(), is_contained=False)
    answer = json.loads(early.control.recv(1 << 16))
    early.control.close()
    os.waitpid(early.pid, 0)
    say([name for name, in_force, *_ in answer["ready"] if not in_force])
"""


_OF_A_PATH_THAT_IS_GONE = """
    from fumehood.executors import installing
    sys.path.insert(0, "/tmp/gone/for/ever")
    with LocalPythonExecutor(files=True) as executor:
        executor("1")
        place = installing._place_of(executor._session._runner.sandbox.zygote)
        say(list(place.python) == list(sys.version_info[:3]))
"""

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else"),
    pytest.mark.parametrize("identity", ["root", "nobody"]),
]
Host = Callable[[str], Any]


@pytest.fixture
def host(tmp_path: Path, identity: str) -> Host:
    """Runs a program as somebody and gives what it says."""
    for path in (tmp_path, place := tmp_path / "place"):
        path.mkdir(exist_ok=True)
        path.chmod(0o755)

    def become() -> None:
        identities.prepare(identity, place, f"token-{secrets.token_hex(8)}")

    return lambda program: answer_of(textwrap.dedent(program), become, cwd="/")


def test_a_process_that_nobody_may_inspect_has_sandboxes_in_namespaces_all_the_same(
    host: Host,
) -> None:
    """The remote end of a tunnel is one, and its first supervisor a copy of it. An ordinary user's could
    not write its own user map."""
    absent = host(_OF_A_PROCESS_THAT_IS_CLOSED)
    assert {*absent} <= {"memory cgroup"}  # which is not everybody's to make


def test_a_path_that_leads_nowhere_keeps_nobody_from_importing(host: Host) -> None:
    """In the root of sandboxes /tmp is another name of a lab, and whoever has none is led
    elsewhere."""
    assert host(_OF_A_PATH_THAT_IS_GONE) is True
