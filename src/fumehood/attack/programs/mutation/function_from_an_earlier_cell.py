# aim: change a library class in a cell that only calls a function of an earlier one
# mechanism: the cell that does it assigns to no attribute
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections


def change():
    collections.Counter.escaped = True


# ---
change()
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
