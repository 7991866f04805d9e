"""Who started which container: labels, and whether that process is still there.

A container ends by itself when its host does. What is left all the same, because an engine hung or
a container was never started, is removed when the next process of this machine starts one: a
container of ours whose process is gone is nobody's.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import hashlib
import json
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import fumehood
from fumehood.docker.engine import Engine, in_path
from fumehood.errors import DockerFailed

OURS = "fumehood"
MACHINE = "fumehood.machine"
PID = "fumehood.pid"
STARTED = "fumehood.started"
VERSION = "fumehood.version"
AT = "fumehood.at"

_PAUSES_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Before each further attempt to remove a container."""


def labels() -> dict[str, str]:
    """Of a container that this process starts."""
    return {
        OURS: "1",
        MACHINE: machine(),
        PID: str(os.getpid()),
        STARTED: _started(os.getpid()) or "",
        VERSION: fumehood.__version__,
        AT: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


@functools.cache
def machine() -> str:
    """Stands for this machine since it was started, and for the processes that are seen from here:
    where process numbers mean the same."""
    known = []
    for path in ("/etc/machine-id", "/proc/sys/kernel/random/boot_id"):
        with contextlib.suppress(OSError):
            known.append(Path(path).read_text().strip())
    with contextlib.suppress(OSError):
        known.append(os.readlink("/proc/self/ns/pid"))  # noqa: PTH115
    return hashlib.sha256("\0".join(["fumehood", *known]).encode()).hexdigest()[:16]


def is_gone(labels: Mapping[str, str]) -> bool | None:
    """Whether the process that started a container is gone. None if that cannot be told from
    here."""
    if (
        labels.get(MACHINE) != machine()
        or not labels.get(PID, "").isdecimal()
        or not labels.get(STARTED)
    ):
        return None
    return _started(int(labels[PID])) != labels[STARTED]


def _started(pid: int) -> str | None:
    """When a process was started, in the kernel's ticks: another of the same number has another
    time."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    fields = stat.rpartition(b")")[2].split()  # the name before it may hold anything
    return None if fields[0] in (b"Z", b"X") else fields[19].decode()


def remove(engine: Engine, container: str, *, seconds: float = 30.0) -> bool:
    """Kill a container and remove it with its volumes. False if it was gone already. Waits for
    nothing that this process could hold."""
    try:
        engine.ask(
            "DELETE", f"/containers/{in_path(container)}", {"force": 1, "v": 1}, seconds=seconds
        )
    except DockerFailed as error:
        if error.status == 404 or error.status == 409 and "already in progress" in str(error):
            return False
        raise
    return True


def remove_somehow(engine: Engine, container: str, *, seconds: float) -> None:
    """The same, without an error. What an engine that is busy, or being restarted, does not do is
    asked for again while others go on; what it has not done when this process ends is left to the
    next one's sweep."""
    try:
        remove(engine, container, seconds=seconds)
    except (DockerFailed, OSError, ValueError):
        with contextlib.suppress(
            RuntimeError
        ):  # threads are not started any more when the interpreter ends
            threading.Thread(
                target=_remove_later, args=(engine, container), name="fumehood-remove", daemon=True
            ).start()


def remove_if_made(engine: Engine, container: str, *, seconds: float) -> None:
    """Remove a container that the engine was asked to make, though its answer never came: it may be
    made only after this call."""
    remove_somehow(engine, container, seconds=seconds)
    with contextlib.suppress(RuntimeError):
        threading.Thread(
            target=_remove_later,
            args=(engine, container),
            kwargs={"is_perhaps_made": True},
            name="fumehood-remove",
            daemon=True,
        ).start()


def _remove_later(engine: Engine, container: str, *, is_perhaps_made: bool = False) -> None:
    for pause in _PAUSES_SECONDS:
        time.sleep(pause)
        with contextlib.suppress(DockerFailed, OSError, ValueError):
            if remove(engine, container) or not is_perhaps_made:
                return


def sweep(engine: Engine) -> int:
    """Remove the containers of this machine whose processes are gone; gives how many were."""
    filters = json.dumps({"label": [f"{MACHINE}={machine()}"]})
    removed = 0
    for found in engine.ask("GET", "/containers/json", {"all": 1, "filters": filters}):
        if is_gone(found.get("Labels") or {}):
            with contextlib.suppress(DockerFailed):
                removed += remove(engine, found["Id"])
    return removed


_swept: set[tuple[int, str]] = set()


def sweep_once(engine: Engine) -> None:
    """The same, once per process and engine, while others go on; nobody waits for it, and it fails
    quietly."""
    key = os.getpid(), str(engine.address)
    if key in _swept:
        return
    _swept.add(key)
    threading.Thread(
        target=_sweep_quietly, args=(engine,), name="fumehood-sweep", daemon=True
    ).start()


def _sweep_quietly(engine: Engine) -> None:
    with contextlib.suppress(DockerFailed, OSError, ValueError):
        sweep(engine)
