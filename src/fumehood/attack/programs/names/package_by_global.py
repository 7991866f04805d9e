# aim: set the package of the namespace from inside a function
# mechanism: a global declaration
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

def move():
    global __package__
    __package__ = "importlib"


move()
from . import util

loot(util)
