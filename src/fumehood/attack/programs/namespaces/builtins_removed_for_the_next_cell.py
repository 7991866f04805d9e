# aim: remove the guarded builtins, so that the next exec puts the real ones in
# mechanism: exec adds the caller's builtins to a namespace that has none
# language: run
# reason: every cell runs with the guarded builtins, whatever the last one did to its namespace
# jail: process
# plain: loot

globals().pop("__builtins__", None)
# ---
loot(open)
