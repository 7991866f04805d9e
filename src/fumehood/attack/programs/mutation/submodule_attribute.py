# aim: assign to a name of a submodule
# mechanism: attribute assignment on a module inside a package
# language: view
# reason: writing to a view never reaches the module
# jail: process
# plain: loot

import json.encoder

json.encoder.INFINITY = 3
# --- second executor
import json.encoder

if json.encoder.INFINITY == 3:
    loot("mutated: json.encoder.INFINITY")
