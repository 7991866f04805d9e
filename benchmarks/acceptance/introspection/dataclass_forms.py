"""Build a command line and a JSON schema from a dataclass."""
import argparse
import dataclasses
import json
import typing


@dataclasses.dataclass
class Options:
    """Options of a run."""

    name: str
    steps: int = 10
    rate: float = 0.5
    tags: list[str] = dataclasses.field(default_factory=list)


def schema(cls):
    names = {str: "string", int: "integer", float: "number"}
    hints = typing.get_type_hints(cls)
    properties = {}
    for field in dataclasses.fields(cls):
        hint = hints[field.name]
        if typing.get_origin(hint) is list:
            properties[field.name] = {"type": "array", "items": {"type": names[typing.get_args(hint)[0]]}}
        else:
            properties[field.name] = {"type": names[hint]}
    required = [f.name for f in dataclasses.fields(cls) if f.default is f.default_factory is dataclasses.MISSING]
    return {"title": cls.__name__, "description": cls.__doc__, "properties": properties, "required": required}


def from_arguments(cls, arguments):
    parser = argparse.ArgumentParser(prog=cls.__name__.lower())
    for field in dataclasses.fields(cls):
        if field.type in (str, int, float):
            parser.add_argument(f"--{field.name}", type=field.type, default=field.default)
    return cls(**vars(parser.parse_args(arguments)))


print(json.dumps(schema(Options), indent=1))
print(from_arguments(Options, ["--name", "x", "--steps", "3"]))
