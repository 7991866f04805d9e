# aim: bind a forbidden name in an except* clause
# mechanism: `except* … as name`
# language: check
# reason: __spec__ decides what a relative import imports
# jail: process
# plain: loot

class Spec(ExceptionGroup):
    parent = "importlib"

    def derive(self, exceptions):
        return Spec("", exceptions)


try:
    raise Spec("", [ValueError()])
except* ValueError as __spec__:
    from . import util

    loot(util)
