# aim: change the abstract methods of a library class
# mechanism: abc.update_abstractmethods and assignment to a method
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections.abc

collections.abc.Iterable.__iter__ = lambda self: iter(["changed"])
# --- second executor
import collections.abc


class Mine(collections.abc.Iterable):
    pass


try:
    if list(Mine()) == ["changed"]:
        loot("mutated: collections.abc.Iterable")
except TypeError:
    pass
