# aim: read the module a tool was defined in
# mechanism: __globals__ of a tool
# language: check
# reason: a tool is a stub with nothing of the host in it
# jail: wire
# plain: loot

loot(loot.__globals__)
