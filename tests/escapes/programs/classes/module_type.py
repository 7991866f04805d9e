# Fill a module of the program's own with the namespace of another.
# mechanism: types.ModuleType and __dict__.update
# stopped by: builtins
# reason: a module's namespace holds the real builtins and every module it imported

import json
import types

mine = types.ModuleType("mine")
vars(mine).update(vars(json))
loot(vars(mine)["codecs"])
