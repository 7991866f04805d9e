# aim: set an attribute of a sentinel of the library
# mechanism: dataclasses.MISSING is an ordinary object
# language: run
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import dataclasses

dataclasses.MISSING.escaped = True
# --- second executor
import dataclasses

if hasattr(dataclasses.MISSING, "escaped"):
    loot("mutated: dataclasses.MISSING")
