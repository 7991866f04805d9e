# Let typing evaluate a forward reference.
# mechanism: ForwardRef._evaluate calls eval
# stopped by: builtins
# reason: the library evaluates text unguarded

import typing

reference = typing.ForwardRef("().__class__.__base__.__subcl" + "asses__")
loot(reference._evaluate({}, {}, recursive_guard=frozenset()))
