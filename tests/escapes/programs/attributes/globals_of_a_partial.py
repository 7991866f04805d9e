# Read a library function back from a partial, then its namespace.
# mechanism: functools.partial.func
# stopped by: check
# reason: a module's namespace holds the real builtins and every module it imported

import functools
import json

loot(functools.partial(json.dumps).func.__globals__)
