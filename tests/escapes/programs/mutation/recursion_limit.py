# Change the recursion limit of the host.
# mechanism: sys.setrecursionlimit
# stopped by: view
# reason: the interpreter's limits are not the program's

import sys

sys.setrecursionlimit(12345)
# --- second executor
import sys

if sys.getrecursionlimit() == 12345:
    loot("mutated: the recursion limit")
