"""Where code can run, by name. A place that an extra brings is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from fumehood.errors import PolicyError
from fumehood.executors.base import PythonExecutor


@dataclass(frozen=True, slots=True)
class Place:
    """An executor by the name of its class."""

    name: str
    module: str
    executor: str
    about: str
    options: Mapping[str, Any] = field(default_factory=dict)
    shared: str | None = None
    """What gives executors that have one place together, for a pool of them, where that is another
    thing than one each."""


PLACES: dict[str, Place] = {
    place.name: place
    for place in (
        Place(
            "local",
            "fumehood.executors.local",
            "LocalPythonExecutor",
            "a jailed process on this machine",
        ),
        Place(
            "inline",
            "fumehood.executors.local",
            "LocalPythonExecutor",
            "this very process, with no isolation",
            {"isolation": "inline"},
        ),
        Place(
            "docker", "fumehood.executors.docker", "DockerExecutor", "a container", shared="shared"
        ),
        Place(
            "e2b",
            "fumehood.executors.e2b",
            "E2BExecutor",
            "a sandbox of E2B, or of `fumehood serve`",
            shared="shared",
        ),
        Place("ray", "fumehood.executors.ray", "RayExecutor", "the machines of a Ray cluster"),
    )
}


def make_executor(name: str, **options: Any) -> PythonExecutor:
    """An executor in the place of that name. Raises PolicyError, a ValueError, for a name there is
    no place for."""
    place = _find(name)
    made: PythonExecutor = getattr(import_module(place.module), place.executor)(
        **{**place.options, **options}
    )
    return made


def makes_executors(
    name: str, number: int, options: Mapping[str, Any]
) -> tuple[Callable[..., PythonExecutor], Callable[[], None]]:
    """What makes up to so many executors in the place of that name, and what is to be called when
    there will be no more. `options` are for all of them together where they share one place, and
    for each where they do not."""
    place = _find(name)
    if place.shared is None:
        return lambda **more: make_executor(name, **{**options, **more}), lambda: None
    made: tuple[Callable[..., PythonExecutor], Callable[[], None]] = getattr(
        import_module(place.module), place.shared
    )(number, options)
    return made


def _find(name: str) -> Place:
    place = PLACES.get(name) if isinstance(name, str) else None
    if place is None:
        raise PolicyError(
            f"unsupported executor type {name!r}; supported are {', '.join(map(repr, PLACES))}"
        )
    return place
