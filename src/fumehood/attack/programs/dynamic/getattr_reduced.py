# aim: walk a whole chain of computed names
# mechanism: functools.reduce
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import functools

loot(functools.reduce(getattr, "__class__ __base__ __subclasses__".split(), ())())
