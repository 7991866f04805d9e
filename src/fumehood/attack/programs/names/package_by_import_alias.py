# aim: set the package of the namespace by the alias of an import
# mechanism: `from x import y as name` binds a name without a Name node
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

from json import __name__ as __package__
from . import decoder

loot(decoder)
