# aim: change a library class in a cell that uses setattr under another name
# mechanism: the cell that does it does not name setattr
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections

assign = setattr
# ---
assign(collections.Counter, "escaped", True)
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
