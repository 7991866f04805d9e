# aim: replace print for everybody
# mechanism: assignment to the name print, and to it in the builtins
# language: run
# reason: a name rebound in one session stays in it
# jail: process
# plain: loot

print = lambda *args, **kwargs: "changed"
globals()["__builtins__"]["print"] = print
# --- second executor
if print("") == "changed":
    loot("mutated: print")
