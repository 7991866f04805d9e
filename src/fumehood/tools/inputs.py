"""`inputs` and `output_type`: what a tool takes and gives, in the words of JSON schemas. Made from
type hints, and compared with them."""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Union

from fumehood import asked
from fumehood.errors import ToolError
from fumehood.tools.names import shown
from fumehood.tools.signatures import EMPTY, INPUT_TYPES, Signature

# What a row of `inputs` may name: Python's types under their names in JSON schemas, and two that
# are files rather than types.
TYPE_NAMES = (*INPUT_TYPES, "image", "audio")

# Classes and their names. The first that fits is it, so bool stands before int.
_NAMES: tuple[tuple[Any, str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (type(None), "null"),
    (collections.abc.Mapping, "object"),
    ((list, tuple, set, frozenset, collections.abc.Sequence, collections.abc.Set), "array"),
)
_ANY = frozenset(["any"])


def type_names(hint: Any) -> frozenset[str]:
    """The names of the types that a hint takes; "any" for one that JSON schemas have no word
    for."""
    if hint is None:
        return frozenset(["null"])
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return type_names(args[0])
    if origin in (Union, types.UnionType):
        names = frozenset[str]().union(*map(type_names, args))
        return _ANY if "any" in names else names
    if origin is Literal:
        return frozenset[str]().union(*(type_names(type(arg)) for arg in args))
    kind = origin or hint
    if isinstance(kind, type) and kind not in (bytes, bytearray, memoryview):
        if typing.is_typeddict(kind):
            return frozenset(["object"])
        try:
            return frozenset(
                [next((name for classes, name in _NAMES if issubclass(kind, classes)), "any")]
            )
        except TypeError:
            return _ANY  # a protocol that cannot be asked
    return _ANY


def type_name(hint: Any) -> tuple[str | list[str], bool]:
    """The `type` of a row, and whether None is taken too."""
    names = type_names(hint)
    others = [name for name in INPUT_TYPES if name in names and name != "null"]
    if not others:
        return ("null", False) if "null" in names else ("any", False)
    return (others[0] if len(others) == 1 else others), "null" in names


def inputs_from(signature: Signature, descriptions: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The rows of `inputs` that a signature says, with what a docstring says of each."""
    rows: dict[str, dict[str, Any]] = {}
    for taken in signature.parameters or ():
        if taken.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            continue
        named, nullable = type_name(Any if taken.hint is EMPTY else taken.hint)
        row: dict[str, Any] = {"type": named, "description": descriptions.get(taken.name, "")}
        if nullable or taken.default is None:
            row["nullable"] = True
        rows[taken.name] = row
    return rows


def check_inputs(tool: str, inputs: Any) -> None:
    """Whether `inputs` is a table of arguments. Raises ToolError."""
    if not isinstance(inputs, Mapping):
        raise ToolError(
            f"tool {shown(tool)}: inputs must be a dictionary of arguments by their names, not"
            f" {asked.shown(inputs)}"
        )
    for name, row in inputs.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise ToolError(
                f"tool {shown(tool)}: {shown(name)} in inputs cannot be the name of an argument:"
                " letters, digits and _, and no digit first"
            )
        example = '{"type": "string", "description": "…"}'
        if not isinstance(row, Mapping) or "type" not in row:
            raise ToolError(
                f"tool {shown(tool)}: inputs[{name!r}] must say type and description, as in"
                f" {example}"
            )
        if not isinstance(row.get("description", ""), str):
            raise ToolError(f"tool {shown(tool)}: the description of inputs[{name!r}] must be text")
        for named in row["type"] if isinstance(row["type"], (list, tuple)) else [row["type"]]:
            _check_type(tool, f"inputs[{name!r}]", named)


def check_output_type(tool: str, named: Any) -> None:
    _check_type(tool, "output_type", named)


def _check_type(tool: str, where: str, named: Any) -> None:
    if not isinstance(named, str) or named not in TYPE_NAMES:
        text = (
            shown(named)
            if isinstance(named, str)
            else repr(getattr(named, "__name__", type(named).__name__))
        )
        raise ToolError(
            f"tool {shown(tool)}: {where} names the type {text}; types are {', '.join(TYPE_NAMES)}"
        )


def compare(tool: str, inputs: Mapping[str, Mapping[str, Any]], signature: Signature) -> None:
    """Whether `inputs` and what `forward` takes say the same. Raises ToolError."""
    parameters = signature.parameters
    if parameters is None:
        return
    starred = {p.kind for p in parameters}
    plain = [
        p
        for p in parameters
        if p.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]
    missing = [name for name in inputs if name not in {p.name for p in plain}]
    extra = [p.name for p in plain if p.name not in inputs]
    if missing and inspect.Parameter.VAR_KEYWORD not in starred:
        raise ToolError(
            f"tool {shown(tool)}: inputs has {_listed(missing)}, which forward does not take"
        )
    if extra:
        raise ToolError(
            f"tool {shown(tool)}: forward takes {_listed(extra)}, which inputs does not have"
        )
    for taken in plain:
        row = inputs[taken.name]
        said = frozenset(row["type"] if isinstance(row["type"], (list, tuple)) else [row["type"]])
        hinted = type_names(Any if taken.hint is EMPTY else taken.hint)
        if not _agree(said, hinted - {"null"} or hinted):
            raise ToolError(
                f"tool {shown(tool)}: inputs[{taken.name!r}] is {_listed(said)}, but forward says"
                f" {_listed(hinted)}"
            )


def _agree(said: frozenset[str], hinted: frozenset[str]) -> bool:
    if said & {"any", "image", "audio"} or "any" in hinted or said & hinted:
        return True
    return bool(said & {"integer", "number"}) and bool(
        hinted & {"integer", "number"}
    )  # a whole number is a number


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in sorted(names)[:10])
