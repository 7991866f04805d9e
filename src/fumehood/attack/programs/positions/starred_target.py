# aim: use the forbidden attribute inside an unpacking target
# mechanism: a tuple of targets, nested
# language: check
# reason: targets are checked like reads
# jail: process
# plain: loot

import heapq

(first, [heapq.merge.__kwdefaults__, *rest]) = (0, [{"key": None, "reverse": True}])
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
