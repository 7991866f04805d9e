# Set an attribute of a sentinel of the library.
# mechanism: dataclasses.MISSING is an ordinary object
# stopped by: run
# reason: library objects are shared by every session and by the host

import dataclasses

dataclasses.MISSING.escaped = True
# --- second executor
import dataclasses

if hasattr(dataclasses.MISSING, "escaped"):
    loot("mutated: dataclasses.MISSING")
