# aim: set an attribute of a library function
# mechanism: functions take any attribute
# language: run
# reason: library functions are shared by every session and by the host
# jail: process
# plain: loot

import json

json.dumps.escaped = True
# --- second executor
import json

if hasattr(json.dumps, "escaped"):
    loot("mutated: json.dumps")
