# aim: use the forbidden attribute as the target of an annotated assignment
# mechanism: AnnAssign allows an attribute as target
# language: check
# reason: targets are checked like reads
# jail: process
# plain: loot

import heapq

heapq.merge.__kwdefaults__: dict = {"key": None, "reverse": True}
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
