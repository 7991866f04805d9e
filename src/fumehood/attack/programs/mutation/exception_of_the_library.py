# aim: set an attribute of an exception class that host code catches
# mechanism: attribute assignment on a Python exception class
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import json

json.JSONDecodeError.__str__ = lambda self: "changed"
# --- second executor
import json

try:
    json.loads("{")
except ValueError as error:
    if str(error) == "changed":
        loot("mutated: json.JSONDecodeError")
