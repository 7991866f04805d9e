# aim: find the real builtins in the globals of the program
# mechanism: globals() by key
# language: run
# reason: the builtins in a guarded namespace are the guarded ones
# jail: process
# plain: loot

loot(globals()["__builtins__"])
