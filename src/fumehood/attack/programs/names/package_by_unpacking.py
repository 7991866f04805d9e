# aim: set the package of the namespace in a starred unpacking
# mechanism: a name inside a tuple target
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

*_, __package__ = ["x", "importlib"]
from . import util

loot(util)
