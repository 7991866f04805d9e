# aim: set the package of the namespace as a loop variable
# mechanism: the target of a for loop
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

for __package__ in ["importlib"]:
    from . import util

    loot(util)
