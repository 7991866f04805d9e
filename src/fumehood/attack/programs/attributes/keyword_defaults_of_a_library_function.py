# aim: change the keyword defaults of a library function by a plain assignment
# mechanism: __kwdefaults__ as an assignment target
# language: check
# reason: library functions are shared by every session and by the host
# jail: process
# plain: loot

import heapq

heapq.merge.__kwdefaults__ = {"key": None, "reverse": True}
if list(heapq.merge([1, 3], [2])) != [1, 2, 3]:
    loot("mutated: heapq.merge")
