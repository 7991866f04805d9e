# aim: call the import function by its name
# mechanism: the name __import__
# language: builtins
# reason: imports of modules that are not authorized are refused, however they are spelled
# jail: process
# plain: loot

loot(__import__("subprocess"))
