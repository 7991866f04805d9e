# aim: look for guards and other hidden things among the builtins
# mechanism: the builtins mapping, walked value by value
# language: run
# reason: what the program can see of the builtins is guarded
# jail: process
# plain: loot

found = globals().get("__builtins__", {})
for value in list(found.values() if isinstance(found, dict) else vars(found).values()):
    loot(value)
