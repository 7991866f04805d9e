"""Control groups in which tests put processes: what may be started there is counted, and who is
there can be frozen."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def group(controller: str) -> Iterator[Path]:
    """A cgroup of version 1 for a fault; who is in it afterwards goes back to where all are."""
    made = Path(f"/sys/fs/cgroup/{controller}/faults-{os.getpid()}-{secrets.token_hex(4)}")
    if not made.parent.is_dir() or not os.access(made.parent, os.W_OK):
        pytest.skip(f"no {controller} controller of cgroups version 1")
    made.mkdir()
    try:
        yield made
    finally:
        for _ in range(200):
            for pid in (made / "cgroup.procs").read_text().split():
                with contextlib.suppress(OSError):
                    (made.parent / "cgroup.procs").write_text(pid)
            with contextlib.suppress(OSError):
                made.rmdir()
                break
            time.sleep(0.05)


@contextlib.contextmanager
def frozen(pid: int) -> Iterator[None]:
    """Frozen by the kernel, a process does not die of being killed until it is thawed. In version 2
    of cgroups it does."""
    with group("freezer") as made:
        (made / "cgroup.procs").write_text(str(pid))
        try:
            (made / "freezer.state").write_text("FROZEN")
            yield
        finally:
            (made / "freezer.state").write_text("THAWED")
