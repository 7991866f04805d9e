# Rename a library function and change its documentation.
# mechanism: __name__ and __doc__ of a function can be written
# stopped by: run
# reason: library functions are shared by every session and by the host

import json

json.dumps.__name__ = "escaped"
json.dumps.__doc__ = "escaped"
# --- second executor
import json

if "escaped" in (json.dumps.__name__, json.dumps.__doc__):
    loot("mutated: json.dumps")
