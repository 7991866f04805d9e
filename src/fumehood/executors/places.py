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
    """The function that makes executors that share one place, for a pool."""

    def find(self, name: str) -> Any:
        return getattr(import_module(f"fumehood.executors.{self.module}"), name)


PLACES: dict[str, Place] = {
    place.name: place
    for place in (
        Place("local", "local", "LocalPythonExecutor", "a jailed process on this machine"),
        Place("inline", "local", "LocalPythonExecutor", "this process", {"isolation": "inline"}),
        Place("docker", "docker", "DockerExecutor", "a container", shared="shared"),
        Place("e2b", "e2b", "E2BExecutor", "a sandbox of E2B or `fumehood serve`", shared="shared"),
        Place("ray", "ray", "RayExecutor", "the machines of a Ray cluster"),
    )
}


def make_executor(name: str, **options: Any) -> PythonExecutor:
    """An executor in the place of that name. PolicyError, a ValueError, for any other name."""
    place = _find(name)
    return place.find(place.executor)(**{**place.options, **options})  # type: ignore[no-any-return]


def makes_executors(
    name: str, number: int, options: Mapping[str, Any]
) -> tuple[Callable[..., PythonExecutor], Callable[[], None]]:
    """A function that makes up to `number` executors in the place of that name, and one to call
    when no more are needed. `options` are for all of them together if they share one place, else
    for each."""
    place = _find(name)
    if place.shared is None:
        return lambda **more: make_executor(name, **{**options, **more}), lambda: None
    return place.find(place.shared)(number, options)  # type: ignore[no-any-return]


def _find(name: str) -> Place:
    place = PLACES.get(name) if isinstance(name, str) else None
    if place is None:
        raise PolicyError(
            f"unsupported executor type {name!r}; supported are {', '.join(map(repr, PLACES))}"
        )
    return place
