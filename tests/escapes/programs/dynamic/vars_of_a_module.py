# Read the namespace of a module.
# mechanism: vars() of a module
# stopped by: builtins
# reason: a module's namespace holds the real builtins and every module it imported

import json

loot(vars(json))
