# aim: read the namespace of the module a library function was defined in
# mechanism: __globals__ of a Python function
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import json

loot(json.dumps.__globals__)
