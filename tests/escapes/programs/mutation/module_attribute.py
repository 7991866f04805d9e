# Assign to a constant of a module.
# mechanism: plain attribute assignment on a module
# stopped by: view
# reason: writing to a view never reaches the module

import math

math.pi = 3
# --- second executor
import math

if math.pi == 3:
    loot("mutated: math.pi")
