# Let the dataclass decorator rewrite a library class.
# mechanism: the decorator sets methods on the class it is given
# stopped by: builtins
# reason: library classes are shared by every session and by the host

import dataclasses
import json

dataclasses.dataclass(json.JSONEncoder)
# --- second executor
import json

if dataclasses_like := [name for name in dir(json.JSONEncoder) if "dataclass" in name]:
    loot(f"mutated: json.JSONEncoder now has {dataclasses_like}")
