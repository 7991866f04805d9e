# aim: change the recursion limit of the host
# mechanism: sys.setrecursionlimit
# language: view
# reason: the interpreter's limits are not the program's
# jail: process
# plain: loot

import sys

sys.setrecursionlimit(12345)
# --- second executor
import sys

if sys.getrecursionlimit() == 12345:
    loot("mutated: the recursion limit")
