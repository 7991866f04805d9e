"""The bodies of the native API: what requests bring and answers give. The OpenAPI document is made from these."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Seconds = Annotated[float, Meta(gt=0, le=31_536_000)]
Name = Annotated[str, Meta(max_length=200)]
Metadata = Annotated[dict[Annotated[str, Meta(max_length=256)], Annotated[str, Meta(max_length=4096)]], Meta(max_length=64)]


class Body(Struct, forbid_unknown_fields=True, kw_only=True):
    """A request: a field that is not known is an error, and most likely a misspelling."""


class Answer(Struct, kw_only=True):
    """An answer."""


class Problem(Answer):
    """Every refusal has this body."""

    code: int
    error: str
    message: str


class Create(Body):
    template: Name | None = None
    timeout_seconds: Seconds | None = None
    metadata: Metadata = {}
    environment: Metadata = {}
    snapshot: Name | None = None
    """Begin as a snapshot is."""


class SandboxInfo(Answer):
    id: str
    template: str
    state: str
    created: float
    expires: float
    metadata: dict[str, str]
    contexts: list[str]
    cells: int


class SandboxList(Answer):
    sandboxes: list[SandboxInfo]


class Run(Body):
    code: Annotated[str, Meta(max_length=2_000_000)]
    context: Name | None = None
    timeout_seconds: Seconds | None = None


class ErrorShape(Answer):
    type: str
    message: str
    traceback: str
    line: int | None


class UsageShape(Answer):
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int | None


class Ran(Answer):
    """The outcome of a cell."""

    value: Any
    """As typed JSON (values.py)."""
    text: str | None
    logs: str
    displays: list[dict[str, Any]]
    error: ErrorShape | None
    fault: str | None
    is_final_answer: bool
    rolled_back: bool
    usage: UsageShape


def decoded(kind: type[Any], data: bytes) -> Any:
    return msgspec.json.decode(data, type=kind)


__all__ = ["UNSET", "UnsetType"]
