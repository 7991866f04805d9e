# aim: let a function of the library that looks at its caller tell where it was called from
# mechanism: namedtuple, Enum and TypeVar store the name of the calling module
# language: run
# reason: code runs under a module name of its own, in which nothing of the host can be looked up
# jail: process
# plain: loot

import collections
import typing

Point = collections.namedtuple("Point", "x")


class Record:
    field: "CANARY"


setattr(Record, "__module__", "fumehood.attack.loot")
try:
    loot(typing.get_type_hints(Record))
except NameError:
    pass
