# Set an attribute of a library function.
# mechanism: functions take any attribute
# stopped by: run
# reason: library functions are shared by every session and by the host

import json

json.dumps.escaped = True
# --- second executor
import json

if hasattr(json.dumps, "escaped"):
    loot("mutated: json.dumps")
