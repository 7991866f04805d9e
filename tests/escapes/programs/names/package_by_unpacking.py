# Set the package of the namespace in a starred unpacking.
# mechanism: a name inside a tuple target
# stopped by: check
# reason: __package__ decides what a relative import imports

*_, __package__ = ["x", "importlib"]
from . import util

loot(util)
