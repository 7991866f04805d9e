# Set the package of the namespace inside an expression.
# mechanism: an assignment expression
# stopped by: check
# reason: __package__ decides what a relative import imports

print(__package__ := "importlib")
from . import util

loot(util)
