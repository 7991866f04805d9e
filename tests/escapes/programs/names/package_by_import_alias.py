# Set the package of the namespace by the alias of an import.
# mechanism: `from x import y as name` binds a name without a Name node
# stopped by: check
# reason: __package__ decides what a relative import imports

from json import __name__ as __package__
from . import decoder

loot(decoder)
