"""JSON schemas as signatures: what a server or another library says its tool takes, in the words
that a Python function has for it.

A schema comes from elsewhere and may be wrong, endless or hostile, so nothing of it is trusted:
names become identifiers, types that are not understood are `Any`, and there is an end to how much
of it is read. Whoever wrote it checks the arguments again; what is checked here is what can be told
to code in one clear line before anything is sent.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Union

from fumehood.tools.describe import type_text
from fumehood.tools.inputs import type_name
from fumehood.tools.names import as_parameter

MOST_PARAMETERS = 200
MOST_NODES = 1000
MOST_DEPTH = 8
MOST_OPTIONS = 60
WORDS_CHARACTERS = 2000
"""How long the description of an argument may be."""
KEYS_CHARACTERS = 1500
"""How long the description of an object's keys may be."""

_SCALARS: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": None,
}


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: what code calls it and what the schema does."""

    name: str
    original: str
    takes_none: bool
    is_required: bool


class Arguments:
    """The arguments that a schema describes: as a signature, as `inputs`, and from Python back to
    what the schema's owner expects."""

    def __init__(self, schema: Any) -> None:
        reader = _Reader(schema)
        properties = _mapping(reader.root.get("properties"))
        required = {name for name in _list(reader.root.get("required")) if isinstance(name, str)}
        taken: set[str] = set()
        self._rows: dict[str, Argument] = {}
        self.inputs: dict[str, dict[str, Any]] = {}
        parameters: list[inspect.Parameter] = []
        for original, row in itertools.islice(properties.items(), MOST_PARAMETERS):
            if not isinstance(original, str):
                continue
            name = as_parameter(original, taken)
            taken.add(name)
            hint = reader.hint(row)
            takes_none = _takes_none(hint)
            argument = self._rows[name] = Argument(name, original, takes_none, original in required)
            default = (
                inspect.Parameter.empty if argument.is_required else _mapping(row).get("default")
            )
            if not argument.is_required and default is None and not takes_none and hint is not Any:
                hint = _union([hint, None])
            parameters.append(
                inspect.Parameter(
                    name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=hint
                )
            )
            named, nullable = type_name(hint)
            self.inputs[name] = {"type": named, "description": reader.description(row)} | (
                {"nullable": True} if nullable else {}
            )
        parameters.sort(
            key=lambda p: p.default is not inspect.Parameter.empty
        )  # stable: their order is kept otherwise
        self.takes_more = reader.root.get("additionalProperties") not in (None, False)
        if self.takes_more:
            parameters.append(
                inspect.Parameter(as_parameter("more", taken), inspect.Parameter.VAR_KEYWORD)
            )
        self.signature = inspect.Signature(parameters)

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """What was given, under the schema's names. What was not given is left out: its owner knows
        the default. Raises TypeError."""
        bound = self.signature.bind(*args, **kwargs).arguments
        given: dict[str, Any] = {}
        for name, value in bound.items():
            row = self._rows.get(name)
            if row is None:
                given.update(value)
            elif value is not None or row.takes_none or row.is_required:
                given[row.original] = value
        return given


def returned(schema: Any) -> tuple[Any, str, bool]:
    """What an output schema says comes back: a hint, words on its keys, and whether the value is
    wrapped in an object, under "result"."""
    if not isinstance(schema, Mapping):
        return Any, "", False
    reader = _Reader(schema)
    properties = _mapping(reader.root.get("properties"))
    if properties.keys() == {"result"}:
        return reader.hint(properties["result"]), reader.description(properties["result"]), True
    return reader.hint(schema), reader.description(schema), False


