"""Another root directory (Policy(programs="/path/to/root")): its Python runs the cells, and its
programs are the ones that can be executed.

`main ROOT PYTHON PLAN ARGUMENT...` makes a root of the directory, moves into it and executes its
Python with the arguments. The directory itself is not changed. PLAN is JSON: paths
of this machine that the new root has in OTHER_ROOT besides, by the names that they have there.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Mapping

from fumehood.jail import kernel
from fumehood.jail.filesystem import DEVICES, PROGRAM_DEVICES, workplace
from fumehood.jail.namespaces import own_mounts
from fumehood.policy import OTHER_ROOT

_FROM_HOST = ("/proc", "/sys/fs/cgroup")
"""What the worker needs of the running system. A sandbox sees neither."""
_LEFT_OUT = frozenset({"proc", "sys", "dev", "run", "mnt", "media", "srv", "boot", "tmp"})


def enter(root: str, shown: Mapping[str, str]) -> None:
    """Make a root of a directory and move into it. `shown` are paths of this machine by the names
    that they get in OTHER_ROOT."""
    own_mounts()
    new = workplace([root, *shown.values()])
    kernel.mount("tmpfs", new, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=4m,mode=755")
    for entry in os.scandir(root):
        if entry.name in _LEFT_OUT:
            continue
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), f"{new}/{entry.name}")
        else:
            _bind(entry.path, f"{new}/{entry.name}")
    for path in _FROM_HOST:
        if os.path.isdir(path):
            _bind(path, new + path)
    for device, _reason in (*DEVICES, *PROGRAM_DEVICES):
        if os.path.exists(device):
            _bind(device, new + device)
    for name, source in shown.items():
        _bind(source, f"{new}{OTHER_ROOT}/{name}")
    # Places where a root can be put together (jail/filesystem.py), and for files of the worker.
    for name, mode in (("mnt", 0o755), ("tmp", 0o1777)):
        os.mkdir(f"{new}/{name}")
        os.chmod(f"{new}/{name}", mode)
    os.chdir(new)
    kernel.pivot_root(".", ".")
    kernel.umount(".")
    os.chdir("/")


def _bind(source: str, target: str) -> None:
    os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
    if stat.S_ISDIR(os.stat(source).st_mode):
        os.makedirs(target, 0o755, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    kernel.mount(source, target, "", kernel.MS_BIND | kernel.MS_REC)


def main() -> None:
    root, python, plan, *arguments = sys.argv[1:]
    enter(root, json.loads(plan))
    os.execv(python, [python, *arguments])
