# Bind a forbidden name by a star pattern.
# mechanism: MatchStar binds a name without a Name node
# stopped by: check
# reason: forbidden names are refused wherever a name can be bound

match ["importlib"]:
    case [*__path__]:
        __package__ = __path__[0]
        from . import util

        loot(util)
