# aim: read what a bound method of the library is bound to out of the memory of a deep copy
# mechanism: deepcopy copies __self__ of a method and notes it in the memo it is given
# language: run
# reason: what the methods that code can hold are bound to is harmless
# jail: process
# plain: none (whether something of fumehood's is found is what is tested)

import asyncio
import copy
import random
import sys

methods = [random.choice, random.seed, sys.stdout.write, print, loot, "".format, "{}".format_map, type.__setattr__]
for method in methods:
    memo = {}
    try:
        copy.deepcopy(method, memo)
    except Exception:
        pass
    for value in list(memo.values()):
        for each in value if isinstance(value, list) else [value]:
            loot(each)
            for name in ("_found", "_text", "_session", "_write", "session", "_policy", "_modules"):
                loot(getattr(each, name, None))
