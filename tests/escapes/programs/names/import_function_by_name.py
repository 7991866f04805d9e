# Call the import function by its name.
# mechanism: the name __import__
# stopped by: builtins
# reason: imports of modules that are not authorized are refused, however they are spelled

loot(__import__("subprocess"))
