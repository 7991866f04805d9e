# aim: delete a function of a module
# mechanism: del of an attribute of a module
# language: view
# reason: writing to a view never reaches the module
# jail: process
# plain: loot

import math

del math.sqrt
# --- second executor
import math

if not hasattr(math, "sqrt"):
    loot("mutated: math.sqrt")
