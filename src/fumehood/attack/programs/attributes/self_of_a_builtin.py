# aim: read the module that a builtin function belongs to
# mechanism: __self__ of len is the builtins module
# language: check
# reason: __self__ of a builtin is a real module
# jail: process
# plain: loot

loot(len.__self__)
