# Evaluate a name in globals that have no builtins yet.
# mechanism: eval adds the caller's builtins to a dictionary that has none
# stopped by: builtins
# reason: the guarded eval adds the guarded builtins

loot(eval("open", {}))
