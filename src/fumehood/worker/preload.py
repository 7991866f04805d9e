"""Everything that runners will need, imported and tried out before there is one, so that they share
it."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import io
import json
import os
import pkgutil
import posix
import posixpath
import site
import socket
import subprocess
import sys
import sysconfig
import tempfile
from multiprocessing import resource_tracker, spawn
from typing import TYPE_CHECKING, Any

from fumehood import language, wire, worker
from fumehood.default_imports import DEFAULT_IMPORTS
from fumehood.jail.filesystem import HOME, INSTALLED, LAB, MACHINE, PARTS, TEMPORARY, lab_of
from fumehood.wire import messages
from fumehood.wire.frames import Bounds
from fumehood.wire.protocol import Conversation
from fumehood.worker import memory
from fumehood.worker.display import load_matplotlib, prepare_matplotlib
from fumehood.worker.runner import Runner

if TYPE_CHECKING:
    from fumehood.worker.start import Plan

_ENVIRONMENT = {
    "HOME": HOME,
    "TMPDIR": TEMPORARY,
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "MPLBACKEND": "agg",
    # joblib executes Python for each of its workers. Without programs it computes in one process.
    "JOBLIB_MULTIPROCESSING": "0",
}
_OF_PROGRAMS = {
    # The interpreter of the cells comes before others of the machine.
    "PATH": ":".join(
        (f"{INSTALLED}/bin", f"{sys.prefix}/bin", "/usr/local/bin", "/usr/bin", "/bin")
    ),
    "PYTHONPATH": INSTALLED,
    "PIP_TARGET": INSTALLED,
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "UV_CONFIG_FILE": "/etc/uv.toml",
    "PWD": HOME,
    "SHELL": "/bin/bash",
    "USER": "user",
    "LOGNAME": "user",
    "TERM": "dumb",
    "JOBLIB_MULTIPROCESSING": "1",
}


def preload(plan: Plan) -> Runner:
    """Import, rehearse, and give a runner that is ready but for its wire."""
    # Some modules write files when they are imported, and the root is read-only.
    if plan.labs or not plan.namespaces_why:
        os.environ["HOME"] = os.environ["TMPDIR"] = tempfile.tempdir = plan.labs or lab_of(0)
    os.environ["JOBLIB_MULTIPROCESSING"] = str(int(bool(plan.jail.programs)))  # read on import
    gc.disable()  # as in memory.gather()
    _import_all(plan.imports)
    os.environ.clear()
    os.environ.update(_ENVIRONMENT)
    if plan.jail.programs:
        os.environ.update(_OF_PROGRAMS)
        _prepare_spawning()
    tempfile.tempdir = site.USER_BASE = site.USER_SITE = None  # they follow from HOME and TMPDIR
    if plan.jail.files:
        _show_files()
    site.getusersitepackages()
    sysconfig.get_config_vars()["userbase"] = site.USER_BASE
    rehearse(plan.policy)
    runner = Runner(plan.policy)
    gc.enable()
    gc.collect()
    memory.settle()
    gc.freeze()  # so that no later collection touches what all runners share
    return runner


def _prepare_spawning() -> None:
    """Keep processes that multiprocessing spawns from running a cell as their main module: a cell
    is no file. Have subprocess close descriptors itself: libc's closefrom, which it asks for since
    3.13, closes none, because the filter keeps that of the lab open."""
    subprocess._HAVE_POSIX_SPAWN_CLOSEFROM = False  # type: ignore[attr-defined, unused-ignore]
    prepare = spawn.get_preparation_data

    @functools.wraps(prepare)
    def prepared(name: str) -> dict[str, Any]:
        data = prepare(name)
        if str(data.get("init_main_from_path", "")).rpartition("/")[2].startswith("<cell"):
            del data["init_main_from_path"]
        return data

    spawn.get_preparation_data = prepared


def _show_files() -> None:
    """Have code see the names of its directories, and not where its lab is."""
    names = {part: name for name, part in PARTS.items()}
    os.environ["MPLCONFIGDIR"] = TEMPORARY + "/.matplotlib"
    tempfile.tempdir = TEMPORARY
    # It would execute a program that removes named semaphores and memory when this process ends.
    # They are files of the lab, and end with it.
    resource_tracker._resource_tracker._send = lambda *_: None  # type: ignore[attr-defined]
    getcwd, realpath, readlink = os.getcwd, posixpath.realpath, os.readlink

    def shown(path: str) -> str:
        try:
            lab = readlink(LAB) + "/"
        except OSError:
            return path
        if not path.startswith(lab):
            return path.removeprefix(MACHINE)
        part, slash, rest = path[len(lab) :].partition("/")
        return names.get(part, lab + part) + slash + rest

    @functools.wraps(realpath)
    def shown_realpath(filename: Any, **options: Any) -> Any:
        found = realpath(filename, **options)
        return shown(found) if isinstance(found, str) else os.fsencode(shown(os.fsdecode(found)))

    os.getcwd = posix.getcwd = functools.wraps(getcwd)(lambda: shown(getcwd()))  # for importlib
    os.getcwdb = functools.wraps(os.getcwdb)(lambda: os.fsencode(shown(getcwd())))
    posixpath.realpath = shown_realpath


def _import_all(imports: tuple[str, ...]) -> None:
    """What code may import is imported now, once, and so is all of ours that runs inside. A module
    of the policy's that fails to import fails again, with its reason, in the cell that imports it.
    """
    for package in (language, wire, worker):
        for part in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(part.name)
    tops = {name.partition(".")[0] for name in imports}
    if "matplotlib" in tops:
        load_matplotlib()
    elif "*" in tops:
        prepare_matplotlib()
    for name in (*DEFAULT_IMPORTS, *imports):
        if name != "*":
            before = set(sys.modules)
            try:
                importlib.import_module(name)
            except Exception:
                for half_made in set(sys.modules) - before:
                    del sys.modules[half_made]


# -- rehearsal


_TIMES = 16  # more than CPython waits for before it specializes
_CELLS = (
    "x = 1 + 1",
    "x + 1",
    "def f(a, b=2):\n    return [a, b]\nf(x)",
    "print('text', x)",
    "import math\nmath.sqrt(x)",
    "{'a': [1, 2.5, 'c', None, (True,)]}",
    "[n * n for n in range(10)]",
    "for i in range(3):\n    x += i\nx",
)
_FAILING = ("1 / 0", "nothing_of_that_name", "x = (")


def rehearse(policy: dict[str, Any]) -> None:
    """Run a few cells of every kind in a runner that is not used afterwards, over a socket."""
    runner, host = Runner(policy), Conversation(Bounds(), json.loads)
    ours, theirs = socket.socketpair()
    with ours, contextlib.redirect_stdout(io.StringIO()):
        runner.connect(theirs.detach())
        for time in range(_TIMES):
            for code in _CELLS if time else (*_CELLS, *_FAILING):
                ours.sendall(b"".join(map(bytes, host.send(messages.Run(id=time, code=code)))))
                runner.serve_one()
                ours.recv(1 << 16)
