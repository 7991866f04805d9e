# Use the forbidden attribute as the target of a comprehension.
# mechanism: any assignable expression may be a loop target
# stopped by: check
# reason: targets are checked like reads

import heapq

[0 for heapq.merge.__kwdefaults__ in [{"key": None, "reverse": True}]]
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
