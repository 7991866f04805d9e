# aim: assign to a constant of a module by setattr
# mechanism: setattr on a module
# language: view
# reason: writing to a view never reaches the module
# jail: process
# plain: loot

import math

setattr(math, "pi", 3)
# --- second executor
import math

if math.pi == 3:
    loot("mutated: math.pi")
