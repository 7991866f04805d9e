# aim: change a library class with the primitive of type
# mechanism: type.__setattr__ takes the name as a string
# language: run
# reason: a raw primitive writes any attribute of any class
# jail: process
# plain: loot

import collections

type.__setattr__(collections.Counter, "escaped", True)
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
