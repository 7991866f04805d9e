"""Host programs that run in processes of their own: started in every odd way, watched from outside,
killed."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# What every host program can use. `say` writes one line of JSON to descriptor `ANSWERS`, which no
# test closes.
_BEGINNING = """
import json, os, sys
ANSWERS = int(os.environ.get("ANSWERS", "1") if len(sys.argv) < 2 else sys.argv[1])
def say(value):
    os.write(ANSWERS, json.dumps(value).encode() + b"\\n")
from fumehood import *
from fumehood.executors import supervisor
def works(executor):
    try:
        execution = executor.run("print('printed')\\n20 + 22")
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return execution.value == 42 and execution.logs == "printed\\n" or repr(execution)
"""


class Host:
    """A host program: its lines of JSON, its end, its processes."""

    def __init__(
        self,
        program: str,
        before_exec: Callable[[], None] | None = None,
        python: str = sys.executable,
        **options: Any,
    ) -> None:
        self._answers, theirs = os.pipe()
        self.process = subprocess.Popen(
            [python, "-P", "-c", _BEGINNING + textwrap.dedent(program), str(theirs)],
            pass_fds=[theirs, *options.pop("pass_fds", ())],
            preexec_fn=before_exec,
            start_new_session=True,
            stderr=subprocess.PIPE,
            **{
                "env": os.environ | {"PYTHONPATH": _packages()},
                "stdin": subprocess.DEVNULL,
                "stdout": subprocess.DEVNULL,
                **options,
            },
        )
        os.close(theirs)
        self._lines = os.fdopen(self._answers, "rb", buffering=0)

    def answer(self, seconds: float = 60) -> Any:
        """The next line it says. AssertionError with its stderr if it ended without one."""
        # Ample: a host that takes this long hangs. Unbuffered, so that nothing waits where select
        # does not look.
        ready, _, _ = select.select([self._answers], [], [], seconds)
        if not ready:
            self.process.kill()
        line = self._lines.readline() if ready else b""
        if not line:
            errors = self.process.communicate(timeout=60)[1].decode()
            raise AssertionError(f"the host ended with {self.process.returncode}: {errors[-3000:]}")
        return json.loads(line)

    def processes(self) -> set[int]:
        """Every process below it: supervisor, zygote, inits, runners."""
        return descendants(self.process.pid)

    def kill(self, number: int = signal.SIGKILL) -> None:
        self.process.send_signal(number)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(60)
        self._lines.close()
        if self.process.stderr is not None:
            self.process.stderr.close()


def _packages() -> str:
    import fumehood

    return os.pathsep.join(
        [
            str(Path(fumehood.__file__).parents[1]),
            *(path for path in sys.path if path.endswith("-packages")),
        ]
    )


@contextlib.contextmanager
def host(
    program: str, before_exec: Callable[[], None] | None = None, **options: Any
) -> Iterator[Host]:
    made = Host(program, before_exec, **options)
    try:
        yield made
    finally:
        made.close()


def answer_of(program: str, before_exec: Callable[[], None] | None = None, **options: Any) -> Any:
    """The one line that a program says, which then ends by itself."""
    with host(program, before_exec, **options) as running:
        answer = running.answer()
        running.process.wait(60)
        return answer


class Process(int):
    """A process: its id, and when it was started. The kernel reuses ids, on a busy machine within
    a minute."""

    started: str


def processes() -> dict[Process, int]:
    """The processes of this machine, with the ids of their parents."""
    found: dict[Process, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        if fields := _stat(entry.name):
            process = Process(entry.name)
            process.started = fields[19]
            found[process] = int(fields[1])
    return found


def _stat(pid: int | str) -> list[str]:
    """What the kernel tells of a process, from its state on. Empty if there is none."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return []


def _is_another(pid: int, fields: list[str]) -> bool:
    """Whether an id means another process now."""
    return bool(fields) and fields[19] != getattr(pid, "started", fields[19])


def children(pid: int) -> set[int]:
    """Those that it has started itself: of the sandboxes of a server that it has started, none."""
    return {child for child, parent in processes().items() if parent == pid}


def descendants(pid: int) -> set[int]:
    parents = processes()
    found: set[int] = set()
    generation: set[int] = {pid}
    while generation:
        generation = {child for child, parent in parents.items() if parent in generation} - found
        found |= generation
    return found


def named(pids: set[int], name: str) -> list[int]:
    """Those of some processes that go by a name."""
    found = []
    for pid in pids:
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_text().strip() == name[:15]:
                found.append(pid)
    return sorted(found)


def living(pids: set[int]) -> set[int]:
    """Those of some processes that still run; one that waits to be reaped does not."""
    return {
        pid
        for pid in pids
        if (fields := _stat(pid)) and fields[0] not in "ZX" and not _is_another(pid, fields)
    }


class Watched:
    """A process of a sandbox, wherever it runs: a handle of our own on it."""

    def __init__(self, handle: int) -> None:
        self._handle = os.dup(handle)

    @property
    def lives(self) -> bool:
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return not poll.poll(0)

    def __del__(self) -> None:
        os.close(self._handle)


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.01)


# Where engines mount the roots of containers, which come and go meanwhile, and other tests their
# small disks.
_OF_OTHERS = ("/docker", "/containerd", "/netns", "/overlay2", "/pytest-of-")


def mounts() -> list[str]:
    """What is mounted on this machine, but for containers and the small disks of other tests."""
    lines = Path("/proc/self/mounts").read_text().splitlines()
    return [line for line in lines if not any(part in line.split()[1] for part in _OF_OTHERS)]


def cgroups() -> list[str]:
    """Control groups of supervisors, of whoever they are."""
    # Not by pathlib, which stumbles over groups that others remove meanwhile.
    return [
        f"{place}/{name}"
        for place, names, _files in os.walk("/sys/fs/cgroup")
        for name in names
        if name.startswith("fumehood-")
    ]


def cgroups_of(pids: set[int]) -> list[str]:
    """Control groups that are named after some processes, and not after later ones of the same
    id."""
    wanted = {f"fumehood-{pid}" for pid in pids if not _is_another(pid, _stat(pid))}
    return [name for name in cgroups() if name.rpartition("/")[2] in wanted]
