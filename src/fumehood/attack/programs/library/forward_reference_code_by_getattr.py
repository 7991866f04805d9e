# aim: read the code object that typing compiled from text, by a computed name
# mechanism: getattr of __forward_code__
# language: builtins
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot

import typing

loot(getattr(typing.List["int"].__args__[0], "__forward_" + "code__"))
