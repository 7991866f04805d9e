# aim: read an object of the host out of a tool's default values
# mechanism: __kwdefaults__ of a tool
# language: check
# reason: a tool is a stub with nothing of the host in it
# jail: wire
# plain: loot

loot(fails.__kwdefaults__)
