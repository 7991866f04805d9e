"""The attack programs: a header of comments, then cells of plain Python that run with the language layer off.

    # aim: read a file of the host
    # layer: mount namespace, landlock     what should stop it; the names are in LAYERS
    # expect: held                         how the last cell must end; several ways are separated by " | ":
                                           held (its value is a text beginning "held:"), error NAME, fault KIND
    # plain: succeeds                      what the same program does in a plain process, among canaries of its own:
                                           succeeds, crashes, hangs, or none (reason) where there is nothing to attack without a jail
    # host: read loot                      optional: what the host does after the cells, with /lab/loot in this example
    # limits: cell_seconds=2               optional: limits other than LIMITS below
    # arch: x86_64                         optional: the only architecture it speaks of
    # hosts: root                          optional: the only hosts it is run from, where it takes long and who the host is changes nothing
    # needs: mount namespace               optional: the mechanism (a word of the jail's report) without which there is nothing to attack
    # housed: the container's own          optional: why it is no attack in a container made for sandboxes, and is not run from there
    # without: memory cgroup               optional: a mechanism whose absence opens this door, and which the report then calls absent

A line `# ---` begins another cell of the same session. Programs find their targets in variables, which are listed in
canaries.py, and use the words of attacks/prelude.py: `judge(attack)` is "ESCAPED: …" or "held: …".
Each is bounded in time and count, so that it is harmless where the jail fails.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .identities import IDENTITIES

ATTACKS = Path(__file__).parent / "attacks"
PRELUDE = ATTACKS / "prelude.py"

# What an attack has, unless its header says otherwise. Small, so that a bomb ends soon and does no harm where a limit fails.
LIMITS: dict[str, float] = {
    "cell_seconds": 10,
    "memory_bytes": 64 << 20,
    "processes": 24,
    "lab_bytes": 16 << 20,
    "lab_files": 2000,
    "file_bytes": 8 << 20,
    "open_files": 128,
    "grace_seconds": 0.3,
}

LAYERS = {
    "mount namespace": "the root holds only the interpreter and its libraries",
    "pid namespace": "other processes have no number here",
    "network namespace": "no interface, and abstract names of its own",
    "ipc namespace": "shared memory, semaphores and queues of its own",
    "uts namespace": "a host name of its own",
    "landlock": "rules on files, on abstract sockets and on signals",
    "seccomp": "the call is not on the list, or its arguments are not",
    "privileges": "no capabilities, no_new_privs, an ordinary user",
    "rlimits": "limits of a process",
    "cgroup": "limits of the whole sandbox",
    "lab": "the private file system has a size and a number of files",
    "descriptors": "nothing but the wire is open",
    "environment": "the interpreter was started with an empty one",
    "exec": "the zygote began as a fresh program and never held what the host holds",
    "keeper": "pid 1 of the sandbox runs no code of the cells, and all die with it",
    "clock": "the host's own clock ends the cell",
    "wire": "the host bounds and checks every byte",
    "files": "the host reads regular files only and follows no links",
}

_FIELDS = {"aim", "layer", "expect", "plain", "host", "limits", "arch", "hosts", "needs", "housed", "without"}
_EXPECTATION = re.compile(r"held|error [A-Za-z_]+|fault (timeout|memory|crash|killed|output|displays|frame|refused)")
_PLAIN = re.compile(r"succeeds|crashes|hangs|none \(.+\)")
_NEXT_CELL = "# ---"


@dataclass(frozen=True)
class Attack:
    name: str
    fields: dict[str, str]
    cells: tuple[str, ...]

    @property
    def expected(self) -> tuple[str, ...]:
        return tuple(self.fields["expect"].split(" | "))

    @property
    def layers(self) -> tuple[str, ...]:
        return tuple(self.fields["layer"].split(", "))

    @property
    def plain(self) -> str:
        """succeeds, crashes, hangs or none."""
        return self.fields["plain"].partition(" ")[0]

    @property
    def host_steps(self) -> tuple[str, ...]:
        return tuple(filter(None, self.fields.get("host", "").split(", ")))

    @property
    def hosts(self) -> tuple[str, ...]:
        hosts = self.fields.get("hosts", " ".join(IDENTITIES)).split()
        return tuple(host for host in hosts if host != "housed" or "housed" not in self.fields)

    @property
    def limits(self) -> dict[str, float]:
        changed = (pair.partition("=") for pair in self.fields.get("limits", "").split())
        return {**LIMITS, **{name: float(value) if "." in value else int(value) for name, _, value in changed}}


def read(name: str) -> Attack:
    """The attack `group/name`. ValueError says what is wrong with its header."""
    lines = (ATTACKS / f"{name}.py").read_text(encoding="utf-8").splitlines()
    fields: dict[str, str] = {}
    while len(fields) < len(lines) and lines[len(fields)].startswith("# ") and lines[len(fields)] != _NEXT_CELL:
        key, colon, text = lines[len(fields)][2:].partition(": ")
        if not colon or key not in _FIELDS or key in fields or not text.strip():
            raise ValueError(f"{name}: not a header line: {lines[len(fields)]!r}")
        fields[key] = text.strip()
    attack = Attack(name, fields, _cells(lines[len(fields) :]))
    _check(attack)
    return attack


def _check(attack: Attack) -> None:
    missing = {"aim", "layer", "expect", "plain"} - attack.fields.keys()
    if missing:
        raise ValueError(f"{attack.name}: the header lacks {', '.join(sorted(missing))}")
    if unknown := set(attack.layers) - LAYERS.keys():
        raise ValueError(f"{attack.name}: no such layer: {', '.join(sorted(unknown))}")
    if wrong := [way for way in attack.expected if not _EXPECTATION.fullmatch(way)]:
        raise ValueError(f"{attack.name}: cannot be expected: {', '.join(wrong)}")
    if not _PLAIN.fullmatch(attack.fields["plain"]):
        raise ValueError(f"{attack.name}: not a plain outcome: {attack.fields['plain']}")
    if unknown := set(attack.hosts) - set(IDENTITIES):
        raise ValueError(f"{attack.name}: no such host: {', '.join(sorted(unknown))}")
    if wrong := attack.limits.keys() - LIMITS.keys():
        raise ValueError(f"{attack.name}: no such limit: {', '.join(sorted(wrong))}")


def _cells(lines: list[str]) -> tuple[str, ...]:
    cells: list[list[str]] = [[]]
    for line in lines:
        if line == _NEXT_CELL:
            cells.append([])
        else:
            cells[-1].append(line)
    return tuple("\n".join(cell) + "\n" for cell in cells)


def names() -> list[str]:
    return sorted(path.relative_to(ATTACKS).with_suffix("").as_posix() for path in ATTACKS.glob("*/*.py"))
