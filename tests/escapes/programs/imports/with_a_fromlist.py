# Import a submodule through the list of names.
# mechanism: __import__ with a fromlist imports submodules
# stopped by: builtins
# reason: imports of modules that are not authorized are refused, submodules too

loot(__import__('importlib', fromlist=['util']).util)
