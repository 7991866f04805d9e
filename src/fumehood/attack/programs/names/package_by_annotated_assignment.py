# aim: set the package of the namespace by an annotated assignment
# mechanism: the target of AnnAssign
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

__package__: str = "importlib"
from . import util

loot(util)
