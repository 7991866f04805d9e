# Set the package of the namespace by an annotated assignment.
# mechanism: the target of AnnAssign
# stopped by: check
# reason: __package__ decides what a relative import imports

__package__: str = "importlib"
from . import util

loot(util)
