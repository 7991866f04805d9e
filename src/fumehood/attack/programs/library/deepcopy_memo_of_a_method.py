# aim: read what a bound method is bound to out of the memory of a deep copy
# mechanism: deepcopy copies __self__ of a method and notes it in the memo it is given
# language: builtins
# reason: a guard that is a method leads to the primitive it guards
# jail: process
# plain: none (in plain Python the primitive is at hand without this)

import copy

memo = {}
try:
    copy.deepcopy(object.__getattribute__, memo)
except Exception:
    pass
for value in list(memo.values()):
    loot(value)
    for each in value if isinstance(value, list) else [value]:
        loot(each)
        loot(getattr(each, "_found", None))
