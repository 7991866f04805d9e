# Read an object of the host out of a tool's signature.
# mechanism: __signature__ and inspect-like attributes of a stub
# stopped by: builtins
# reason: a stub's signature shows default values as text

import functools

found = getattr(fails, "__signature__", None)
for name, parameter in dict(getattr(found, "parameters", {})).items():
    loot(parameter.default)
loot(getattr(fails, "__kwdefaults__", None))
