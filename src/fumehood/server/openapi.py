"""The OpenAPI 3.1 document of the native API, made from the rows that also make its routes: what is
not served is not in it."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

import fumehood
from fumehood.server.live_shapes import EVENTS, Told
from fumehood.server.refusals import phrase
from fumehood.server.shapes import Problem
from fumehood.server.table import EVERYWHERE, Operation

_PLACE: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A part of a path that stands for something, as Starlette writes it."""

_REFERENCE: Final = "#/components/schemas/{name}"

PARTS: Final[dict[str, dict[str, Any]]] = {
    "sandbox_id": {
        "description": "The sandbox, by the id that it was made with.",
        "pattern": "^[a-z0-9]{1,64}$",
    },
    "context_id": {"description": "A context of the sandbox.", "pattern": "^[a-z0-9]{1,64}$"},
    "snapshot_id": {"description": "A snapshot of the key's.", "pattern": "^[a-z0-9]{1,64}$"},
    "call_id": {"description": "A call that waits for its answer.", "pattern": "^[a-z0-9]{1,64}$"},
    "name": {"description": "The name of a variable.", "pattern": "^[A-Za-z_][A-Za-z0-9_]{0,99}$"},
    "path": {
        "description": "A path below the sandbox's own directory.",
        "minLength": 1,
        "maxLength": 4096,
    },
}
"""What parts of paths are."""

_ABOUT: Final = """Python that runs in jailed sandboxes of this server.

Make a sandbox, run cells in it, read and write its variables and files, keep and fork it, close it. A request that is refused gets a
status and a body of the shape `Problem`. A cell that fails is no refusal: it is answered with 200, and `error` or `fault` says what
happened.

Keys are sent as `Authorization: Bearer KEY` or `X-API-Key: KEY`."""  # noqa: E501


RAW: Final[dict[str, str]] = {
    "/metrics": "text/plain",
    "/openapi.json": "application/json",
    "/docs": "text/html",
}
"""What raw answers are, where they are not just bytes."""

STREAMED: Final[dict[str, tuple[type[Told], ...]]] = {"/v1/sandboxes/{sandbox_id}/run": EVENTS}
"""What answers are as event streams, if a client asks for that."""


def document(operations: Iterable[Operation], *, with_keys: bool = True) -> dict[str, Any]:
    """The document. `with_keys` says whether this server asks for keys."""
    rows = [*operations]
    kinds = {
        kind
        for row in rows
        for kind in (row.body, row.answer, *STREAMED.get(row.path, ()))
        if kind not in (None, bytes)
    } | {Problem}
    ordered = sorted(kinds, key=lambda kind: str(getattr(kind, "__name__", kind)))
    schemas, components = msgspec.json.schema_components(ordered, ref_template=_REFERENCE)
    shape_of = dict(zip(ordered, schemas, strict=True))
    paths: dict[str, Any] = {}
    for row in rows:
        paths.setdefault(_PLACE.sub(r"{\1}", row.path), {})[row.method.lower()] = _operation(
            row, shape_of, with_keys
        )
    made: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "fumehood", "version": fumehood.__version__, "description": _ABOUT},
        "paths": paths,
        "components": {"schemas": components},
    }
    if with_keys:
        made["components"]["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer"},
            "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        }
    return made


def _operation(row: Operation, shape_of: dict[Any, Any], with_keys: bool) -> dict[str, Any]:
    tag = row.handler.__module__.rpartition(".")[2]
    made: dict[str, Any] = {
        "operationId": f"{tag}.{row.handler.__name__}",
        "tags": [tag],
        "summary": row.summary,
        "parameters": [*_of_path(row.path), *_of_query(row.query)],
        "responses": _responses(row, shape_of),
    }
    words = inspect.getdoc(row.handler)
    if words:
        made["description"] = words
    if row.body is not None:
        made["requestBody"] = {"required": True, "content": _content(row.body, shape_of)}
    if with_keys:
        made["security"] = [{"bearer": []}, {"header": []}] if row.needs_key else []
    return made


def _of_path(path: str) -> list[dict[str, Any]]:
    made = []
    for name, _convertor in _PLACE.findall(path):
        known = {**PARTS.get(name, {})}
        words = known.pop("description", None)
        made.append(
            {"name": name, "in": "path", "required": True, "schema": {"type": "string", **known}}
        )
        if words:
            made[-1]["description"] = words
    return made


def _of_query(query: type[Any] | None) -> list[dict[str, Any]]:
    if query is None:
        return []
    schema, components = msgspec.json.schema_components([query], ref_template=_REFERENCE)
    shape = components[schema[0]["$ref"].rpartition("/")[2]]
    required = shape.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": kind}
        for name, kind in sorted(shape["properties"].items())
    ]


def _responses(row: Operation, shape_of: dict[Any, Any]) -> dict[str, Any]:
    success, *refusals = row.statuses
    answered: dict[str, Any] = {"description": phrase(success)}
    if row.answer is not None:
        answered["content"] = _content(row.answer, shape_of, RAW.get(row.path, ""))
    if row.path in STREAMED:
        names = ", ".join(f"`{kind.__struct_config__.tag}`" for kind in STREAMED[row.path])
        answered["description"] += (
            f". With `Accept: text/event-stream` these events, each with its shape as JSON: {names}"
        )
        answered["content"]["text/event-stream"] = {"schema": {"type": "string"}}
    everywhere = (
        EVERYWHERE if row.needs_key else tuple(status for status in EVERYWHERE if status != 401)
    )
    problem = {"application/json": {"schema": shape_of[Problem]}}
    return {
        str(success): answered,
        **{
            str(status): {"description": phrase(status), "content": problem}
            for status in sorted({*everywhere, *refusals})
            if status != success
        },
    }


def _content(kind: Any, shape_of: dict[Any, Any], media: str = "") -> dict[str, Any]:
    if media == "application/json":
        return {media: {"schema": {"type": "object"}}}
    if kind is bytes:
        return {
            media or "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
        }
    return {"application/json": {"schema": shape_of[kind]}}


@functools.lru_cache(maxsize=4)
def encoded(operations: tuple[Operation, ...], with_keys: bool) -> bytes:
    """The document as it is sent: it never changes while a server runs."""
    return msgspec.json.encode(document(operations, with_keys=with_keys))
