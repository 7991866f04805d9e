"""A base made of this machine's Python, an image on it, and containers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fumehood.docker.containers import Container
from fumehood.docker.engine import Engine
from fumehood.docker.images import Image, ReadyImage
from fumehood.policy import Policy

from . import bases

Start = Callable[..., Container]


@pytest.fixture(scope="session")
def base(engine: Engine) -> str:
    return str(bases.base_of(engine))


@pytest.fixture(scope="session")
def image(engine: Engine, base: str) -> ReadyImage:
    return Image.for_(base=base).ensure(engine)


@pytest.fixture
def start(engine: Engine, image: ReadyImage) -> Iterator[Start]:
    """Starts containers that run a program, and removes them."""
    made: list[Container] = []

    def start(program: str | list[str] = "", **options: Any) -> Container:
        command = program if isinstance(program, list) else ["python3", "-u", "-c", program]
        made.append(
            Container.start(
                engine, options.pop("image", image), command, **{"policy": Policy(), **options}
            )
        )
        return made[-1]

    yield start
    for container in made:
        container.remove()


@pytest.fixture
def output() -> Callable[[Container], str]:
    """All that a container prints until it ends."""

    def read(container: Container) -> str:
        out = b""
        while data := container.stream.recv(1 << 16):
            out += container.output.feed(data)
        return out.decode()

    return read
