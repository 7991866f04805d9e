# aim: declare a forbidden name global inside a class body and bind it there
# mechanism: a class body with a global statement writes to the module
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

class Body:
    global __package__
    __package__ = "importlib"


from . import util

loot(util)
