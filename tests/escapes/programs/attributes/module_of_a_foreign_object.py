# Look up the module of a class by its __module__ in sys.modules.
# mechanism: sys.modules, subscripted with a name found on a class
# stopped by: view
# reason: sys is given as constants and pure functions, and modules is neither

import json
import sys

loot(sys.modules[json.JSONEncoder.__module__])
