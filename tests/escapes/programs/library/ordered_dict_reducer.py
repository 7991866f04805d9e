# Read a library method's namespace through abstract containers.
# mechanism: a mixin method of collections.abc is a Python function
# stopped by: check
# reason: a module's namespace holds the real builtins and every module it imported

import collections.abc

loot(collections.abc.Mapping.get.__globals__)