class _Reader:
    """One schema, while it is read."""

    def __init__(self, schema: Any) -> None:
        self._nodes = MOST_NODES
        self._within: set[str] = set()
        """References on the way down: one that leads into itself is not followed for ever."""
        self._whole = _mapping(schema)
        self.root = self._followed(self._whole)

    def hint(self, schema: Any, depth: int = 0) -> Any:
        self._nodes -= 1
        reference = _mapping(schema).get("$ref")
        schema = self._followed(_mapping(schema))
        if (
            depth > MOST_DEPTH
            or self._nodes < 0
            or not schema
            or isinstance(reference, str)
            and reference in self._within
        ):
            return Any
        if isinstance(reference, str):
            self._within.add(reference)
        hint = self._hint(schema, depth + 1)
        self._within.discard(str(reference))
        return _union([hint, None]) if schema.get("nullable") is True and hint is not Any else hint

    def _hint(self, schema: Mapping[str, Any], depth: int) -> Any:
        options = [schema["const"]] if "const" in schema else _list(schema.get("enum"))
        if options:
            if len(options) <= MOST_OPTIONS and all(
                value is None or type(value) in (str, int, bool) for value in options
            ):
                return Literal[tuple(options)]
            return Any
        for key in ("anyOf", "oneOf"):
            branches = _list(schema.get(key))
            if branches:
                return _union([self.hint(branch, depth) for branch in branches[:MOST_OPTIONS]])
        parts = _list(schema.get("allOf"))
        if len(parts) == 1:
            return self.hint(parts[0], depth)
        named = schema.get("type")
        if isinstance(named, list):
            return _union([self._typed({**schema, "type": one}, depth) for one in named[:10]])
        return self._typed(schema, depth)

    def _typed(self, schema: Mapping[str, Any], depth: int) -> Any:
        named = schema.get("type")
        if not isinstance(named, str):
            return dict if isinstance(schema.get("properties"), Mapping) else Any
        if named in _SCALARS:
            return _SCALARS[named]
        if named == "array":
            item = self.hint(schema.get("items"), depth)
            return list if item is Any else list[item]  # type: ignore[valid-type]
        if named == "object":
            others = schema.get("additionalProperties")
            item = (
                self.hint(others, depth)
                if isinstance(others, Mapping) and not schema.get("properties")
                else Any
            )
            return dict if item is Any else dict[str, item]  # type: ignore[valid-type]
        return Any

    def _followed(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The schema that a reference within the same document leads to."""
        for _ in range(10):
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                return schema
            found: Any = self._whole
            for part in reference.removeprefix("#").strip("/").split("/"):
                found = _mapping(found).get(part.replace("~1", "/").replace("~0", "~"))
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**_mapping(found), **rest}
        return {}

    # -- words

    def description(self, schema: Any) -> str:
        """What is said of an argument; of an object, also which keys it has, which a hint does not
        say."""
        schema = self._followed(_mapping(schema))
        text = schema.get("description")
        keys = self._keys(schema, 2)
        text = text if isinstance(text, str) else ""
        text = text if len(text) <= WORDS_CHARACTERS else f"{text[:WORDS_CHARACTERS]}…"
        return " ".join(part for part in (text, keys) if part)

    def _keys(self, schema: Mapping[str, Any], depth: int) -> str:
        items = self._followed(_mapping(schema.get("items")))
        if items and depth:
            inner = self._keys(items, depth - 1)
            return f"Each item: {inner}" if inner else ""
        properties = _mapping(schema.get("properties"))
        required = _list(schema.get("required"))
        rows = []
        for name, row in itertools.islice(properties.items(), 30):
            row = self._followed(_mapping(row))
            words = row.get("description")
            inner = self._keys(row, depth - 1) if depth else ""
            optional = "" if name in required else ", optional"
            said = " ".join(
                part for part in (words if isinstance(words, str) else "", inner) if part
            )
            rows.append(
                f"{name!r} ({type_text(self.hint(row)) or 'Any'}{optional})"
                + (f" {said}" if said else "")
            )
        text = f"Keys: {'; '.join(rows)}." if rows else ""
        return text if len(text) <= KEYS_CHARACTERS else text[: KEYS_CHARACTERS - 1] + "…"


def _union(hints: list[Any]) -> Any:
    if not hints or any(hint is Any for hint in hints):
        return Any
    return Union[tuple(hints)]  # made while running: `|` does not take two Nones  # noqa: UP007


def _takes_none(hint: Any) -> bool:
    names = type_name(hint)
    return names[0] == "null" or names[1]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
