"""Our images and containers on an engine, which of them are unused, and their removal."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fumehood.docker import containers as owners
from fumehood.docker import images
from fumehood.docker.engine import Engine, in_path
from fumehood.errors import DockerFailed

_LIVING = ("running", "paused", "restarting", "created")
_BUILDING_SECONDS = 3600
"""What has no name may be what somebody is building just now."""


@dataclass(frozen=True, slots=True)
class KnownImage:
    """An image of ours. `inside` is None for a base that a Dockerfile made; without a tag it was
    replaced, or is part of a failed build."""

    id: str
    tag: str
    base: str
    packages: tuple[str, ...]
    inside: str | None
    bytes: int
    created: float
    containers: int
    """How many containers there are of it, whoever's."""

    @property
    def is_current(self) -> bool:
        """Whether it holds what this fumehood would put into it."""
        return self.inside == images.digest()


@dataclass(frozen=True, slots=True)
class KnownContainer:
    """A container of ours. `is_gone` says whether the process that started it is; None if that
    cannot be told from here."""

    id: str
    name: str
    image: str
    state: str
    created: float
    pid: str
    version: str
    is_here: bool
    """Whether it was started on this machine."""
    is_gone: bool | None


@dataclass(frozen=True, slots=True)
class Inventory:
    images: tuple[KnownImage, ...]
    containers: tuple[KnownContainer, ...]

    def unused(self, *, everything: bool = False) -> Inventory:
        """What can go: containers of processes that are gone, and that have ended; images that are
        of another version and not in use. `everything` adds the images of this version that no
        container uses."""
        containers = tuple(
            each
            for each in self.containers
            if each.is_gone or each.is_gone is None and each.state not in _LIVING
        )
        leaving = {each.id for each in containers}
        kept = {each.image for each in self.containers if each.id not in leaving}
        ours = {
            each.id: sum(other.image == each.id for other in containers) for each in self.images
        }
        free = [
            each for each in self.images if each.id not in kept and each.containers <= ours[each.id]
        ]
        needed = (
            set()
            if everything
            else {each.base for each in self.images if each.is_current or each not in free}
        )
        going = []
        for each in free:
            if not each.tag:
                is_going = each.created < time.time() - _BUILDING_SECONDS
            elif each.inside is None:
                is_going = everything or each.tag not in needed
            else:
                is_going = everything or not each.is_current
            going += [each] if is_going else []
        return Inventory(tuple(going), containers)

    def without(self, there: Inventory) -> Inventory:
        """What of it is no longer there."""
        images, containers = (
            {(each.id, each.tag) for each in there.images},
            {each.id for each in there.containers},
        )
        return Inventory(
            tuple(each for each in self.images if (each.id, each.tag) not in images),
            tuple(each for each in self.containers if each.id not in containers),
        )


def take(engine: Engine) -> Inventory:
    """Three questions."""
    running = engine.ask("GET", "/containers/json", {"all": 1})
    known = _listed(engine, {"label": [images.CREATED]})
    listed = []
    for each in known:
        tag = _tag(each.get("RepoTags") or ())
        if tag is None:
            continue  # somebody else's, made from one of ours
        labels = each.get("Labels") or {}
        used = sum(container.get("ImageID") == each["Id"] for container in running)
        listed.append(
            KnownImage(
                id=each["Id"],
                tag=tag,
                base=labels.get(images.BASE, ""),
                packages=tuple(labels.get(images.PACKAGES, "").split()),
                inside=labels.get(images.INSIDE)
                if not tag.startswith(f"{images.REPOSITORY}:base-")
                else None,
                bytes=int(each.get("Size") or 0),
                created=float(each.get("Created") or 0),
                containers=used,
            )
        )
    listed.sort(key=lambda image: -image.created)
    return Inventory(
        tuple(listed),
        tuple(_container(each) for each in running if (each.get("Labels") or {}).get(owners.OURS)),
    )


def _listed(engine: Engine, filters: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = engine.ask(
        "GET", "/images/json", {"filters": json.dumps(filters)}
    )
    return found


def _tag(tags: Sequence[str]) -> str | None:
    """The tag by which an image is ours: empty if it has none at all, None if it has only
    others."""
    real = [tag for tag in tags if tag != "<none>:<none>"]
    ours = [tag for tag in real if tag.startswith(f"{images.REPOSITORY}:")]
    return ours[0] if ours else None if real else ""


def _container(found: dict[str, Any]) -> KnownContainer:
    labels = found.get("Labels") or {}
    return KnownContainer(
        id=found["Id"],
        name=next(iter(found.get("Names") or ()), "").lstrip("/"),
        image=found.get("ImageID", ""),
        state=found.get("State", ""),
        created=float(found.get("Created") or 0),
        pid=labels.get(owners.PID, ""),
        version=labels.get(owners.VERSION, ""),
        is_here=labels.get(owners.MACHINE) == owners.machine(),
        is_gone=owners.is_gone(labels),
    )


def layers_bytes(engine: Engine) -> int | None:
    """How much disk all images on the engine take. None if it does not say."""
    try:
        return int(engine.ask("GET", "/system/df", {"type": "image"})["LayersSize"])
    except (DockerFailed, KeyError, TypeError, ValueError):
        return None


def remove(engine: Engine, going: Inventory) -> None:
    """Take it away, as far as it is not in use by now. What other images share of one stays."""
    for container in going.containers:
        owners.remove(engine, container.id)
    for image in sorted(
        going.images, key=lambda each: each.inside is None
    ):  # bases last: others are on top of them
        if image.tag:
            with contextlib.suppress(DockerFailed):
                engine.ask("DELETE", f"/images/{in_path(image.tag)}")
    for label in (images.CREATED, images.LAYER):
        filters = {"dangling": ["true"], "label": [label], "until": [f"{_BUILDING_SECONDS}s"]}
        engine.ask("POST", "/images/prune", {"filters": json.dumps(filters)})


def total_bytes(found: Iterable[KnownImage]) -> int:
    return sum(image.bytes for image in found)
