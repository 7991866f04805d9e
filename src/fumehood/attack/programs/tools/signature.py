# aim: read an object of the host out of a tool's signature
# mechanism: __signature__ and inspect-like attributes of a stub
# language: builtins
# reason: a stub's signature shows default values as text
# jail: wire
# plain: loot

import functools

found = getattr(fails, "__signature__", None)
for name, parameter in dict(getattr(found, "parameters", {})).items():
    loot(parameter.default)
loot(getattr(fails, "__kwdefaults__", None))
