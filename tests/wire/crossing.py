"""A value's way over the wire and back, and classes of which the other side knows nothing."""

from __future__ import annotations

import dataclasses
import enum
import json
from typing import Any, NamedTuple

from fumehood.wire.values import Decoder, Encoder


def cross(value: Any, encoder: Encoder | None = None, decoder: Decoder | None = None) -> Any:
    node, buffers = (encoder or Encoder()).encode(value)
    node = json.loads(json.dumps(node, allow_nan=False))
    return (decoder or Decoder()).decode(node, [bytearray(buffer) for buffer in buffers])


class Colour(enum.Enum):
    RED = 1
    ODD = [1]  # noqa: RUF012


class Permission(enum.IntFlag):
    READ = 4
    WRITE = 2


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = None


@dataclasses.dataclass(frozen=True)
class Spot:
    x: Any
    y: Any = None


@dataclasses.dataclass(eq=False)
class Knot:
    next: Any = None


@dataclasses.dataclass(slots=True)
class Narrow:
    x: int
    y: int


class Pair(NamedTuple):
    left: Any
    right: Any


class Plain:
    pass


class OwnError(ValueError):
    pass
