# Remove the guarded builtins, so that the next exec puts the real ones in.
# mechanism: exec adds the caller's builtins to a namespace that has none
# stopped by: run
# reason: every cell runs with the guarded builtins, whatever the last one did to its namespace

globals().pop("__builtins__", None)
# ---
loot(open)
