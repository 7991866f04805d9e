# Hand out the raw function that evaluates annotations.
# mechanism: typing.get_type_hints
# stopped by: builtins
# reason: the get_type_hints that code sees is not the library's

import typing

loot(typing.get_type_hints)
