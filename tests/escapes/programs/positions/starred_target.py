# Use the forbidden attribute inside an unpacking target.
# mechanism: a tuple of targets, nested
# stopped by: check
# reason: targets are checked like reads

import heapq

(first, [heapq.merge.__kwdefaults__, *rest]) = (0, [{"key": None, "reverse": True}])
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
