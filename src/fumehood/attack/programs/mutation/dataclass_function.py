# aim: leave a mark on a guarded library function for the next session
# mechanism: attributes of a function
# language: run
# reason: functions that sessions share are put back, the others are a session's own
# jail: process
# plain: none (the functions exist only in fumehood)

import copy
import dataclasses
import operator
import time

for function in (dataclasses.field, dataclasses.dataclass, copy.deepcopy, operator.attrgetter, time.sleep, print, getattr):
    function.mark = 1
done = True
# --- second executor
import copy
import dataclasses
import operator
import time

for function in (dataclasses.field, dataclasses.dataclass, copy.deepcopy, operator.attrgetter, time.sleep, print, getattr):
    if hasattr(function, "mark"):
        loot("mutated: a guarded function")
