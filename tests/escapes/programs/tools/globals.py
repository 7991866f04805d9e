# Read the module a tool was defined in.
# mechanism: __globals__ of a tool
# stopped by: check
# reason: a tool is a stub with nothing of the host in it

loot(loot.__globals__)
