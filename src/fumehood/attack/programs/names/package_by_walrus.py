# aim: set the package of the namespace inside an expression
# mechanism: an assignment expression
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

print(__package__ := "importlib")
from . import util

loot(util)
