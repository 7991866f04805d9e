# aim: read a library function back from a partial, then its namespace
# mechanism: functools.partial.func
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import functools
import json

loot(functools.partial(json.dumps).func.__globals__)
