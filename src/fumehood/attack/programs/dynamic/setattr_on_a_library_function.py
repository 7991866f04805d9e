# aim: change a library function by setattr
# mechanism: setattr with a computed forbidden name
# language: builtins
# reason: computed names obey the same tables, for writing too
# jail: process
# plain: loot

import heapq

setattr(heapq.merge, "__kwdefau" + "lts__", {"key": None, "reverse": True})
# --- second executor
import heapq

if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
