# Change a library class with a setattr that is found by key.
# mechanism: the cell that does it does not name setattr
# stopped by: run
# reason: library classes are shared by every session and by the host

import collections

found = globals()["__builtins__"]
assign = (found if isinstance(found, dict) else vars(found))["set" + "attr"]
assign(collections.Counter, "escaped", True)
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
