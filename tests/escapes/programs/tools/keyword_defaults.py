# Read an object of the host out of a tool's default values.
# mechanism: __kwdefaults__ of a tool
# stopped by: check
# reason: a tool is a stub with nothing of the host in it

loot(fails.__kwdefaults__)
