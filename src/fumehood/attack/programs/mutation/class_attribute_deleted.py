# aim: delete a method of a library class
# mechanism: del of an attribute
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections

del collections.Counter.most_common
# --- second executor
import collections

if not hasattr(collections.Counter, "most_common"):
    loot("mutated: collections.Counter.most_common")
