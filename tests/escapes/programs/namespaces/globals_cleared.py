# Empty the namespace, guards and all.
# mechanism: globals().clear()
# stopped by: run
# reason: every cell runs with the guarded builtins, whatever the last one did to its namespace

(lambda namespace, kept: (namespace.clear(), namespace.update(loot=kept)))(globals(), loot)
# ---
loot(open)
