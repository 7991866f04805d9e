# Replace a method of a library class.
# mechanism: plain attribute assignment on a Python class
# stopped by: run
# reason: library classes are shared by every session and by the host

import collections

collections.Counter.get = lambda self, key, default=None: "changed"
# --- second executor
import collections

if collections.Counter().get("key") == "changed":
    loot("mutated: collections.Counter.get")
