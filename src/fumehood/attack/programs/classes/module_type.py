# aim: fill a module of the program's own with the namespace of another
# mechanism: types.ModuleType and __dict__.update
# language: builtins
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import json
import types

mine = types.ModuleType("mine")
vars(mine).update(vars(json))
loot(vars(mine)["codecs"])
