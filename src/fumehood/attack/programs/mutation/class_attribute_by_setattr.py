# aim: replace a method of a library class by setattr
# mechanism: setattr with an ordinary name
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import json

setattr(json.JSONEncoder, "default", lambda self, obj: "changed")
# --- second executor
import json

try:
    if json.JSONEncoder().default(object()) == "changed":
        loot("mutated: json.JSONEncoder.default")
except TypeError:
    pass
