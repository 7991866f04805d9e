# aim: define a class under a forbidden name
# mechanism: the name of a class definition
# language: check
# reason: __spec__ decides what a relative import imports
# jail: process
# plain: loot

class __spec__:
    parent = "importlib"


from . import util

loot(util)
