# aim: use the forbidden attribute as the target of a with statement
# mechanism: the optional_vars field of a with item
# language: check
# reason: targets are checked like reads
# jail: process
# plain: loot

import contextlib
import heapq

with contextlib.nullcontext({"key": None, "reverse": True}) as heapq.merge.__kwdefaults__:
    pass
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
