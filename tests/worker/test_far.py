"""The far end of a tunnel, and the guardian that is a copy of it."""

from __future__ import annotations

import os
import secrets
import textwrap
from pathlib import Path

import pytest

from ..executors.hosts import answer_of
from ..jail import identities

_PROGRAM = """
    import json
    from fumehood.jail import kernel
    from fumehood.worker.far import EarlyGuardian
    kernel.forbid_inspection()
    early = EarlyGuardian(Policy().as_fields(), is_contained=False)
    answer = json.loads(early.control.recv(1 << 16))
    early.control.close()
    os.waitpid(early.pid, 0)
    say([name for name, in_force, *_ in answer["ready"] if not in_force])
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_a_process_that_nobody_may_inspect_has_sandboxes_in_namespaces_all_the_same(tmp_path: Path, identity: str) -> None:
    """An ordinary user's process that is closed to inspection cannot write its own user map."""
    for path in (tmp_path, place := tmp_path / "place"):
        path.mkdir(exist_ok=True)
        path.chmod(0o755)

    def become() -> None:
        identities.prepare(identity, place, f"token-{secrets.token_hex(8)}")

    absent = answer_of(textwrap.dedent(_PROGRAM), become, cwd="/")
    assert {*absent} <= {"memory cgroup"}  # which is not everybody's to make
