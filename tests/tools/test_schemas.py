"""JSON schemas as signatures."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.tools.describe import type_text
from fumehood.tools.schemas import Arguments, returned


def hint_text(schema: Any, **rest: Any) -> str:
    arguments = Arguments(
        {"type": "object", "properties": {"x": schema}, "required": ["x"], **rest}
    )
    return type_text(arguments.signature.parameters["x"].annotation)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string"}, "str"),
        ({"type": "integer"}, "int"),
        ({"type": "number"}, "float"),
        ({"type": "boolean"}, "bool"),
        ({"type": "null"}, "None"),
        ({"type": "array"}, "list"),
        ({"type": "array", "items": {"type": "string"}}, "list[str]"),
        (
            {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
            "list[list[float]]",
        ),
        ({"type": "array", "prefixItems": [{"type": "string"}]}, "list"),
        ({"type": "object"}, "dict"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "dict[str, int]"),
        ({"type": "object", "properties": {"a": {"type": "integer"}}}, "dict"),
        ({"properties": {"a": {"type": "integer"}}}, "dict"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"type": ["integer", "string"]}, "int | str"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "int | None"),
        (
            {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
            "str | list[str]",
        ),
        ({"anyOf": [{"type": "integer"}, {}]}, "Any"),
        ({"allOf": [{"type": "integer"}]}, "int"),
        ({"allOf": [{"type": "integer"}, {"minimum": 3}]}, "Any"),
        ({"enum": ["a", "b"]}, "Literal['a', 'b']"),
        ({"type": "string", "enum": ["a"]}, "Literal['a']"),
        ({"enum": [1, None, True]}, "Literal[1, None, True]"),
        ({"enum": [1.5]}, "Any"),
        ({"enum": [["a"]]}, "Any"),
        ({"const": 3}, "Literal[3]"),
        ({"type": "string", "nullable": True}, "str | None"),
        ({}, "Any"),
        (True, "Any"),
        (None, "Any"),
        ({"type": "date"}, "Any"),
        ({"type": {}}, "Any"),
    ],
)
def test_each_form_has_a_hint(schema: Any, text: str) -> None:
    assert hint_text(schema) == text


@pytest.mark.parametrize(
    "definitions",
    [
        {"A": {"$ref": "#/$defs/A"}},
        {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
        {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}},
        {
            "A": {
                "anyOf": [{"$ref": "#/$defs/A"}, {"type": "array", "items": {"$ref": "#/$defs/A"}}]
            }
        },
        {},
    ],
)
def test_references_that_lead_nowhere_or_round_have_an_end(definitions: dict[str, Any]) -> None:
    assert hint_text({"$ref": "#/$defs/A"}, **{"$defs": definitions}) in ("Any", "list")


def test_names_that_python_has_otherwise_are_changed_and_changed_back() -> None:
    names = ["from", "user-id", "user_id", "class", "2d", "__x", "self", "args", "a b", ""]
    arguments = Arguments({"properties": {name: {} for name in names}})
    assert [*arguments.signature.parameters] == [
        "from_",
        "user_id",
        "user_id_",
        "class_",
        "_2d",
        "x",
        "self",
        "args",
        "a_b",
        "_",
    ]
    given = {name: index for index, name in enumerate(arguments.signature.parameters)}
    assert arguments.bind((), given) == {name: index for index, name in enumerate(names)}


def test_the_keys_of_objects_are_told_in_words() -> None:
    place = {
        "type": "object",
        "properties": {
            "lat": {"type": "number", "description": "North."},
            "name": {"type": "string"},
        },
        "required": ["lat"],
    }
    words = Arguments(
        {
            "properties": {
                "at": {**place, "description": "Where."},
                "all": {"type": "array", "items": place},
            }
        }
    ).inputs
    assert (
        words["at"]["description"] == "Where. Keys: 'lat' (float) North.; 'name' (str, optional)."
    )
    assert (
        words["all"]["description"]
        == "Each item: Keys: 'lat' (float) North.; 'name' (str, optional)."
    )


@pytest.mark.parametrize(
    "schema",
    [
        None,
        3,
        [],
        "x",
        {"properties": []},
        {"properties": {"a": 3}},
        {"properties": {3: {}}},
        {"required": 3},
    ],
)
def test_what_is_no_schema_takes_nothing_much(schema: Any) -> None:
    assert len(Arguments(schema).signature.parameters) <= 1


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["string", "array", "object", "#/$defs/A", "#"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type properties items $ref $defs enum const anyOf oneOf allOf required"
                " additionalProperties default nullable A x".split()
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(_JSON, _JSON, _JSON)
def test_any_json_is_read(properties: Any, required: Any, definitions: Any) -> None:
    for schema in (
        properties,
        {"properties": properties, "required": required, "$defs": definitions},
    ):
        arguments = Arguments(schema)
        assert isinstance(arguments.signature, inspect.Signature)
        assert all(name.isidentifier() for name in arguments.signature.parameters)
        returned(schema)
