# aim: read a library method's namespace through abstract containers
# mechanism: a mixin method of collections.abc is a Python function
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import collections.abc

loot(collections.abc.Mapping.get.__globals__)
