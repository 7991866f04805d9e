# aim: read the namespace of a module
# mechanism: vars() of a module
# language: builtins
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import json

loot(vars(json))
