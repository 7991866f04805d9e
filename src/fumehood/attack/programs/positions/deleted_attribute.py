# aim: delete a forbidden attribute of a library function
# mechanism: an attribute in a del statement
# language: check
# reason: targets of del are checked like reads
# jail: process
# plain: loot

import heapq

del heapq.merge.__kwdefaults__
try:
    list(heapq.merge([1, 3], [2]))
except TypeError:
    loot("mutated: heapq.merge")
