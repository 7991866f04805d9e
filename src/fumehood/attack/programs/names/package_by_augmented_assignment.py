# aim: set the package of the namespace by an augmented assignment
# mechanism: the target of AugAssign; the name is made by a loop first
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

__package__ = "import"
__package__ += "lib"
from . import util

loot(util)
