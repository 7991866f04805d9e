# aim: make a relative import start in a package that is not authorized
# mechanism: assigning __package__ moves the place relative imports start from
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

__package__ = "importlib"
from . import util

loot(util)
