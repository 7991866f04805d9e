# aim: use the forbidden attribute as the target of a comprehension
# mechanism: any assignable expression may be a loop target
# language: check
# reason: targets are checked like reads
# jail: process
# plain: loot

import heapq

[0 for heapq.merge.__kwdefaults__ in [{"key": None, "reverse": True}]]
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
