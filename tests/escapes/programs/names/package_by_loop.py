# Set the package of the namespace as a loop variable.
# mechanism: the target of a for loop
# stopped by: check
# reason: __package__ decides what a relative import imports

for __package__ in ["importlib"]:
    from . import util

    loot(util)
