# aim: change the classes of the sandbox itself
# mechanism: type() of what the sandbox hands out, then attribute assignment
# language: run
# reason: the sandbox's own classes cannot be written to
# jail: process
# plain: none (there is nothing of fumehood's in plain Python)

import math

for thing in (math, loot, getattr, print, type, final_answer):
    kind = type(thing)
    for name in ("__call__", "__getattribute__", "__getattr__", "__setattr__", "escaped"):
        for way in (lambda: setattr(kind, name, lambda *args: None), lambda: setattr(thing, name, 1)):
            try:
                way()
            except Exception:
                pass
# --- second executor
import math

for thing in (math, loot, getattr, print, type, final_answer):
    if hasattr(thing, "escaped") or hasattr(type(thing), "escaped"):
        loot("mutated: a class of the sandbox")
