# Get a builtin evaluated by the standard library in globals without builtins.
# mechanism: typing.get_type_hints evaluates strings with eval
# stopped by: builtins
# reason: the library's own eval is not the guarded one

import typing


class Record:
    field: "open"


loot(typing.get_type_hints(Record, globalns={}))
