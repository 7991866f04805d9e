"""Everything that runners will need, imported and tried out before there is one, so that they share
it."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys
import tempfile

from fumehood import language, wire, worker
from fumehood.grants import DEFAULT_IMPORTS
from fumehood.jail.filesystem import LAB
from fumehood.worker import memory
from fumehood.worker.figures import prepare_matplotlib
from fumehood.worker.plan import Plan
from fumehood.worker.rehearsal import rehearse
from fumehood.worker.runner import Runner

_ENVIRONMENT = {
    "HOME": LAB,
    "TMPDIR": LAB,
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PATH": "/nonexistent",
}
_HOST_ONLY = ("fumehood.wire.strict",)


def preload(plan: Plan) -> Runner:
    """Import, rehearse, and give a runner that is ready but for its wire."""
    # some modules want a temporary file when they are imported, and a container's root is read-only
    if plan.labs:
        tempfile.tempdir = plan.labs
    gc.disable()  # as in memory.gather()
    _import_all(plan.imports)
    if plan.labs:
        tempfile.tempdir = LAB
    os.environ.clear()
    os.environ.update(_ENVIRONMENT)
    rehearse(plan.imports)
    runner = Runner(plan.policy)
    gc.enable()
    gc.collect()
    memory.settle()
    gc.freeze()  # so that no later collection touches what all runners share
    return runner


def _import_all(imports: tuple[str, ...]) -> None:
    """What code may import is imported now, once, and so is all of ours that runs inside. A module
    of the policy's that fails to import fails again, with its reason, in the cell that imports it.
    """
    for package in (language, wire, worker):
        for part in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if part.name not in _HOST_ONLY:
                importlib.import_module(part.name)
    if any(name.partition(".")[0] == "matplotlib" for name in imports):
        prepare_matplotlib()
    for name in (*DEFAULT_IMPORTS, *imports):
        if name != "*":
            before = set(sys.modules)
            try:
                importlib.import_module(name)
            except Exception:
                for half_made in set(sys.modules) - before:
                    del sys.modules[half_made]
