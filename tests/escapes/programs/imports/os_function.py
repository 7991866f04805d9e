# Import the function that starts a shell from a module of which constants are authorized.
# mechanism: from os import system
# stopped by: view
# reason: of os only constants and pure functions are given

from os import path, system

loot(system)
