# aim: change a tool stub that another session gets as well
# mechanism: attribute assignment on a tool
# language: run
# reason: every session has stubs of its own
# jail: process
# plain: loot

loot.escaped = True
# --- second executor
if hasattr(loot, "escaped"):
    loot("mutated: the tool")
