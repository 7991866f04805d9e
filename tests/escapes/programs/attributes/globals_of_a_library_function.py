# Read the namespace of the module a library function was defined in.
# mechanism: __globals__ of a Python function
# stopped by: check
# reason: a module's namespace holds the real builtins and every module it imported

import json

loot(json.dumps.__globals__)
