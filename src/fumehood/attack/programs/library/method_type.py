# aim: bind a library function to an object of the program's and take it apart
# mechanism: types.MethodType and __func__
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import json
import types

loot(types.MethodType(json.dumps, object()).__func__.__globals__)
