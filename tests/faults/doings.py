"""How each fault is brought about. A function does it to a stage and gives what the caller sees of
it; the table is at the end."""

from __future__ import annotations

import atexit
import contextlib
import errno
import functools
import os
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from ..executors.hosts import descendants
from ..jail import identities
from .groups import frozen, group
from .stages import Told, Wish

BUSY = "begun()\nimport time\nfor _ in range(2000): time.sleep(0.02)"
NAP = "begun()\nimport time\ntime.sleep(0.8)\n'slept'"
PAUSE = 1.5
"""Seconds that something is stopped for, longer than a nap."""
MEGABYTE = 1 << 20
_FILL = """
try:
    with open('/home/user/full', 'wb') as file:
        while True: file.write(bytes(1 << 20))
except OSError as error:
    found = error.errno
found
"""
_MS_RDONLY = 1


def value_of(told: Told, expected: Any) -> None:
    assert (told.kind, told.text) == ("value", repr(expected)), told


# -- killed


def kill_host(stage: Any) -> Told:
    stage.begin(BUSY)
    stage.send("host", signal.SIGKILL)
    if stage.place == "e2b":
        stage.expire()
    return Told("gone", "the host is dead, and everything of it with it")


def kill_busy(name: str, stage: Any) -> Told:
    stage.begin(BUSY)
    stage.send(name, signal.SIGKILL)
    told: Told = stage.end()
    return told


def kill_idle(name: str, stage: Any) -> Told:
    """And what comes next is a cell."""
    victims = {*stage.pids(name)}
    stage.send(name, signal.SIGKILL)
    stage.see_dead(victims)
    told: Told = stage.run("kept")
    return told


def signal_busy(who: str, number: int, stage: Any) -> Told:
    stage.begin(BUSY)
    stage.ask("signal", who, number)
    told: Told = stage.end()
    return told


def kill_ready(stage: Any) -> Told:
    """Those that wait in a pool, and that which is lent."""
    victims = {*stage.pids("runner")}
    stage.send("runner", signal.SIGKILL)
    stage.see_dead(victims)
    told: Told = stage.fresh()
    return told


def kill_actor(stage: Any) -> Told:
    stage.begin(BUSY)
    for pid in stage.actors:
        os.kill(pid, signal.SIGKILL)
    told: Told = stage.end()
    return told


