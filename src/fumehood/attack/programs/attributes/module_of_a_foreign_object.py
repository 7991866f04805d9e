# aim: look up the module of a class by its __module__ in sys.modules
# mechanism: sys.modules, subscripted with a name found on a class
# language: view
# reason: sys is given as constants and pure functions, and modules is neither
# jail: process
# plain: loot

import json
import sys

loot(sys.modules[json.JSONEncoder.__module__])
