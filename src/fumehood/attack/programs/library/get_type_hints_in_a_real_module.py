# aim: let typing evaluate a name in the namespace of a library module
# mechanism: classes are evaluated in sys.modules[cls.__module__]
# language: builtins
# reason: the library evaluates text unguarded, in a namespace that the program chose
# jail: process
# plain: loot

import typing


class Record:
    __module__ = "json"
    field: "codecs.open"


loot(typing.get_type_hints(Record)["field"])
