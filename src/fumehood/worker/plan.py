"""The plan: what a guardian has found out about the machine and was told by the host, the same for
every sandbox of its zygote; and what one runner is started with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from fumehood.jail.filesystem import Bind
from fumehood.jail.limits import Cgroups
from fumehood.policy import Limits


@dataclass(frozen=True, slots=True)
class Plan:
    uid: int
    gid: int
    binds: tuple[Bind, ...]
    policy: dict[str, Any]
    """The policy that most sandboxes of the zygote will have: that of the first."""
    cgroups: Cgroups | None
    cgroups_why: str
    """Why there are no cgroups; empty where there are."""
    namespaces_why: str
    """Why there are no namespaces; empty where there are."""
    labs: str = ""
    """Where sandboxes in a container have their labs; empty if this is none that was made for them,
    or it has namespaces for us."""
    sandboxes: int | None = None
    """How many sandboxes such a container is to have at a time, if the host has said."""

    pidfds: bool = True
    """Whether there are handles on processes. Where a container's kernel has none, a sandbox is one
    process, which can start no other."""
    packages: str = ""
    """Where packages are put that the host installs later; empty where there is no place that code
    could not write to."""

    @property
    def imports(self) -> tuple[str, ...]:
        return tuple(self.policy["imports"])

    @property
    def files(self) -> bool:
        """Whether code has directories to write to: the same for every sandbox of the zygote."""
        return bool(self.policy["files"])

    @property
    def programs(self) -> bool | tuple[str, ...]:
        """Whether code may execute programs, or which."""
        wanted = self.policy["programs"]
        return tuple(wanted) if isinstance(wanted, list) else bool(wanted)


@dataclass(frozen=True, slots=True)
class Start:
    """What a runner is started with, as it is told."""

    limits: Limits
    place: int = 0
    """Which of its sandbox's labs it lives in."""
    number: int = 0
    """What it is called there, as no other is: the first is 0, and each that is beside others has
    its own."""
    is_first: bool = True
    """Whether there was none before it, so that labs are to be made."""

    def is_usual(self, limits: Limits) -> bool:
        return self.limits is limits and self.is_first and not self.number

    def as_fields(self) -> dict[str, Any]:
        return {**asdict(self), "limits": asdict(self.limits)}

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> Start:
        return cls(**{**fields, "limits": Limits(**fields["limits"])})
