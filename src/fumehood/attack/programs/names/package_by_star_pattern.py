# aim: bind a forbidden name by a star pattern
# mechanism: MatchStar binds a name without a Name node
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: loot

match ["importlib"]:
    case [*__path__]:
        __package__ = __path__[0]
        from . import util

        loot(util)
