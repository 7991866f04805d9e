# aim: rename a library function and change its documentation
# mechanism: __name__ and __doc__ of a function can be written
# language: run
# reason: library functions are shared by every session and by the host
# jail: process
# plain: loot

import json

json.dumps.__name__ = "escaped"
json.dumps.__doc__ = "escaped"
# --- second executor
import json

if "escaped" in (json.dumps.__name__, json.dumps.__doc__):
    loot("mutated: json.dumps")
