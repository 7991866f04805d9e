# Import the table of loaded modules by name.
# mechanism: from sys import modules
# stopped by: view
# reason: of sys only constants and pure functions are given

from sys import modules

loot(modules)
