# aim: change a library function by delattr
# mechanism: delattr with a computed forbidden name
# language: builtins
# reason: computed names obey the same tables, for deleting too
# jail: process
# plain: loot

import heapq

delattr(heapq.merge, "__kwdefau" + "lts__")
# --- second executor
import heapq

try:
    list(heapq.merge([1, 3], [2]))
except TypeError:
    loot("mutated: heapq.merge")
