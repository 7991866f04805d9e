# aim: empty the namespace, guards and all
# mechanism: globals().clear()
# language: run
# reason: every cell runs with the guarded builtins, whatever the last one did to its namespace
# jail: process
# plain: loot

(lambda namespace, kept: (namespace.clear(), namespace.update(loot=kept)))(globals(), loot)
# ---
loot(open)
