# Hand over the tool itself.
# mechanism: the tool as an argument of a tool
# stopped by: run
# reason: a tool is a stub, not the host's function

loot(loot)
