# aim: set an attribute of a library function through its dictionary
# mechanism: vars() of a function can be written
# language: run
# reason: library functions are shared by every session and by the host
# jail: process
# plain: loot

import json

vars(json.loads)["escaped"] = True
# --- second executor
import json

if hasattr(json.loads, "escaped"):
    loot("mutated: json.loads")
