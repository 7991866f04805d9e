# aim: assign to a constant of a module
# mechanism: plain attribute assignment on a module
# language: view
# reason: writing to a view never reaches the module
# jail: process
# plain: loot

import math

math.pi = 3
# --- second executor
import math

if math.pi == 3:
    loot("mutated: math.pi")
