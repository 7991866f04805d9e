"""What isolates a sandbox here: each mechanism, whether it is in force, and why not. Nothing here
decides; it only tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One of the things that isolate code, as `mechanisms()` lists them."""

    name: str
    in_force: bool
    detail: str
    """How it is in force, or why it is not."""
    stops: str
    """What it is there against."""


def why(error: OSError) -> str:
    """The kernel's reason as one line."""
    return error.strerror or str(error)


def mechanisms(
    *,
    namespaces_why: str,
    landlock_abi: int,
    landlock_why: str,
    cgroups_version: int,
    cgroups_why: str,
    uid: int,
    contained: bool = False,
    alone: bool = False,
    kernel_name: str = "",
) -> list[Mechanism]:
    """All mechanisms, in the order of the design's table. `contained` says that the sandboxes share
    a container, which was made for them and has no namespaces for each; `alone` that each of them
    is one process, `kernel_name` whose kernel it is if not the machine's."""
    from fumehood.jail import kernel  # late: hosts read reports, and make none

    spaces = not namespaces_why
    refused = namespaces_why if alone else f"refused by this machine: {namespaces_why}"
    rows = [
        (
            "user, pid, ipc namespaces",
            spaces,
            "own processes and users" if spaces else refused,
            "seeing or signalling other processes",
        ),
        (
            "network namespace",
            spaces,
            "no network, not even loopback" if spaces else f"{refused}; seccomp refuses sockets",
            "any network",
        ),
        (
            "mount namespace",
            spaces,
            "a read-only root; with files=True, /home/user and /tmp of its own"
            if spaces
            else f"{refused}; Landlock rules hold, there are no files to write",
            "reading the host's files",
        ),
        (
            "Landlock",
            landlock_abi > 0,
            f"version {landlock_abi}" if landlock_abi else landlock_why,
            "opening files that are not its own",
        ),
        ("no privileges", True, f"runs as user {uid}, without capabilities, no_new_privs", "root"),
        (
            "resource limits",
            True,
            "memory, processes, open files, file size of each process",
            "bombs",
        ),
        (
            "memory cgroup",
            cgroups_version > 0,
            f"version {cgroups_version}" if cgroups_version else f"not ours to make: {cgroups_why}",
            "many processes taking memory together",
        ),
        (
            "seccomp",
            True,
            f"an allow list for {kernel.MACHINE}",
            "execution of programs, sockets, ptrace, new namespaces …",
        ),
        (
            "process creation",
            True,
            f"in Python: {kernel.why_no_spawn}" if kernel.why_no_spawn else "in C (jail/_spawn.c)",
            "slow starts; it isolates nothing",
        ),
    ]
    in_a_container = _in_a_container(refused, landlock_abi, alone=alone) if contained else {}
    if kernel_name:
        rows.insert(
            0,
            (
                kernel_name,
                True,
                "the container has a kernel of its own, which is a process",
                "calling the machine's kernel",
            ),
        )
    return [Mechanism(row[0], row[1], in_a_container.get(row[0], row[2]), row[3]) for row in rows]


_SIGNALS = 6
"""The version of Landlock's rules that knows of signals."""


def _in_a_container(refused: str, landlock_abi: int, *, alone: bool) -> dict[str, str]:
    """What is to be said of some mechanisms where sandboxes share a container."""
    kept = (
        "not each other's memory"
        if landlock_abi >= _SIGNALS
        else "can signal each other, but have not each other's memory"
    )
    files = (
        "Landlock keeps other sandboxes' files apart"
        if landlock_abi
        else "sandboxes of this container see each other's files, and can change them; without files=True no file can have content"
    )
    # The container's first process, which has it open, is not ours and not closed to inspection;
    # under gVisor no process is.
    line = "each can reach the line by which all of them speak with the host"
    apart = (
        ""
        if landlock_abi
        else f". Sandboxes of this container are not kept apart from each other: {line}"
    )
    if alone:
        held = "each sandbox is one process, which starts and signals no other: there are no forks, snapshots or rollback"
    else:
        held = f"its sandboxes see each other's process numbers, {kept}; an init for each ends all of a sandbox's processes"
    return {
        "user, pid, ipc namespaces": f"{refused}; the container has its own; {held}{apart}",
        "network namespace": f"{refused}; seccomp refuses sockets, and the container has its own",
        "mount namespace": f"{refused}; the container has its own root. With files=True, a sandbox has its own /home/user and /tmp; {files}",
        "resource limits": "memory, open files, file size of each process; processes, and the size of /home/user and /tmp, of all in this container together",
        "memory cgroup": "none for each sandbox: the container's holds all of them together",
    }


def is_complete(found: Iterable[Mechanism]) -> bool:
    """Whether the hard boundary is whole: everything but the cgroup, which only adds to the
    limits."""
    return all(mechanism.in_force for mechanism in found if mechanism.name != "memory cgroup")


_WHERE = {
    "jail": "The code runs in a process of its own, which the kernel holds to these:",
    "docker": "The code runs in a container, and in there in a process of its own. They are held to these:",
    "e2b": "The code runs in a sandbox of an E2B service, and in there in a process of its own, which is held to these:",
    "ray": "The code runs on a node of a Ray cluster, in a process of its own, which the kernel there holds to these:",
}


def as_text(found: Iterable[Mechanism], place: str = "jail") -> str:
    lines = [f"isolation: {place}. {_WHERE[place]}"]
    lines += [f"  {'in force' if m.in_force else 'absent  '}  {m.name}: {m.detail}" for m in found]
    return "\n".join(lines)
