# aim: import a submodule through the list of names
# mechanism: __import__ with a fromlist imports submodules
# language: builtins
# reason: imports of modules that are not authorized are refused, submodules too
# jail: process
# plain: loot

loot(__import__('importlib', fromlist=['util']).util)
