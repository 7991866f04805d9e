# aim: hand out the raw function that evaluates annotations
# mechanism: typing.get_type_hints
# language: builtins
# reason: the get_type_hints that code sees is not the library's
# jail: process
# plain: loot

import typing

loot(typing.get_type_hints)
