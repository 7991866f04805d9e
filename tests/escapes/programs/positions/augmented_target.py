# Use the forbidden attribute as the target of an augmented assignment.
# mechanism: one expression that reads and writes
# stopped by: check
# reason: targets are checked like reads

import heapq

heapq.merge.__kwdefaults__ |= {"reverse": True}
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
