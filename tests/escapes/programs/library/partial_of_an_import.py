# Keep an import in a partial.
# mechanism: functools.partial(__import__, name)
# stopped by: builtins
# reason: imports of modules that are not authorized are refused, however they are called

import functools

loot(functools.partial(__import__, "sub" + "process")())
