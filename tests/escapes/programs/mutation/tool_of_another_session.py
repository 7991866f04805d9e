# Change a tool stub that another session gets as well.
# mechanism: attribute assignment on a tool
# stopped by: run
# reason: every session has stubs of its own

loot.escaped = True
# --- second executor
if hasattr(loot, "escaped"):
    loot("mutated: the tool")
