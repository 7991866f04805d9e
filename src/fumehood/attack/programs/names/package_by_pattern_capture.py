# aim: set the package of the namespace by a capture pattern
# mechanism: MatchAs binds a name without a Name node
# language: check
# reason: __package__ decides what a relative import imports
# jail: process
# plain: loot

match "importlib":
    case __package__:
        from . import util

        loot(util)
