# Change a library class with the primitive of type.
# mechanism: type.__setattr__ takes the name as a string
# stopped by: run
# reason: a raw primitive writes any attribute of any class

import collections

type.__setattr__(collections.Counter, "escaped", True)
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
