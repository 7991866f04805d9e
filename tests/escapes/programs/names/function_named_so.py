# Define a function under a forbidden name.
# mechanism: the name of a function definition
# stopped by: check
# reason: forbidden names are refused wherever a name can be bound

def __spec__():
    pass


setattr(__spec__, "parent", "importlib")
from . import util

loot(util)
