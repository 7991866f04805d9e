"""What isolates a sandbox here: each mechanism, whether it is in force, and why not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One of the mechanisms that isolate code, as `mechanisms()` lists them."""

    name: str
    in_force: bool
    detail: str
    """How it is in force, or why it is not."""
    stops: str
    """What it prevents."""


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
    is_contained: bool = False,
    kernel_name: str = "",
) -> list[Mechanism]:
    """All mechanisms, in the order of the design's table. `is_contained` says that the sandboxes
    share a container, which was made for them; `kernel_name` names a kernel that is not the
    machine's."""
    from fumehood.jail import kernel  # late: hosts read reports, and make none

    spaces = not namespaces_why
    processes, network, root = (
        "own processes and users",
        "no network, not even loopback",
        "a read-only root; with files=True, /home/user and /tmp of its own",
    )
    memory = "memory, processes, open files, file size of each process"
    cgroup = f"version {cgroups_version}" if cgroups_version else f"cannot be made: {cgroups_why}"
    if is_contained and not cgroups_version:
        cgroup = "none for each sandbox: the container's limits all of them together"
    if not spaces:
        refused = f"refused by this machine: {namespaces_why}"
        processes = f"{refused}; each sandbox is one process, which starts and signals no other:"
        processes += " there are no programs, forks, snapshots or rollback"
        network = f"{refused}; seccomp refuses sockets"
        root = f"{refused}; Landlock rules hold, there are no files to write"
    if not spaces and is_contained:
        network += ", and the container has its own"
        if not kernel_name:
            processes += ". The engine's machine must allow user namespaces to containers"
        files = "Landlock keeps other sandboxes' files apart"
        if not landlock_abi:
            processes += ". Sandboxes of this container are not kept apart from each other"
            files = "sandboxes of this container see each other's files, and can change them"
        root = f"{refused}; the container has its own root. With files=True, a sandbox has its own"
        root += f" /home/user and /tmp; {files}"
    landlock = f"version {landlock_abi}" if landlock_abi else landlock_why
    user = f"runs as user {uid}, without capabilities, no_new_privs"
    creation = "in C (jail/_spawn.c)"
    if kernel.why_no_spawn:
        creation = f"in Python: {kernel.why_no_spawn}"
    own_kernel = "the container has a kernel of its own, which is a process"
    refusals = "execution of programs, sockets, ptrace, new namespaces …"
    # fmt: off
    rows = [
        Mechanism("user, pid, ipc namespaces", spaces, processes, "seeing other processes"),
        Mechanism("network namespace", spaces, network, "any network"),
        Mechanism("mount namespace", spaces, root, "reading the host's files"),
        Mechanism("Landlock", landlock_abi > 0, landlock, "opening files that are not its own"),
        Mechanism("no privileges", True, user, "root"),
        Mechanism("resource limits", True, memory, "bombs"),
        Mechanism("memory cgroup", cgroups_version > 0, cgroup, "many processes with much memory"),
        Mechanism("seccomp", True, f"an allow list for {kernel.MACHINE}", refusals),
        Mechanism("process creation", True, creation, "slow starts; it isolates nothing"),
    ]
    # fmt: on
    if kernel_name:
        rows.insert(0, Mechanism(kernel_name, True, own_kernel, "calling the machine's kernel"))
    return rows


def is_complete(found: Iterable[Mechanism]) -> bool:
    """Whether the hard boundary is whole: everything but the cgroup, which only adds to the
    limits."""
    return all(mechanism.in_force for mechanism in found if mechanism.name != "memory cgroup")


_WHERE = {
    "jail": "in a process of its own, which the kernel",
    "docker": "in a container, and in there in a process of its own, which the kernel",
    "e2b": "in a sandbox of an E2B service, and in there in a process of its own, which its kernel",
    "ray": "on a node of a Ray cluster, in a process of its own, which the kernel there",
}


def as_text(found: Iterable[Mechanism], place: str = "jail") -> str:
    lines = [f"isolation: {place}. The code runs {_WHERE[place]} restricts:"]
    lines += [f"  {'in force' if m.in_force else 'absent  '}  {m.name}: {m.detail}" for m in found]
    return "\n".join(lines)
