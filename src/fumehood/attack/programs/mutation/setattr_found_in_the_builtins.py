# aim: change a library class with a setattr that is found by key
# mechanism: the cell that does it does not name setattr
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections

found = globals()["__builtins__"]
assign = (found if isinstance(found, dict) else vars(found))["set" + "attr"]
assign(collections.Counter, "escaped", True)
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
