# Define a class under a forbidden name.
# mechanism: the name of a class definition
# stopped by: check
# reason: __spec__ decides what a relative import imports

class __spec__:
    parent = "importlib"


from . import util

loot(util)
