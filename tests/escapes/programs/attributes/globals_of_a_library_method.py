# Read the namespace behind a bound method of a library object.
# mechanism: a bound method passes attribute reads on to its function
# stopped by: check
# reason: a module's namespace holds the real builtins and every module it imported

import json

loot(json.JSONEncoder().encode.__globals__)
