# aim: hand over the tool itself
# mechanism: the tool as an argument of a tool
# language: run
# reason: a tool is a stub, not the host's function
# jail: wire
# plain: loot

loot(loot)
