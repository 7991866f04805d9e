# Set the package of the namespace from inside a function.
# mechanism: a global declaration
# stopped by: check
# reason: __package__ decides what a relative import imports

def move():
    global __package__
    __package__ = "importlib"


move()
from . import util

loot(util)
