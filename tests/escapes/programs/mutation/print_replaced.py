# Replace print for everybody.
# mechanism: assignment to the name print, and to it in the builtins
# stopped by: run
# reason: a name rebound in one session stays in it

print = lambda *args, **kwargs: "changed"
globals()["__builtins__"]["print"] = print
# --- second executor
if print("") == "changed":
    loot("mutated: print")
