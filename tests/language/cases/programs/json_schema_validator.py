# A validator of nested data that reports every problem with its path.
import json

SCHEMA = {
    "type": "object",
    "required": ["name", "age"],
    "properties": {
        "name": {"type": "string", "min": 2},
        "age": {"type": "integer", "min": 0, "max": 150},
        "tags": {"type": "array", "items": {"type": "string"}},
        "address": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}},
    },
}
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}


def validate(value, schema, path="$"):
    expected = TYPES[schema["type"]]
    if not isinstance(value, expected) or (isinstance(value, bool) and schema["type"] != "boolean"):
        yield f"{path}: expected {schema['type']}, got {type(value).__name__}"
        return
    size = len(value) if isinstance(value, str) else value
    if "min" in schema and size < schema["min"]:
        yield f"{path}: {value!r} is below {schema['min']}"
    if "max" in schema and size > schema["max"]:
        yield f"{path}: {value!r} is above {schema['max']}"
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from validate(item, schema["items"], f"{path}[{index}]")
    elif isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{path}.{key}: missing"
        for key, item in value.items():
            if (inner := schema.get("properties", {}).get(key)) is None:
                yield f"{path}.{key}: unknown"
            else:
                yield from validate(item, inner, f"{path}.{key}")


documents = [
    '{"name": "Ann", "age": 30, "tags": ["a"], "address": {"city": "Rome"}}',
    '{"name": "A", "age": 200, "tags": ["a", 5, null], "address": {}}',
    '{"age": true, "extra": 1}',
    "[1]",
    "{broken",
]
for document in documents:
    try:
        problems = list(validate(json.loads(document), SCHEMA))
    except json.JSONDecodeError as error:
        problems = [f"not JSON: {error.msg}"]
    print("valid" if not problems else "\n".join(problems))
    print("-" * 10)
len(problems)
