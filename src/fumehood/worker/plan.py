"""The plan: what a guardian has found out about the machine and was told by the host, the same for every sandbox of its zygote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fumehood.jail.filesystem import Bind
from fumehood.jail.limits import Cgroups


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

    @property
    def imports(self) -> tuple[str, ...]:
        return tuple(self.policy["imports"])
