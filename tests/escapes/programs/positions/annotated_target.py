# Use the forbidden attribute as the target of an annotated assignment.
# mechanism: AnnAssign allows an attribute as target
# stopped by: check
# reason: targets are checked like reads

import heapq

heapq.merge.__kwdefaults__: dict = {"key": None, "reverse": True}
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
