# aim: change a library class through its alias in typing
# mechanism: an alias passes assignments on to the class it stands for
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import typing

typing.Counter.escaped = True
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
