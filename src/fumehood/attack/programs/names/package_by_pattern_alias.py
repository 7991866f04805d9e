# aim: set the package of the namespace by the alias of a pattern
# mechanism: `case str() as name` binds a name without a Name node
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

match "importlib":
    case str() as __package__:
        from . import util

        loot(util)
