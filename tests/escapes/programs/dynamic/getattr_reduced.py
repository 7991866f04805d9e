# Walk a whole chain of computed names.
# mechanism: functools.reduce
# stopped by: builtins
# reason: computed names obey the same tables as spelled ones

import functools

loot(functools.reduce(getattr, "__class__ __base__ __subclasses__".split(), ())())
