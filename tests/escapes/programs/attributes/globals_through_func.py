# Unwrap a bound method before reading its namespace.
# mechanism: __func__, then __globals__
# stopped by: check
# reason: a module's namespace holds the real builtins and every module it imported

import json

loot(json.JSONEncoder().encode.__func__.__globals__)