def kill_node(stage: Any) -> Told:
    """As by a power cut: nobody there says goodbye. What is on another node goes on."""
    stage.begin(BUSY)
    raylet = stage.raylet()
    for pid in (raylet, *descendants(raylet)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    told: Told = stage.end()
    value_of(Told.of(stage.ask("run_beside", "kept")), 2)
    return told


# -- no room


def fill_lab(stage: Any) -> Told:
    value_of(stage.run(_FILL), errno.ENOSPC)
    told: Told = stage.run("kept")
    value_of(
        stage.run(
            "import os\nos.remove('/home/user/full')\nopen('/home/user/more', 'w').write('more')"
        ),
        4,
    )
    return told


def fill_temporary(stage: Any) -> Told:
    """Its directory of temporary files was full from the beginning."""
    value_of(stage.run("kept"), 1)
    told: Told = stage.fresh()
    return told


def lack_descriptors(stage: Any) -> Told:
    stage.ask("limit", "RLIMIT_NOFILE", 64)
    stage.ask("hoard")
    value_of(stage.run("kept"), 1)  # what is there needs no more
    told: Told = stage.fresh()
    stage.ask("release")
    stage.ask("limit", "RLIMIT_NOFILE", None)
    if stage.place == "e2b":
        # The fresh sandbox may have been created over an open connection. To end it would have
        # needed a descriptor, so the service ends it later.
        stage.expire(keep=stage.ask("where"))
    return told


def lack_descriptors_from_outside(stage: Any) -> Told:
    before = resource.prlimit(stage.pid, resource.RLIMIT_NOFILE)
    count = len([*Path(f"/proc/{stage.pid}/fd").iterdir()])
    resource.prlimit(stage.pid, resource.RLIMIT_NOFILE, (count + 2, before[1]))
    told: Told = stage.fresh()
    resource.prlimit(stage.pid, resource.RLIMIT_NOFILE, before)
    return told


def lack_processes(stage: Any) -> Told:
    """Nothing more can be started: no thread in the host, no process at the zygote."""
    with group("pids") as made:
        for pid in (stage.pid, *stage.processes()):
            with contextlib.suppress(
                ProcessLookupError
            ):  # a copy that was made for a cell ends when it likes
                (made / "cgroup.procs").write_text(str(pid))
        (made / "pids.max").write_text("1")
        value_of(stage.run("kept"), 1)
        stage.fresh()  # the sandbox that was ready already
        told: Told = stage.fresh()
        (made / "pids.max").write_text("max")
    return told


def lack_threads(stage: Any) -> Told:
    """A cell calls a tool, and there is no thread to run it in."""
    stage.ask("limit", "RLIMIT_NPROC", 0)
    told: Told = stage.run("kept += 1\nbegun()")
    stage.ask("limit", "RLIMIT_NPROC", None)
    value_of(stage.run("begun()"), None)
    return told


def lack_memory(stage: Any) -> Told:
    """A value is larger than what the host may still have."""
    stage.ask("limit", "RLIMIT_AS", stage.ask("mapped") + 32 * MEGABYTE)
    told: Told = stage.run("bytes(64 << 20)")
    stage.ask("limit", "RLIMIT_AS", None)
    return told


# -- the clock


def jump(stage: Any) -> Told:
    """A day forth, and then two days back, while a cell runs."""
    path = stage.directory / "jump"
    stage.begin(NAP)
    for days in (1, -1):
        time.sleep(0.2)
        with path.open("r+b") as file:  # to truncate a file that is mapped ends its readers: SIGBUS
            file.write(struct.pack("=q", days * 86400))
    told: Told = stage.end()
    value_of(stage.run("kept"), 1)
    return told


@functools.cache
def _clock() -> Path:
    """A library that makes a process's wall clock jump."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler, to make one process's clock jump")
    made = Path(tempfile.mkdtemp(prefix="clock-")) / "clock.so"
    atexit.register(shutil.rmtree, made.parent, ignore_errors=True)
    subprocess.run(
        [
            compiler,
            "-shared",
            "-fPIC",
            "-O1",
            "-o",
            str(made),
            str(Path(__file__).with_name("clock.c")),
            "-ldl",
        ],
        check=True,
    )
    return made


def jumping(directory: Path) -> dict[str, str]:
    path = directory / "jump"
    path.write_bytes(struct.pack("=q", 0))
    return {"LD_PRELOAD": str(_clock()), "JUMPING_CLOCK": str(path)}


# -- stopped


def stop_host(stage: Any) -> Told:
    """The cell ends while nobody looks."""
    stage.begin(NAP)
    stage.send("host", signal.SIGSTOP)
    time.sleep(PAUSE)
    stage.send("host", signal.SIGCONT)
    told: Told = stage.end()
    value_of(stage.run("kept"), 1)
    return told


def sleep_all(stage: Any) -> Told:
    """Everybody, as on a machine that is asleep."""
    stage.begin(NAP)
    everybody = {stage.pid, *stage.processes()}
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in everybody:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
        time.sleep(PAUSE if number == signal.SIGSTOP else 0)
    told: Told = stage.end()
    value_of(stage.run("kept"), 1)
    return told


def stop_for_good(stage: Any) -> Told:
    stage.send("zygote", signal.SIGSTOP)
    told: Told = stage.fresh()
    return told


def stop_for_a_while(stage: Any) -> Told:
    stage.send("zygote", signal.SIGSTOP)
    stage.ask("fresh_later")
    time.sleep(0.5)
    stage.send("zygote", signal.SIGCONT)
    told: Told = stage.end()
    value_of(stage.run("kept"), 1)
    return told


def stop_template(stage: Any) -> Told:
    stage.send("template", signal.SIGSTOP)
    stage.fresh()  # the sandbox that was ready already
    told: Told = stage.fresh()
    value_of(stage.run("kept"), 1)
    return told


def stop_supervisor(stage: Any) -> Told:
    """It is needed for nothing but the end."""
    stage.send("superv", signal.SIGSTOP)
    value_of(stage.run("kept"), 1)
    told: Told = stage.fresh()
    return told


def stop_init(stage: Any) -> Told:
    stage.ask("signal", "init", signal.SIGSTOP)
    told: Told = stage.run("kept")
    return told


def freeze_runner(stage: Any) -> Told:
    stage.begin("begun()\nwhile True: pass")
    with frozen(stage.ask("runner")):
        told: Told = stage.end()
        value_of(stage.run("20 + 22"), 42)
    return told


# -- lines


def cut_line(stage: Any) -> Told:
    stage.begin(BUSY)
    stage.relay.cut()
    told: Told = stage.end()
    stage.relay.mend()
    return told


def silence_line(stage: Any) -> Told:
    """Nothing comes any more, and nobody says that it is over."""
    stage.begin(NAP)
    stage.relay.is_silent = True
    told: Told = stage.end()
    stage.relay.mend()
    return told


def lose_line(stage: Any) -> Told:
    """A client of a server hangs up while its cell runs."""
    stage.begin(NAP)
    stage.relay.cut()
    told: Told = stage.end()
    value_of(stage.run("kept"), 1)
    return told


def pause_container(stage: Any) -> Told:
    engine, container = stage._around.engine, stage.ask("where")
    stage.begin(NAP)
    engine.ask("POST", f"/containers/{container}/pause")
    told: Told = stage.end()
    return told


def cut_line_to_node(stage: Any) -> Told:
    stage.begin(BUSY)
    stage.ask("cut")
    told: Told = stage.end()
    return told


def silence_node(stage: Any) -> Told:
    """All that is there stands still, as on a machine that nobody reaches any more; and comes back
    when it is not waited for."""
    stage.begin(NAP)
    everybody = {*stage.actors} | {pid for actor in stage.actors for pid in descendants(actor)}
    try:
        for pid in everybody:
            os.kill(pid, signal.SIGSTOP)
        told: Told = stage.end()
        value_of(stage.run("20 + 22"), 42)
    finally:
        for pid in everybody:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
    return told


# -- file systems of the host


def with_full_directory(directory: Path) -> None:
    identities.own_mounts()
    identities.mount("full", str(directory), "tmpfs", 0, "size=64k")
    with (directory / "all").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))


def with_read_only_directory(directory: Path) -> None:
    identities.own_mounts()
    identities.mount("read-only", str(directory), "tmpfs", _MS_RDONLY, "size=64k")


def as_ordinary_user(directory: Path) -> None:
    os.chdir("/")
    identities.prepare("nobody", directory, "faults")


# -- the table

# Of waits that nobody wants to see the whole of.
_QUICK_ZYGOTE = {"fumehood.executors.supervisor._ANSWER_SECONDS": 1}
_QUICK_DEATH = {
    "fumehood.executors.supervisor._DEATH_SECONDS": 1,
    "fumehood.executors.cell._DEATH_SECONDS": 1.0,
}
_QUICK_NODE = {"fumehood.ray.ways._START_SECONDS": 40.0}
_SHORT = {"cell_seconds": 3.0, "grace_seconds": 0.5}
_SMALL_LAB = {"lab_bytes": 4 * MEGABYTE, "file_bytes": 64 * MEGABYTE}

busy = functools.partial(functools.partial, kill_busy)
idle = functools.partial(functools.partial, kill_idle)
signalled = functools.partial(functools.partial, signal_busy)
STUCK = Wish(limits=_SHORT, bounds=_QUICK_DEATH)
SILENT = Wish(limits=_SHORT, bounds=_QUICK_DEATH | _QUICK_NODE)
ORDINARY = Wish(before_exec=as_ordinary_user)


@dataclass(frozen=True)
class Fault:
    """`do` brings it about, and `how` says so."""

    how: str
    do: Callable[[Any], Told]
    wish: Wish = field(default_factory=Wish)
    is_last: bool = False
    """Whether the host is dead afterwards."""

    @property
    def needs_root(self) -> bool:
        """What is below a host is another user's, or in a file system that only root can mount."""
        return self.do not in (
            kill_host,
            fill_lab,
            lack_descriptors,
            lack_memory,
            jump,
            stop_host,
            stop_init,
        )


# fmt: off
FAULTS: dict[str, Fault] = {
    "host killed": Fault("SIGKILL to the host while a cell runs", kill_host, is_last=True),
    "zygote killed": Fault("SIGKILL to the zygote while a cell runs", busy("zygote")),
    "zygote killed between cells": Fault("SIGKILL to the zygote, and then a cell", idle("zygote")),
    "supervisor killed": Fault("SIGKILL to the supervisor while a cell runs", busy("superv")),
    "template killed": Fault("SIGKILL to the process that runners are copies of, and then a cell", idle("template")),
    "remote end killed": Fault("SIGKILL to the first process there while a cell runs", busy("remote")),
    "init killed": Fault("SIGKILL to the init while a cell runs", signalled("init", signal.SIGKILL)),
    "runner killed": Fault("SIGKILL to the runner while a cell runs", signalled("runner", signal.SIGKILL)),
    "runners killed": Fault("SIGKILL to every runner, that of a cell among them", busy("runner")),
    "ready sandboxes killed": Fault("SIGKILL to every runner, those that wait to be lent among them", kill_ready),
    "lab full": Fault("a cell fills /home/user", fill_lab, Wish(limits=_SMALL_LAB)),
    "temporary files full": Fault("TMPDIR is a full file system", fill_temporary, Wish(before_exec=with_full_directory)),
    "temporary files read-only": Fault("TMPDIR is read-only", fill_temporary, Wish(before_exec=with_read_only_directory)),
    "out of descriptors": Fault("all that RLIMIT_NOFILE permits are in use", lack_descriptors),
    "server out of descriptors": Fault("RLIMIT_NOFILE is lowered to what the server has", lack_descriptors_from_outside),
    "out of processes": Fault("a cgroup permits no process and no thread more, here and at the zygote", lack_processes),
    "out of threads": Fault("RLIMIT_NPROC of an ordinary user is used up, and a cell calls a tool", lack_threads, ORDINARY),
    "out of memory": Fault("RLIMIT_AS of the host is reached by what a cell gives", lack_memory),
    "clock jumps": Fault("the wall clock goes a day forth and two days back while a cell runs", jump, Wish(environment=jumping)),
    "host stopped": Fault("SIGSTOP to the host while a cell runs, which ends meanwhile; SIGCONT", stop_host),
    "all asleep": Fault("SIGSTOP to the host and all processes of its sandboxes while a cell runs; SIGCONT", sleep_all),
    "zygote stopped for good": Fault("SIGSTOP to the zygote, and then a new sandbox is wanted", stop_for_good, Wish(bounds=_QUICK_ZYGOTE)),
    "zygote stopped for a while": Fault("SIGSTOP to the zygote, a new sandbox is wanted, SIGCONT", stop_for_a_while),
    "template stopped": Fault("SIGSTOP to the process that runners are copies of, for good; a new sandbox is wanted", stop_template),
    "supervisor stopped": Fault("SIGSTOP to the supervisor, for good", stop_supervisor, Wish(bounds=_QUICK_DEATH)),
    "init stopped": Fault("SIGSTOP to the init, for good", stop_init),
    "runner stopped": Fault("SIGSTOP to the runner while a cell runs, for good", signalled("runner", signal.SIGSTOP), Wish(limits=_SHORT)),
    "runner that cannot be killed": Fault("the runner is frozen by a cgroup while a cell runs", freeze_runner, STUCK),
    "line cut": Fault("the line to the engine or the service breaks while a cell runs, for a while", cut_line, Wish(by_relay=True)),
    "line silent": Fault("nothing comes through the connection any more while a cell runs", silence_line, replace(STUCK, by_relay=True)),
    "client hangs up": Fault("the connection of a client breaks while its cell runs", lose_line, Wish(by_relay=True)),
    "actor killed": Fault("SIGKILL to the process that stands for fumehood on a node while a cell runs", kill_actor),
    "node killed": Fault("SIGKILL to a node's raylet and all below it while a cell runs", kill_node, Wish(alone=True)),
    "node silent": Fault("SIGSTOP to all of fumehood on a node while a cell runs; SIGCONT when the next has run", silence_node, SILENT),
    "line to a node cut": Fault("the connection to a node breaks while a cell runs", cut_line_to_node),
    "container paused": Fault("the engine pauses the container while a cell runs, for good", pause_container, STUCK),
}
# fmt: on
