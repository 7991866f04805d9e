# Read a module out of the dictionary of a library object.
# mechanism: vars() of an instance that keeps a module
# stopped by: builtins
# reason: a library object's own dictionary may hold modules

import warnings

loot(vars(warnings.catch_warnings()))
