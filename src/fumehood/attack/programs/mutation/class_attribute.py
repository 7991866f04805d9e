# aim: replace a method of a library class
# mechanism: plain attribute assignment on a Python class
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections

collections.Counter.get = lambda self, key, default=None: "changed"
# --- second executor
import collections

if collections.Counter().get("key") == "changed":
    loot("mutated: collections.Counter.get")
