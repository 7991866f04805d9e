# aim: use the forbidden attribute as the target of a for loop
# mechanism: any assignable expression may be a loop target
# language: check
# reason: targets are checked like reads
# jail: process
# plain: loot

import heapq

for heapq.merge.__kwdefaults__ in [{"key": None, "reverse": True}]:
    pass
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
