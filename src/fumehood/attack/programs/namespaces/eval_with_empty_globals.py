# aim: evaluate a name in globals that have no builtins yet
# mechanism: eval adds the caller's builtins to a dictionary that has none
# language: builtins
# reason: the guarded eval adds the guarded builtins
# jail: process
# plain: loot

loot(eval("open", {}))
