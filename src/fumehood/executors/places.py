"""Where code can run, by name. A place that an extra brings is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from fumehood.errors import PolicyError
from fumehood.executors.base import PythonExecutor


@dataclass(frozen=True, slots=True)
class Place:
    """An executor by the name of its class. One without a module is planned and not there yet."""

    name: str
    module: str | None
    executor: str
    about: str
    options: Mapping[str, Any] = field(default_factory=dict)


PLACES: dict[str, Place] = {
    place.name: place
    for place in (
        Place("local", "fumehood.executors.local", "LocalPythonExecutor", "a jailed process on this machine"),
        Place("inline", "fumehood.executors.local", "LocalPythonExecutor", "this very process, with no isolation", {"isolation": "inline"}),
        Place("docker", None, "DockerExecutor", "a container"),
        Place("e2b", None, "E2BExecutor", "a cloud sandbox"),
        Place("ray", None, "RayExecutor", "the machines of a Ray cluster"),
    )
}


def make_executor(name: str, **options: Any) -> PythonExecutor:
    """An executor in the place of that name. Raises PolicyError, a ValueError, for a name there is no place for."""
    place = PLACES.get(name)
    if place is None:
        raise PolicyError(f"unsupported executor type {name!r}; supported are {', '.join(map(repr, PLACES))}")
    if place.module is None:
        available = ", ".join(repr(other.name) for other in PLACES.values() if other.module)
        raise PolicyError(f"executor type {name!r} ({place.about}) is not in this version of fumehood; use one of {available}")
    made: PythonExecutor = getattr(import_module(place.module), place.executor)(**{**place.options, **options})
    return made
