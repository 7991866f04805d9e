# Change a library class in a cell that uses setattr under another name.
# mechanism: the cell that does it does not name setattr
# stopped by: run
# reason: library classes are shared by every session and by the host

import collections

assign = setattr
# ---
assign(collections.Counter, "escaped", True)
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
