# Change a library function by delattr.
# mechanism: delattr with a computed forbidden name
# stopped by: builtins
# reason: computed names obey the same tables, for deleting too

import heapq

delattr(heapq.merge, "__kwdefau" + "lts__")
# --- second executor
import heapq

try:
    list(heapq.merge([1, 3], [2]))
except TypeError:
    loot("mutated: heapq.merge")
