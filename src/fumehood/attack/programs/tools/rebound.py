# aim: give another session's tool name to a function of the program's
# mechanism: assignment to a tool's name
# language: run
# reason: every session has names of its own
# jail: wire
# plain: loot

def fake(thing):
    pass


real, loot = loot, fake
real("") if real else None
# --- second executor
if getattr(loot, "__name__", "") == "fake":
    fails("mutated")
loot("")
try:
    loot(globals()["real"])
except KeyError:
    pass
loot(loot)
