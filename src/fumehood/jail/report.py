"""What isolates a sandbox here: each mechanism, whether it is in force, and why not. Nothing here decides; it only tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fumehood.jail import kernel


@dataclass(frozen=True, slots=True)
class Mechanism:
    name: str
    in_force: bool
    detail: str
    stops: str


def why(error: OSError) -> str:
    """The kernel's reason as one line."""
    return error.strerror or str(error)


def mechanisms(
    *, namespaces_why: str, landlock_abi: int, landlock_why: str, cgroups_version: int, cgroups_why: str, uid: int
) -> list[Mechanism]:
    """All mechanisms, in the order of the design's table."""
    spaces = not namespaces_why
    refused = f"refused by this machine: {namespaces_why}"
    rows = [
        ("user, pid, ipc namespaces", spaces, "own processes and users" if spaces else refused, "seeing or signalling other processes"),
        ("network namespace", spaces, "no network, not even loopback" if spaces else f"{refused}; seccomp refuses sockets", "any network"),
        (
            "mount namespace",
            spaces,
            "a read-only root; /lab is its own" if spaces else f"{refused}; Landlock rules hold, there is no /lab",
            "reading the host's files",
        ),
        ("Landlock", landlock_abi > 0, f"version {landlock_abi}" if landlock_abi else landlock_why, "opening files that are not its own"),
        ("no privileges", True, f"runs as user {uid}, without capabilities, no_new_privs", "root"),
        ("resource limits", True, "memory, processes, open files, file size of each process", "bombs"),
        (
            "memory cgroup",
            cgroups_version > 0,
            f"version {cgroups_version}" if cgroups_version else f"not ours to make: {cgroups_why}",
            "many processes taking memory together",
        ),
        ("seccomp", True, f"an allow list for {kernel.MACHINE}", "execution of programs, sockets, ptrace, new namespaces …"),
    ]
    return [Mechanism(*row) for row in rows]


def is_complete(found: Iterable[Mechanism]) -> bool:
    """Whether the hard boundary is whole: everything but the cgroup, which only adds to the limits."""
    return all(mechanism.in_force for mechanism in found if mechanism.name != "memory cgroup")


def as_text(found: Iterable[Mechanism]) -> str:
    lines = ["isolation: jail. The code runs in a process of its own, which the kernel holds to these:"]
    lines += [f"  {'in force' if m.in_force else 'absent  '}  {m.name}: {m.detail}" for m in found]
    return "\n".join(lines)
