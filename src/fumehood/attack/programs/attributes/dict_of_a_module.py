# aim: read the namespace of a module from the module
# mechanism: __dict__
# language: view
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import json

loot(json.__dict__)
