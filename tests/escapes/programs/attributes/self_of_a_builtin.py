# Read the module that a builtin function belongs to.
# mechanism: __self__ of len is the builtins module
# stopped by: check
# reason: __self__ of a builtin is a real module

loot(len.__self__)
