"""What programs are run against: a place for code, the rules of the language on or off, and a
policy's imports and limits.

Everything here is plain data, because it is handed to a process of its own.
"""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sys
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from fumehood.attack.corpus import LIMITS, Program
from fumehood.default_imports import DANGEROUS_IMPORTS
from fumehood.policy import Limits, Policy

PlaceName = Literal["local", "inline", "docker"]

# What the extra `server` brings.
SERVER_NEEDS = (
    "httptools",
    "prometheus_client",
    "python_multipart",
    "starlette",
    "uvicorn",
    "uvloop",
    "websockets",
)

# Two are the first executor's. Few, because they count as processes, of which some programs try to
# have too many; a step takes one snapshot or makes one fork.
BRANCHES = 4

# For a program that hands over loot: libraries need room, and one that waits on purpose waits for
# all of the time.
LOOT_LIMITS: dict[str, float] = {**LIMITS, "cell_seconds": 2, "memory_bytes": 512 << 20}


@dataclass(frozen=True)
class Configuration:
    place: PlaceName = "local"
    guarded: bool = True
    imports: tuple[str, ...] = ()
    limits: dict[str, float] = field(default_factory=dict)
    """Those of a policy; each holds where it is stricter than the suite's own, which programs are
    made for."""
    base: str | None = None
    """The image that a container is made from."""
    programs: bool = False
    """Whether code may execute programs (Policy.programs)."""

    def as_data(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Configuration:
        return cls(**{**data, "imports": tuple(data["imports"])})

    @property
    def judges_objects(self) -> bool:
        """Whether it counts which objects a program gets hold of. Where the rules are off, or a
        module is authorized that undoes them, any object can be had, and what counts is what leaves
        the sandbox."""
        return self.guarded and not any(
            name == "*" or name.partition(".")[0] in DANGEROUS_IMPORTS for name in self.imports
        )

    def policy_for(self, program: Program) -> Policy:
        limits = dict(program.limits if program.judges_itself else LOOT_LIMITS)
        for name, value in self.limits.items():
            limits[name] = min(value, limits.get(name, value))
        limits.setdefault("branches", BRANCHES)
        imports = tuple(dict.fromkeys((*self.imports, *program.imports)))
        return Policy(
            imports=imports,
            files=not self.guarded and program.fields.get("files") != "no",
            programs=self.programs,
            language="guarded" if self.guarded else "off",
            limits=Limits(**limits),  # type: ignore[arg-type]
        )

    def plain_policy(self) -> Policy:
        """Of a sandbox that does nothing."""
        return Policy(
            imports=self.imports,
            files=True,
            programs=self.programs,
            language="off",
            limits=Limits(**LIMITS, branches=BRANCHES),  # type: ignore[arg-type]
        )

    def _leaves_out_clients(self) -> str | None:
        if self.place != "local":
            return "is about a server, whose sandboxes are jails on this machine"
        if missing := [name for name in SERVER_NEEDS if importlib.util.find_spec(name) is None]:
            return f"is about a server, which needs {missing[0]}: pip install 'fumehood[server]'"
        return None

    def leaves_out(self, program: Program) -> str | None:
        """Why a program is not run here; None if it is."""
        if not program.runs_on(sys.version_info[:2]):
            return f"is about Python {program.fields['python']}"
        if program.is_of_a_client:
            return self._leaves_out_clients()
        if (
            self.place != "docker"
            and shutil.which(tool := program.fields.get("runs", "sh")) is None
        ):
            return f"{tool} is not installed"
        if program.fields.get("arch", platform.machine()) != platform.machine():
            return f"speaks of {program.fields['arch']}"
        if self.place != "docker" and (
            missing := [name for name in program.imports if importlib.util.find_spec(name) is None]
        ):
            return f"{missing[0]} is not installed"
        if self.place == "docker":
            if "runs" in program.fields:
                return f"{program.fields['runs']} is not in the image"
            if program.imports:
                return f"{program.imports[0]} is not in the image"
            if "python" in program.fields:
                return "is about some Pythons, and the image has its own"
            return program.fields.get("docker")
        if self.place == "inline":
            if "limit" in program.fields or program.language is None:
                return "inline isolation promises nothing about it"
            if program.host_steps or len(program.sessions) > 1 and program.judges_itself:
                return "is about a sandbox of its own"
        return None
