# aim: replace the class of a view by one of the program's
# mechanism: __class__ as an assignment target
# language: view
# reason: a view keeps its class
# jail: process
# plain: none (there are no views in plain Python)

import math
import types


class Mine(types.ModuleType):
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


try:
    math.__class__ = Mine
finally:
    loot(math.sqrt)
# --- second executor
import math

if type(math).__name__ == "Mine":
    loot("mutated: the class of the view of math")
