# aim: define a function under a forbidden name
# mechanism: the name of a function definition
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: loot

def __spec__():
    pass


setattr(__spec__, "parent", "importlib")
from . import util

loot(util)
