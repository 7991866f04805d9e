# Set the package of the namespace by a capture pattern.
# mechanism: MatchAs binds a name without a Name node
# stopped by: check
# reason: __package__ decides what a relative import imports

match "importlib":
    case __package__:
        from . import util

        loot(util)
