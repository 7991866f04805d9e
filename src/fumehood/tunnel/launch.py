"""Starts a supervisor, on this machine or in a container. The process that starts it has a socket
to it, and the supervisor ends with that process."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
_BOOT = """import sys
sys.path[:0] = [sys.argv[2]]
from fumehood.worker import memory
memory.gather()
from fumehood.worker.supervisor import main
main()
"""


def start_supervisor(
    policy: dict[str, Any],
    path: Sequence[str],
    environments: Sequence[str] = (),
    *,
    is_contained: bool = False,
    root: str | None = None,
) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """A supervisor for a policy, whose sandboxes import from `path` and see `environments`. OSError
    if it cannot be started. `is_contained` says that what is around it is a container, which
    isolates where the supervisor cannot. `root` is another root directory, whose Python it has."""
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # Not one of the standard three, which the child gets anew: the caller may have closed its own.
    number = fcntl.fcntl(theirs, fcntl.F_DUPFD_CLOEXEC, 3)
    theirs.close()
    try:
        with open(number, "rb", buffering=0):
            import subprocess  # late: the remote end of a tunnel seldom needs it, and is waited for

            process = subprocess.Popen(
                [sys.executable, *_arguments(policy, number, root)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=None if os.environ.get("FUMEHOOD_DEBUG") else subprocess.DEVNULL,
                pass_fds=[number],
                env=environment(),
                cwd="/",
                start_new_session=True,  # Ctrl-C in the host's terminal is the host's
            )
        if root is None:
            send_setup(control, policy, path, environments, is_contained=is_contained)
        else:
            send_setup(control, _in_root(policy), None, is_contained=False)
    except OSError:
        control.close()
        raise
    return control, process


# All that -I does, but for heeding no PYTHON… variable: there is one, and it is ours.
_ISOLATED = ("-s", "-P", "-c", _BOOT)


def _arguments(policy: dict[str, Any], number: int, root: str | None) -> list[str]:
    """What Python is called with to be a supervisor, whose socket has that number."""
    if root is None:
        return [*_ISOLATED, str(number), PACKAGES]
    import cloudpickle  # type: ignore[import-untyped]

    from fumehood.policy import OTHER_ROOT, python_of

    library = os.path.dirname(os.path.realpath(cloudpickle.__file__))
    shown = {"fumehood": f"{PACKAGES}/fumehood", "cloudpickle": library}
    shown |= {f"mounts/{n}": mount["source"] for n, mount in enumerate(policy["mounts"])}
    enter = (
        f"import sys; sys.path.insert(0, {PACKAGES!r})\n"
        "from fumehood.jail.filesystem import execute_in_other_root\n"
        "execute_in_other_root()"
    )
    start = ["-s", "-P", "-c", enter, root, python_of(root)[0], json.dumps(shown)]
    return [*start, *_ISOLATED, str(number), OTHER_ROOT]


def _in_root(policy: dict[str, Any]) -> dict[str, Any]:
    """A policy whose mounts are where another root has them."""
    from fumehood.policy import OTHER_ROOT

    mounts = [
        {**mount, "source": f"{OTHER_ROOT}/mounts/{n}"} for n, mount in enumerate(policy["mounts"])
    ]
    return {**policy, "mounts": mounts}


def send_setup(
    control: socket.socket,
    policy: dict[str, Any],
    path: Sequence[str] | None,
    environments: Sequence[str] = (),
    *,
    is_contained: bool,
) -> None:
    """Send a supervisor its set-up. It ends with this process. `path` is None if it has a path of
    its own."""
    setup: dict[str, Any] = {
        "host": os.getpid(),
        "path": None if path is None else [*path, PACKAGES],
        "policy": policy,
        "environments": [*environments],
    }
    if is_contained:
        setup["contained"] = True
    control.send(json.dumps(setup).encode())


def environment() -> dict[str, str]:
    """Nothing of the environment but where the loader finds the interpreter's libraries."""
    threads = str(min(4, os.cpu_count() or 1))
    kept = {
        name: os.environ[name]
        for name in ("LD_LIBRARY_PATH", "FUMEHOOD_DEBUG", "FUMEHOOD_SPAWN")
        if name in os.environ
    }
    fixed = {
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        # Sets of strings come in the same order each time. Whoever makes keys that collide slows
        # down a sandbox, which has its limits.
        "PYTHONHASHSEED": "0",
        "HOME": "/home/user",
        "TMPDIR": "/tmp",
        # More threads than this would run into the limit of processes, which these libraries do not
        # expect.
        "OPENBLAS_NUM_THREADS": threads,
        # each reserves 64 MB, which counts against the limit of mapped memory
        "MALLOC_ARENA_MAX": "2",
        "OMP_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        "NUMEXPR_NUM_THREADS": threads,
    }
    return kept | fixed
