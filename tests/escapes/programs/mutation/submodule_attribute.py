# Assign to a name of a submodule.
# mechanism: attribute assignment on a module inside a package
# stopped by: view
# reason: writing to a view never reaches the module

import json.encoder

json.encoder.INFINITY = 3
# --- second executor
import json.encoder

if json.encoder.INFINITY == 3:
    loot("mutated: json.encoder.INFINITY")
