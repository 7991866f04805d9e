# Find the real builtins in the globals of the program.
# mechanism: globals() by key
# stopped by: run
# reason: the builtins in a guarded namespace are the guarded ones

loot(globals()["__builtins__"])
