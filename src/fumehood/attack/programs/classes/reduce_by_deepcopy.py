# aim: let deepcopy set attributes of a library class from a plain __reduce__
# mechanism: copy.deepcopy and a class without __reduce_ex__ of its own
# language: builtins
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import copy
import json


class Carrier:
    def __reduce__(self):
        return (lambda: json.JSONEncoder), (), (None, {"item_separator": "escaped"})


copy.deepcopy([Carrier()])
# --- second executor
import json

if "escaped" in json.dumps([1, 2], cls=json.JSONEncoder, indent=None) or json.JSONEncoder.item_separator == "escaped":
    loot("mutated: json.JSONEncoder")
