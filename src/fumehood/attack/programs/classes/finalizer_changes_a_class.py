# aim: change a library class in a finalizer that runs after the cell
# mechanism: __del__ of an object in a reference cycle
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections


class Late:
    def __del__(self):
        collections.Counter.escaped = True


late = Late()
late.itself = late
del late
# ---
import collections


class Later:
    def __del__(self):
        collections.Counter.escaped = True


Later()
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
