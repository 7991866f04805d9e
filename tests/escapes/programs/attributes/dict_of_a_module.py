# Read the namespace of a module from the module.
# mechanism: __dict__
# stopped by: view
# reason: a module's namespace holds the real builtins and every module it imported

import json

loot(json.__dict__)
