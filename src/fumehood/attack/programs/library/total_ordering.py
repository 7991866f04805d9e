# aim: let functools add methods to a library class
# mechanism: total_ordering sets comparison methods on the class it is given
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import functools
import queue

queue.Empty.__lt__ = lambda self, other: True
functools.total_ordering(queue.Empty)
# --- second executor
import queue

if queue.Empty.__ge__ is not object.__ge__:
    loot("mutated: queue.Empty")
