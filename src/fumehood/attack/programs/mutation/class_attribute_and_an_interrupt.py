# aim: change a library class and leave the cell by an interrupt
# mechanism: an exception that clean-up code may not expect
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections

collections.Counter.escaped = True
raise KeyboardInterrupt
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
